"""Files of documents: every way in which a text could be lost or written over."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from full_disk import full_disk
from systems import permissions

from puzzlemc.reports.documents.files import BACKUP, Changed, Form, content, data_of, load, save, status
from puzzlemc.reports.output.files import OutputError
from puzzlemc.screens.base.errors import LevelError

TEXT = "#####\n#@$.#\n#####\nTitle: Über\n"
MINE = TEXT.replace("Title", "Author")
THEIRS = TEXT.replace("#@$.#", "#.$@#")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "a.xsb").write_bytes(TEXT.encode())
    return tmp_path / "a.xsb"


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "latin-1"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ends", [("\n", "\n"), ("\r\n", "\r\n"), ("\n", "\r\n"), ("\r\n", "\n")])
def test_bytes_that_nobody_changed_stay(tmp_path: Path, codec: str, mark: str, ends: tuple[str, str]) -> None:
    if mark and codec == "latin-1":
        return
    text = TEXT.replace("\n", ends[0]) + "; Ende" + ends[1]
    path = tmp_path / "a.xsb"
    path.write_bytes((mark + text).encode(codec))
    before, found = path.read_bytes(), load(path)
    assert data_of(found.text, found.form, "a") == before
    was = save(path, found.text, found.form, found.was)
    assert (path.read_bytes(), was) == (before, found.was)
    save(path, found.text.replace("$", "$ "), found.form, was)
    assert path.read_bytes() == (mark + text.replace("$", "$ ")).encode(codec)
    assert "\r" not in found.text or ends[0] != ends[1]


def test_a_character_that_the_encoding_lacks_is_named_and_nothing_is_written(path: Path) -> None:
    path.write_bytes(TEXT.encode("latin-1"))
    found = load(path)
    with pytest.raises(LevelError, match=r"a\.xsb:5: found '→', which latin-1 lacks"):
        save(path, f"{found.text}; →\n", found.form, found.was)
    assert path.read_bytes() == TEXT.encode("latin-1")
    for odd in (Form("rot13"), Form("utf-8\0")):
        with pytest.raises(LevelError, match="lacks"):
            data_of(TEXT, odd, "a")


def test_two_tabs_on_one_file_do_not_write_over_each_other(path: Path) -> None:
    one = load(path)
    save(path, MINE, one.form, one.was)
    with pytest.raises(Changed) as refused:
        save(path, THEIRS, one.form, one.was)
    assert refused.value.now == content(MINE.encode(), "a.xsb")
    assert path.read_text(encoding="utf-8") == MINE
    assert refused.value.now is not None
    save(path, THEIRS, one.form, refused.value.now.was)
    assert path.read_text(encoding="utf-8") == THEIRS
    assert path.with_name("a.xsb" + BACKUP).read_text() == TEXT


def test_a_file_that_was_deleted_is_written_again_only_if_that_is_known(path: Path) -> None:
    found = load(path)
    path.unlink()
    assert status(path) == ""
    with pytest.raises(Changed) as refused:
        save(path, MINE, found.form, found.was)
    assert refused.value.now is None
    assert not path.exists()
    save(path, MINE, found.form, "")
    assert path.read_text(encoding="utf-8") == MINE
    with pytest.raises(Changed):  # it is there again meanwhile
        save(path, THEIRS, found.form, "")


def _to_outside(path: Path, other: Path) -> None:
    other.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(other)


def _to_folder(path: Path, other: Path) -> None:
    path.unlink()
    path.mkdir()


def _to_nowhere(path: Path, other: Path) -> None:
    path.unlink()
    path.symlink_to(other)


@pytest.mark.parametrize("replace", [_to_outside, _to_folder, _to_nowhere])
def test_a_file_that_was_replaced_by_something_else_is_left_alone(
    tmp_path: Path, replace: Callable[[Path, Path], None]
) -> None:
    (tmp_path / "mine").mkdir()
    path, other = tmp_path / "mine" / "a.xsb", tmp_path / "other.xsb"
    path.write_text(TEXT)
    found = load(path)
    replace(path, other)
    with pytest.raises((OutputError, LevelError, Changed)):
        save(path, MINE, found.form, found.was)
    assert not other.exists() or other.read_text() == TEXT
    assert [each.name for each in path.parent.iterdir()] == ["a.xsb"]


def test_the_backup_is_the_first_text_and_is_no_link(path: Path, tmp_path: Path) -> None:
    was = load(path).was
    for text in (MINE, THEIRS, TEXT, MINE):
        was = save(path, text, Form(), was)
    backup = path.with_name("a.xsb" + BACKUP)
    assert backup.read_text() == TEXT
    backup.unlink()
    (tmp_path / "away").mkdir()
    backup.symlink_to(tmp_path / "away" / "b")
    with pytest.raises(LevelError, match="found a link"):
        save(path, THEIRS, Form(), was)
    assert path.read_text(encoding="utf-8") == MINE


@permissions
def test_permissions_and_a_link_inside_of_the_folder_stay(path: Path, tmp_path: Path) -> None:
    path.chmod(0o640)
    (tmp_path / "link.xsb").symlink_to("a.xsb")
    link = tmp_path / "link.xsb"
    save(link, MINE, Form(), load(link).was)
    assert link.is_symlink()
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == (MINE, 0o640)


@pytest.mark.parametrize("backup", [False, True])
def test_a_full_disk_leaves_the_file_as_it_was(path: Path, backup: bool) -> None:
    path.write_text(TEXT * 100, encoding="utf-8")
    found = load(path)
    if backup:
        path.with_name("a.xsb" + BACKUP).write_text(TEXT)
    with full_disk(1000), pytest.raises(OutputError, match="File too large"):
        save(path, MINE * 200, found.form, found.was)
    assert path.read_text(encoding="utf-8") == TEXT * 100
    kept = {"a.xsb", "a.xsb.bak"} if backup else {"a.xsb"}
    assert {each.name for each in path.parent.iterdir()} == kept
    save(path, MINE, found.form, found.was)
    assert path.read_text(encoding="utf-8") == MINE


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_named(path: Path) -> None:
    path.chmod(0o440)
    with pytest.raises(OutputError, match="Permission denied"):
        save(path, MINE, Form(), load(path).was)
    assert path.read_text(encoding="utf-8") == TEXT
