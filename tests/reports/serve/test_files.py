"""Levels as files of the workbench: new, opened, saved and downloaded ones, and what is not saved."""

from pathlib import Path
from typing import Any

from command import start_server
from places import ROOT
from starlette.testclient import TestClient
from workbench import becomes, box, paint, paste, says, served, shown

from puzzlemc.reports.serve.app import application

HERE = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}
NO_PICKER = "delete window.showSaveFilePicker; delete window.showOpenFilePicker"
# A picker that gives the same file at each call, which keeps what is written to it.
PICKER = """
window.written = []
window.picked = { name: "mine.xsb",
  async getFile() { return new File([window.written.at(-1) ?? "#####\\n#@$.#\\n#####\\n"], "mine.xsb") },
  async createWritable() { return { async write(data) { window.written.push(await new Response(data).text()) },
    async close() {} } } }
window.showSaveFilePicker = async () => window.picked
window.showOpenFilePicker = async () => [window.picked]
"""
ONE = "#####\n#@$.#\n#####"
TWO = "######\n#@$ .#\n######"


def test_a_level_of_a_list_on_the_page_is_judged_and_nothing_else_is() -> None:
    start_server()
    with TestClient(application("secret", most=1), base_url=HERE["origin"]) as client:

        def glance(body: str, **headers: str) -> Any:
            return client.post("/secret/glance", content=body, headers=HERE | headers)

        asked = '{"ask": "glance", "n": 0, "puzzle": "sokoban", "text": "#####\\n#@$.#\\n#####", "keep": true}'
        found = glance(asked).json()
        assert (found["verdict"], found["cost"]) == ("solvable", 1)
        assert "solved" not in found
        assert glance('{"ask": "verify", "n": 0, "path": "/etc/passwd"}').status_code == 400
        assert glance("{").status_code == 400
        assert glance(asked, origin="http://evil.example").status_code == 403


def rows(page: Any) -> list[str]:
    text: str = page.locator("#source").input_value()
    return text.split("\n")


def written(page: Any, text: str) -> None:
    """Wait until this is the last text that was written to the file of the picker."""
    becomes(page, lambda: page.evaluate("window.written.at(-1)"), text)


def test_a_new_level_is_drawn_and_saved_as_a_file_by_keys_alone(browser: Any, address: str) -> None:
    with shown(browser, address, NO_PICKER) as page:
        says(page, "Solvable")
        page.keyboard.press("Alt+n")
        for key in ("Tab", "3", "Tab", "6", "Enter"):
            page.keyboard.press(key)
        says(page, "found no player")
        becomes(page, lambda: rows(page), ["######", "#    #", "######"])
        page.locator("#stage svg").focus()
        for key in ("ArrowDown", "ArrowRight", "p", " ", "ArrowRight", "b", " ", "ArrowRight", "g", " "):
            page.keyboard.press(key)
        says(page, "1 push")
        page.locator("#unsaved").wait_for()
        with page.expect_download() as saved:
            page.keyboard.press("Control+s")
        assert saved.value.suggested_filename == "level.xsb"
        assert Path(saved.value.path()).read_text(encoding="utf-8") == "######\n#@$. #\n######\n"
        page.locator("#unsaved").wait_for(state="hidden")
        page.keyboard.press("Control+z")
        says(page, "found no goal")
        page.locator("#unsaved").wait_for()


def test_a_title_is_the_name_of_a_download(browser: Any, address: str) -> None:
    with shown(browser, address, NO_PICKER) as page:
        paste(page, "Title: Über/../two  ways!\nTetravex 1\n1 2 3 4\n")
        says(page, "1 tile to place")
        with page.expect_download() as saved:
            page.keyboard.press("Control+Shift+s")
        assert saved.value.suggested_filename == "über-two-ways.tetravex"


def test_lines_beside_the_only_level_of_a_file_are_kept(browser: Any, address: str) -> None:
    with shown(browser, address, PICKER) as page:
        says(page, "Solvable")
        page.evaluate("text => { window.written = [text] }", f"; by Ada\n\n{ONE}\nTitle: mine\n")
        page.keyboard.press("Control+o")
        page.locator("#levels .item", has_text="mine").wait_for()
        says(page, "1 push")
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 0, 0)
        page.locator("#levels .item.unsaved").wait_for()
        page.keyboard.press("Control+s")
        written(page, f"; by Ada\n\n {ONE[1:]}\nTitle: mine\n")


