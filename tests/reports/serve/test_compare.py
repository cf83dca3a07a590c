"""Two levels, or two versions of one, side by side."""

from pathlib import Path
from typing import Any

from workbench import becomes, paint, says, served, shown

LEVELS = """\
########
#   #  #
#  $ . #
# # $  #
#  @ . #
########
Title: Two boxes

#######
#  .  #
#  $  #
#  @  #
#     #
#######
Title: One box
"""


def table(page: Any) -> dict[str, tuple[str, str]]:
    """What the dialog says of both sides."""
    rows = [row.locator("td,th").all_inner_texts() for row in page.locator(".compare tr").all()]
    return {name: (one, two) for one, name, two in rows}


def test_versions_and_levels_stand_side_by_side_with_what_differs(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "two.xsb"
    path.write_text(LEVELS)
    with served(path) as address, shown(browser, address) as page:
        says(page, "4 pushes")
        page.get_by_role("button", name="Compare…").click()
        left, right = (page.get_by_label(name, exact=True) for name in ("Left", "Right"))
        assert left.locator("option:checked").inner_text() == "One box"  # nothing is edited: another level
        page.locator(".compare [role=status]", has_text="The sizes differ.").wait_for()
        becomes(page, lambda: table(page).get("verdict"), ("1 push", "4 pushes"))
        becomes(page, lambda: table(page).get("reachable positions", ("", ""))[1], "4\u202f158")
        page.keyboard.press("Escape")
        says(page, "4 pushes")
        page.locator(".brush[data-sign='#']").click()
        for row, column, words in ((1, 2, "reachable"), (4, 5, "2 pushes")):
            paint(page, row, column)
            page.locator("#right", has_text=words).wait_for()
        page.get_by_role("button", name="Compare…").click()
        page.locator(".compare [role=status]", has_text="One cell differs.").wait_for()
        assert left.locator("option:checked").inner_text() == "before the last edit"
        left.select_option(label="2 edits ago")
        page.locator(".compare [role=status]", has_text="2 cells differ.").wait_for()
        places = [
            (each.get_attribute("x"), each.get_attribute("y")) for each in page.locator(".compare .differs").all()
        ]
        assert [place for place in places if place[0] is not None] == 2 * [("2.05", "1.05"), ("5.05", "4.05")]
        becomes(page, lambda: table(page).get("verdict"), ("4 pushes", "2 pushes"))
        becomes(page, lambda: table(page).get("orders of pushes"), ("7", "unique"))
        assert page.locator(".compare tr.differs th").all_inner_texts()[0] == "verdict"
        right.select_option(label="2 edits ago")
        page.locator(".compare [role=status]", has_text="The pictures are equal.").wait_for()
        becomes(page, lambda: page.locator(".compare tr.differs").count(), 0)
        page.get_by_role("button", name="Close").click()
        says(page, "2 pushes")  # the level is as it was