def test_a_level_is_exported_for_other_tools(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        paste(page, TWO)
        says(page, "2 pushes")
        page.locator("#more summary").click()
        for to, name, words in (
            ("smv", "level.smv", b"MODULE main"),
            ("dimacs", "level.dimacs", b"p cnf"),
            ("pddl", "level.pddl.zip", b"PK"),
        ):
            page.get_by_label("Format").select_option(to)
            page.get_by_label("Steps").wait_for(state="visible" if to == "dimacs" else "hidden")
            with page.expect_download() as saved:
                page.get_by_role("button", name="Export").click()
            assert saved.value.suggested_filename == name
            assert words in Path(saved.value.path()).read_bytes()
        page.locator("#said", has_text="level.pddl.zip is downloaded.").wait_for()
        page.locator("#puzzle").select_option("fabrik")
        says(page, "Black wins")
        page.get_by_label("Format").wait_for(state="hidden")


def test_a_file_is_opened_and_written_again_where_the_browser_can(browser: Any, address: str) -> None:
    with shown(browser, address, PICKER) as page:
        says(page, "Solvable")
        page.keyboard.press("Control+o")
        says(page, "1 push")
        page.locator("#file-name", has_text="mine.xsb").wait_for()
        paint(page, 0, 0)  # a wall that is there already
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 0, 1)
        page.locator("#unsaved").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#toast", has_text="Saved to mine.xsb").wait_for()
        written(page, "# ###\n#@$.#\n#####\n")
        assert page.evaluate("window.written.length") == 1
        page.locator("#unsaved").wait_for(state="hidden")


def test_all_levels_of_a_file_are_listed_and_one_is_saved_to_its_place(browser: Any, address: str) -> None:
    with shown(browser, address, PICKER) as page:
        says(page, "Solvable")
        text = f"{ONE}\nTitle: one\n\n{TWO}\nTitle: two\n\n{ONE}\nTitle: three\n"
        page.evaluate("text => { window.written = [text] }", text)
        page.keyboard.press("Control+o")
        page.locator("#levels .item", has_text="three").wait_for()
        items = page.locator("#levels .item")
        items.nth(1).locator(".good", has_text="2 pushes").wait_for()
        items.nth(1).click()
        says(page, "2 pushes")
        page.locator("#tools summary").click()
        page.locator("button[aria-label='bottom: one more']").click()
        page.locator("#levels .item.unsaved", has_text="two").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#toast", has_text="Saved to mine.xsb").wait_for()
        made = text.replace(TWO, f"{TWO}\n-")
        written(page, made)
        items.nth(2).click()
        page.locator("#file-name", has_text="mine.xsb#3").wait_for()
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 0, 0)
        page.locator("#levels .item.unsaved", has_text="three").wait_for()
        page.keyboard.press("Control+s")
        written(page, made.replace(f"{ONE}\nTitle: three", f" {ONE[1:]}\nTitle: three"))


def test_opened_files_are_listed_with_their_names_and_closed(browser: Any, address: str) -> None:
    with shown(browser, address, PICKER) as page:
        says(page, "Solvable")
        paste(page, f"{ONE}\n\n{TWO}\n")
        page.locator("#levels .item", has_text="Level 2").wait_for()
        page.evaluate("text => { window.written = [text] }", f"{TWO}\nTitle: two\n\n{ONE}\nTitle: one\n")
        page.keyboard.press("Control+o")
        says(page, "2 pushes")
        headings = page.locator("#levels .document .name")
        becomes(page, headings.all_inner_texts, ["New collection", "mine.xsb"])
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 0, 0)
        page.locator("#levels .document.unsaved", has_text="mine.xsb").wait_for()
        close = page.get_by_label("Close mine.xsb")
        close.click()
        page.locator("#toast", has_text="once more closes it").wait_for()
        close.click()
        becomes(page, page.locator("#levels .item").count, 2)
        says(page, "1 push")
        page.reload()
        becomes(page, page.locator("#levels .item").count, 2)


def test_a_file_that_the_page_would_cut_is_not_opened(browser: Any, address: str) -> None:
    with shown(browser, address, PICKER) as page:
        says(page, "Solvable")
        page.evaluate("window.written = ['#####\\n#@$.#\\n#####\\n' + '\\n'.repeat(1 << 22)]; 0")
        page.keyboard.press("Control+o")
        page.locator("#toast", has_text="expected at most 4194304").wait_for()
        says(page, "5 pushes")


def test_a_file_is_chosen_and_its_suffix_names_the_puzzle(browser: Any, address: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.fold"
    path.write_text(" 1 0\n 0 0\n")
    with shown(browser, address, NO_PICKER) as page:
        says(page, "Solvable")
        page.locator("#file summary").click()
        with page.expect_file_chooser() as chooser:
            page.locator("#file button", has_text="Open").click()
        chooser.value.set_files(path)
        says(page, "2 moves")
        becomes(page, lambda: page.locator("#puzzle").input_value(), "folding")
        with page.expect_download() as saved:
            page.keyboard.press("Control+Shift+s")
        assert saved.value.suggested_filename == "mine.fold"


def test_a_change_of_a_collection_is_marked_kept_and_saved_to_its_own_place(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(f"{ONE}\n\n{TWO}\n")
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        page.keyboard.press("Alt+PageDown")
        says(page, "2 pushes")
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 0, 0)
        page.locator("#levels .item.unsaved").wait_for()
        page.keyboard.press("Alt+PageUp")
        says(page, "1 push")
        page.locator("#levels .item:nth-child(2).unsaved").wait_for()
        page.keyboard.press("Alt+PageDown")
        says(page, "2 pushes")
        becomes(page, lambda: rows(page)[0], " #####")
        page.reload()
        says(page, "2 pushes")
        page.locator("#toast", has_text="Your changes are restored").wait_for()
        becomes(page, lambda: rows(page)[0], " #####")
        page.locator("#levels .item:nth-child(2)[aria-current=true]").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#toast", has_text="Saved to some.xsb").wait_for()
        assert path.read_text() == f"{ONE}\n\n {TWO[1:]}\n"
        page.locator("#levels .item.unsaved").wait_for(state="detached")
        page.locator("#puzzle").select_option("folding")
        says(page, "moves")
        # To save would write it over the level.
        page.locator("#levels .item[aria-current]").wait_for(state="detached")


def test_a_level_is_added_to_the_end_of_its_file_and_saved_there(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(f"{ONE}\nTitle: one\n\n{TWO}\nTitle: two\n\n\n")
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        page.locator("#tools summary").click()
        page.locator("button[aria-label='top: one more']").click()
        page.keyboard.press("Control+s")  # what follows is a line further down
        page.locator("#toast", has_text="Saved to some.xsb").wait_for()
        first = path.read_text().split("\nTitle: one")[0]
        assert first.count("\n") == 3
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 1, 0)
        page.keyboard.press("Alt+s")
        page.locator("#toast", has_text="Added to some.xsb").wait_for()
        page.locator("#levels .item:nth-child(3)[aria-current=true].unsaved").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#levels .item.unsaved").wait_for(state="detached")
        made = f"{first}\nTitle: one\n\n{TWO}\nTitle: two\n\n"
        added = path.read_text().removeprefix(made)
        assert path.read_text() == made + added
        assert added.strip("\n") != first
        page.locator("#levels .item").first.click()
        page.locator("#levels .item:nth-child(1)[aria-current=true]:not(.unsaved)").wait_for()
        page.locator("#levels .item").nth(2).click()
        page.locator("#file-name", has_text="some.xsb#3").wait_for()
        page.locator("#tools summary").click()
        page.locator("button[aria-label='bottom: one more']").click()
        page.locator("#levels .item.unsaved").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#levels .item.unsaved").wait_for(state="detached")
        assert path.read_text() == made + added.replace("\nTitle", "\n-\nTitle")
        assert path.read_text().count("\n") == (made + added).count("\n") + 1
    assert (tmp_path / "some.xsb.bak").read_text() == f"{ONE}\nTitle: one\n\n{TWO}\nTitle: two\n\n\n"


def test_a_level_is_added_to_a_file_that_was_opened(browser: Any, address: str) -> None:
    with shown(browser, address, PICKER) as page:
        says(page, "Solvable")
        page.evaluate("text => { window.written = [text] }", f"{ONE}\nTitle: one\n\n{TWO}\n")
        page.keyboard.press("Control+o")
        page.locator("#levels .item", has_text="one").wait_for()
        says(page, "1 push")
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 0, 0)
        page.keyboard.press("Alt+s")
        page.locator("#levels .item:nth-child(3)[aria-current=true].unsaved").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#puzzle").select_option("folding")  # at once: the list that is saved does not put it back
        written(page, f"{ONE}\nTitle: one\n\n{TWO}\n\n {ONE[1:]}\nTitle: one\n")
        says(page, "moves")
        assert page.locator("#puzzle").input_value() == "folding"
        page.keyboard.press("Alt+s")
        page.locator("#toast", has_text="No file in the list has levels of folding").wait_for()


def test_titles_are_edited_under_text_and_levels_moved_removed_and_brought_back(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(before := f"{ONE}\nTitle: one\n\n{TWO}\n\n{ONE}\nTitle: three\n")
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        names, toast = page.locator("#levels .item .name"), page.locator("#toast")
        page.keyboard.press("Alt+PageDown")
        says(page, "2 pushes")
        page.locator("#text").click()
        page.locator("#source").fill(f"{TWO}\nTitle: two")
        page.locator("#levels .item.unsaved").wait_for()
        page.keyboard.press("Control+s")
        becomes(page, names.all_inner_texts, ["one", "two", "three"])
        becomes(page, path.read_text, before.replace(TWO, f"{TWO}\nTitle: two"))
        becomes(page, lambda: page.locator("#source").input_value(), f"{TWO}\nTitle: two")
        page.locator("#levels .item.unsaved").wait_for(state="detached")
        page.keyboard.press("Alt+Shift+PageDown")
        becomes(page, names.all_inner_texts, ["one", "three", "two"])
        page.locator("#levels .item:nth-child(3)[aria-current=true]").wait_for()
        page.locator("#up").click()
        becomes(page, names.all_inner_texts, ["one", "two", "three"])
        page.locator("#remove").click()
        becomes(page, names.all_inner_texts, ["one", "three"])
        toast.filter(has_text="Undo brings it back").wait_for()
        says(page, "1 push")
        page.keyboard.press("Control+s")
        toast.filter(has_text="Saved to some.xsb").wait_for()
        assert path.read_text() == before.replace(f"{TWO}\n\n", "")
        for expected in (["one", "two", "three"], ["one", "three", "two"], ["one", "two", "three"]):
            page.locator("#undo").click()
            becomes(page, names.all_inner_texts, expected)
        page.locator("#undo").click()
        becomes(page, names.all_inner_texts, ["one", "Level 2", "three"])
        page.keyboard.press("Control+s")
        becomes(page, path.read_text, before)
        page.locator("#unsaved").wait_for(state="hidden")
        page.locator("#undo[disabled]").wait_for()


def test_levels_behind_a_faulty_one_are_judged_and_undo_in_haste_leads_back(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(before := f"#####\n#  .#\n#####\nTitle: none\n\n{ONE}\nTitle: one\n\n{TWO}\nTitle: two\n")
    with served(path) as address, shown(browser, address) as page:
        items = page.locator("#levels .item")
        items.nth(0).locator(".is", has_text="no level").wait_for()
        items.nth(2).locator(".is", has_text="2 pushes").wait_for()
        items.nth(1).click()
        says(page, "1 push")
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 0, 0)
        paint(page, 0, 1)
        page.keyboard.press("Alt+Shift+Enter")
        items.nth(3).wait_for()
        page.evaluate(
            """() => {
                const pressed = () => new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true })
                for (let count = 0; count < 8; count++) document.body.dispatchEvent(pressed())
            }"""
        )
        page.locator("#undo[disabled]").wait_for()
        says(page, "1 push")
        page.keyboard.press("Control+s")
        page.locator("#toast", has_text="Saved").wait_for()
        assert path.read_text() == before
        becomes(page, page.locator("#levels .item .name").all_inner_texts, ["none", "one", "two"])
        becomes(page, lambda: rows(page)[:3], ONE.split("\n"))


def test_a_save_before_a_chosen_level_is_on_the_page_writes_no_other_text(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(before := f"{ONE}\nTitle: one\n\n{TWO}\nTitle: two\n")
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        page.evaluate(
            """() => {
                const second = document.querySelectorAll("#levels .item")[1]
                const pressed = new KeyboardEvent("keydown", { key: "s", ctrlKey: true })
                const save = () => document.dispatchEvent(pressed)
                new MutationObserver(save).observe(second, { attributes: true, attributeFilter: ["aria-current"] })
                second.click()
            }"""
        )
        page.locator("#toast", has_text="Saved to some.xsb").wait_for()
        says(page, "2 pushes")
        assert path.read_text() == before


def test_a_game_is_saved_with_all_its_levels(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "shaft.txt"
    path.write_bytes((ROOT / "screens/levels/puzzlescript/shaft.txt").read_bytes())
    text = path.read_text()
    with served(path) as address, shown(browser, address) as page:
        page.locator("#levels .item .is.good, #levels .item .is.bad").first.wait_for()
        page.locator("#levels .item").nth(2).click()
        page.locator("#levels .item:nth-child(3)[aria-current=true]").wait_for()
        page.locator("#editor .cm-content").click()
        page.keyboard.press("Control+Home")
        page.keyboard.type("(mine)\n")
        page.locator("#levels .item:nth-child(3).unsaved").wait_for()
        page.keyboard.press("Control+s")
        page.locator("#toast", has_text="Saved to shaft.txt").wait_for()
        becomes(page, path.read_text, f"(mine)\n{text}")
        page.locator("#levels .item.unsaved").wait_for(state="detached")
        page.locator("#levels .item:nth-child(3)[aria-current=true]").wait_for()
        page.locator("h1").click()
        page.keyboard.press("Control+z")
        page.locator("#unsaved").wait_for()
        page.keyboard.press("Control+s")
        becomes(page, path.read_text, text)


def test_a_link_that_is_no_level_of_the_collection_is_not_saved_over_one(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(f"{ONE}\n")
    with served(path) as address, shown(browser, address, NO_PICKER) as page:
        says(page, "1 push")
        paste(page, TWO)
        says(page, "2 pushes")
        page.wait_for_timeout(400)
        page.evaluate("sessionStorage.clear()")  # as in another tab
        page.reload()
        says(page, "2 pushes")
        with page.expect_download():
            page.keyboard.press("Control+s")
        assert path.read_text() == f"{ONE}\n"


def test_another_puzzle_and_another_file_are_not_saved_over_a_level_of_the_collection(
    browser: Any, tmp_path: Path
) -> None:
    path, other = tmp_path / "some.xsb", tmp_path / "other.xsb"
    path.write_text(f"{ONE}\n")
    other.write_text(f"{TWO}\n")
    with served(path) as address, shown(browser, address, NO_PICKER) as page:
        says(page, "1 push")
        page.locator("#file input").set_input_files(other)
        says(page, "2 pushes")
        with page.expect_download():
            page.keyboard.press("Control+s")
        page.locator("#levels .item").first.click()
        says(page, "1 push")
        paste(page, " 1 0\n 0 0")
        says(page, "2 moves")
        with page.expect_download():
            page.keyboard.press("Control+s")
        assert path.read_text() == f"{ONE}\n"


def test_on_a_narrow_page_the_levels_of_a_collection_are_above_the_board(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "two.xsb"
    path.write_text(f"{ONE}\n\n{TWO}\n", encoding="utf-8")
    with served(path) as where, shown(browser, where, viewport={"width": 390, "height": 844}) as page:
        says(page, "1 push")
        tops = [box(page, each)["y"] for each in ("#next", "#levels", "#stage", "#verdict h2")]
        assert tops == sorted(tops)
        assert tops[-1] < 844
        page.locator("#next").click()
        says(page, "2 pushes")
