"""Files that the program reads and writes: limits of reading, and what a failed write keeps."""

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command import ONE_PUSH, PROGRAM, puzzlemc
from full_disk import full_disk
from places import ROOT
from systems import fifos, permissions

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.system.memory import peak_mb, reset_peak
from puzzlemc.reports.cli.commands.generate import _Sheet
from puzzlemc.reports.output import files
from puzzlemc.reports.output.files import OutputError, write, writing
from puzzlemc.reports.play.session import Session
from puzzlemc.screens.base import reading
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_bytes, read_lines, read_text
from puzzlemc.screens.base.source import text_of

NOBODY = 65534
MOST_MB = 450  # resident memory of a program that reads an endless file: 300 more than at its start
# Runs the command line, then prints its peak memory.
MEASURED = """
import sys
from puzzlemc.reports.cli.start import main
from puzzlemc.mc.system.memory import peak_mb
try:
    main()
finally:
    print("peak", peak_mb(), file=sys.stderr)
"""
LEVELS = ROOT / "screens" / "levels"
is_root = os.getuid() == 0


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "fifo")
    return tmp_path / "fifo"


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


class TestRead:
    def test_a_file_has_a_limit(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"12345")
        assert read_bytes(tmp_path / "a", 5, "a number") == b"12345"
        assert read_bytes(tmp_path / "a", 4, "a number", whole=False) == b"1234"
        with pytest.raises(LevelError, match=r"a: found more than 4 bytes, expected a number"):
            read_bytes(tmp_path / "a", 4, "a number")
        with pytest.raises(LevelError, match=r"^/dev/zero: found more than 1000 bytes, expected a number"):
            read_bytes("/dev/zero", 1000, "a number")

    @pytest.mark.parametrize(
        ("name", "message"),
        [("none", "No such file"), ("", "Is a directory"), ("a\0b", "embedded null byte")],
    )
    def test_unreadable_files_are_errors(self, tmp_path: Path, name: str, message: str) -> None:
        with pytest.raises(LevelError, match=f"cannot be read: {message}"):
            read_bytes(f"{tmp_path}/{name}", 10, "anything")

    def test_text_must_be_utf_8(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes("\ufeffé".encode())
        assert read_text(tmp_path / "a", 100, "words") == "é"
        (tmp_path / "a").write_bytes(b"one\ntw\xff")
        with pytest.raises(
            LevelError, match=r"a:2:3: found byte 0xff, which is no UTF-8, expected words in UTF-8"
        ):
            read_text(tmp_path / "a", 100, "words")

    def test_each_line_and_their_sum_have_a_limit(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"one\ntw\xff\nthree")
        assert list(read_lines(tmp_path / "a", 14, 5, "words")) == ["one\n", "tw\\xff\n", "three"]
        with pytest.raises(LevelError, match=r"a:3: found too many bytes, expected words"):
            list(read_lines(tmp_path / "a", 12, 5, "words"))
        with pytest.raises(LevelError, match=r"a:3: found a line of more than 4 bytes, expected words"):
            list(read_lines(tmp_path / "a", 100, 4, "words"))

    @fifos
    def test_a_fifo_without_a_writer_is_an_error(self, fifo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "WAIT_SECONDS", 0.1)
        with pytest.raises(
            LevelError, match=r"fifo: cannot be read: no program wrote to this FIFO within 0\.1 seconds"
        ):
            read_bytes(fifo, 100, "anything")

    @pytest.mark.parametrize("read", [text_of, lambda path: read_bytes(path, 100, "anything")])
    def test_a_descriptor_of_another_process_is_an_error(self, read: Callable[[str], object]) -> None:
        with pytest.raises(LevelError, match="has no such descriptor, expected a regular file"):
            read("/dev/fd/9999")

    @fifos
    def test_a_fifo_waits_for_a_writer(self, fifo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The writer opens the FIFO late, pauses longer than the wait for a writer, and writes in two parts."""
        monkeypatch.setattr(reading, "WAIT_SECONDS", 1.0)

        def late() -> None:
            time.sleep(0.3)
            with fifo.open("wb", buffering=0) as file:
                time.sleep(2)
                file.write(b"one ")
                time.sleep(0.2)
                file.write(b"two")

        writer = threading.Thread(target=late)
        writer.start()
        assert read_bytes(fifo, 100, "anything") == b"one two"
        writer.join()

    def test_files_opened_by_shells_are_read(self) -> None:
        read = (
            "import sys; from puzzlemc.screens.base import reading; print(reading.read_bytes(sys.argv[1], 99, ''))"
        )
        script = '"$0" -c "$1" <(echo one); echo two | "$0" -c "$1" /dev/stdin; "$0" -c "$1" /dev/stdin < "$2"'
        command = ["bash", "-c", script, sys.executable, read, "/dev/null"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.stdout, done.stderr) == ("b'one\\n'\nb'two\\n'\nb''\n", "")


def measured(folder: Path, *arguments: str, stdin: str | None = None) -> tuple[int, str, float]:
    """The exit code of a new process, its output, and its peak resident memory in MiB."""
    command = [sys.executable, "-c", MEASURED, *arguments]
    done = subprocess.run(
        command, cwd=folder, input=stdin, capture_output=True, text=True, timeout=90, check=False
    )
    text, _, peak = done.stderr.rpartition("peak ")
    return done.returncode, done.stdout + text, float(peak)


# Each option that names a file to read, with a placeholder for the file.
READERS = {
    "levels": ("check", "{}"),
    "formulas": ("query", "a.xsb", "-f", "{}"),
    "expected": ("batch", "a.xsb", "--store", "s.sqlite", "--expect", "{}"),
    "solution": ("replay", "a.xsb", "{}"),
    "layout": ("check", "a.factorio#1", "--layout", "{}"),
    "certificate": ("verify", "--memory", "1", "{}"),
    "level of a certificate": ("verify", "a.cert", "--level", "{}"),
    "store": ("results", "{}"),
    "puzzle": ("check", "a.xsb", "--puzzle", "{}"),
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind, a FIFO without a writer, and links to both with other suffixes."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "a.xsb").write_text(ONE_PUSH)
    (folder / "a.factorio").write_text((LEVELS / "factorio" / "first_belts.factorio").read_text())
    os.mkfifo(folder / "fifo")
    for name in ("zero.py", "zero"):
        (folder / name).symlink_to("/dev/zero")
    (folder / "fifo.py").symlink_to("fifo")
    assert measured(folder, "check", "a.xsb", "--certificate", "proofs", "--quiet")[0] == 0
    (folder / "proofs" / "a.xsb-1.cert").rename(folder / "a.cert")
    assert measured(folder, "batch", "a.xsb", "--store", "a.sqlite", "--quiet")[0] == 0
    return folder


class TestEveryOption:
    @fifos
    @pytest.mark.parametrize("reader", READERS)
    def test_every_option_refuses_a_fifo_without_a_writer(
        self, inputs: Path, reader: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(inputs)
        monkeypatch.setattr(reading, "WAIT_SECONDS", 0.1)
        file = "fifo.py" if reader == "puzzle" else "fifo"
        done = puzzlemc(*(part.format(file) for part in READERS[reader]))  # workers wait for five seconds
        text = (done.stdout + done.stderr).replace("\n", " ")
        message = "no regular file" if reader == "store" else "no program wrote to this FIFO"
        assert (done.returncode, file in text, message in text) == (2, True, True), text

    @pytest.mark.parametrize(
        ("reader", "name"),
        [*((reader, "zero") for reader in READERS), ("formulas", "fifo")],
    )
    def test_endless_and_empty_files_are_errors(self, inputs: Path, reader: str, name: str) -> None:
        file = f"{name}.py" if reader == "puzzle" else name
        code, text, peak = measured(inputs, *(part.format(file) for part in READERS[reader]))
        assert code == 2, text
        assert file in text
        assert "Traceback" not in text
        assert peak < MOST_MB

    def test_formulas_have_a_limit(self, inputs: Path) -> None:
        (inputs / "many.ctl").write_text("EF solved\n" * 150_000)
        code, text, peak = measured(inputs, "query", "a.xsb", "-f", "many.ctl")
        assert (code, "many.ctl: found more than 100000 formulas" in text) == (2, True)
        assert peak < MOST_MB

    def test_expected_answers_are_read_by_lines_of_limited_length(self, inputs: Path) -> None:
        row = '{"id": "a.xsb#1", "verdict": "solvable", "cost": 1, "metric": "pushes", "x": "%s"}\n' % (
            "x" * 10**6
        )
        (inputs / "old.jsonl").write_text(row * 200)
        asked = ("batch", "a.xsb", "--store", "a.sqlite", "--expect", "old.jsonl")
        code, text, peak = measured(inputs, *asked)
        assert (code, "1 as expected" in text) == (0, True)
        assert peak < MOST_MB

    def test_a_saved_game_has_a_limit(self) -> None:
        (entry,) = load([LEVELS / "sokoban" / "first_steps.xsb"])[:1]
        session = Session(entry.puzzle, entry.level)
        reset_peak()
        before = peak_mb()
        with pytest.raises(LevelError, match=r"/dev/zero: found more than 1048576 bytes, expected a saved game"):
            session.open(Path("/dev/zero"))
        assert peak_mb() < before + 300

    def test_a_fifo_with_a_writer_is_read(self, inputs: Path) -> None:
        """Also the file of a process substitution."""
        script = (
            '"$0" -c "$1" query a.xsb -f <(echo "EF solved") && "$0" -c "$1" replay a.xsb <(sleep 1; echo R)'
            ' && "$0" -c "$1" check <(cat a.xsb) && cat a.xsb | "$0" -c "$1" check /dev/stdin'
        )
        command = ["bash", "-c", script, sys.executable, MEASURED]
        done = subprocess.run(command, cwd=inputs, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert [word in done.stdout for word in ("holds", "solves", "1 solvable")] == [True] * 3


class TestWrite:
    def test_a_full_disk_keeps_the_old_file(self, tmp_path: Path) -> None:
        place = tmp_path / "a"
        for before in (None, b"before"):
            if before is not None:
                place.write_bytes(before)
            with full_disk(1000), pytest.raises(OutputError, match=os.strerror(errno.EFBIG)):
                write(place, b"x" * 100_000)
            assert names(tmp_path) == ([] if before is None else ["a"])
        assert place.read_bytes() == b"before"

    def test_an_error_while_writing_keeps_the_old_file(self, tmp_path: Path) -> None:
        place = tmp_path / "a"
        place.write_bytes(b"before")

        with pytest.raises(KeyboardInterrupt), writing(place) as file:  # noqa: PT012
            file.write(b"half")
            raise KeyboardInterrupt
        assert (names(tmp_path), place.read_bytes()) == (["a"], b"before")

    @permissions
    def test_permissions_are_kept(self, tmp_path: Path) -> None:
        new, old, plain = (tmp_path / name for name in ("new", "old", "plain"))
        old.write_text("before")
        old.chmod(0o604)
        before = os.umask(0o027)
        try:
            write(new, "after")
            write(old, "after")
            plain.write_text("after")
        finally:
            os.umask(before)
        assert (old.read_text(), old.stat().st_mode & 0o777) == ("after", 0o604)
        assert new.stat().st_mode == plain.stat().st_mode

    def test_a_read_only_file_is_not_replaced(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place = tmp_path / "a"
        place.write_text("before")
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root can write everything
        with pytest.raises(OutputError, match=os.strerror(errno.EACCES)):
            write(place, "after")
        assert (names(tmp_path), place.read_text()) == (["a"], "before")

    @pytest.mark.parametrize("there", [True, False])
    def test_a_link_stays_a_link(self, tmp_path: Path, there: bool) -> None:
        (tmp_path / "in").mkdir()
        target, link = tmp_path / "in" / "target", tmp_path / "link"
        if there:
            target.write_text("before")
        link.symlink_to("in/target")
        write(link, "after")
        assert link.is_symlink()
        assert (target.read_text(), names(tmp_path), names(tmp_path / "in")) == (
            "after",
            ["in", "link"],
            ["target"],
        )

    @pytest.mark.parametrize("there", [True, False])
    def test_a_link_out_of_its_folder_is_not_followed(self, tmp_path: Path, there: bool) -> None:
        (tmp_path / "in").mkdir()
        target, link = tmp_path / "target", tmp_path / "in" / "link"
        if there:
            target.write_text("before")
        link.symlink_to("../target")
        with pytest.raises(OutputError, match="a link out of its folder, or to itself, is not followed"):
            write(link, "after")
        assert (target.read_text() if target.exists() else None) == ("before" if there else None)
        assert names(tmp_path / "in") == ["link"]

    def test_devices_and_fifos_are_written_directly(self, fifo: Path) -> None:
        write(Path("/dev/null"), "after")
        with pytest.raises(OutputError, match=os.strerror(errno.ENOSPC)):
            write(Path("/dev/full"), "after")
        writer = threading.Thread(target=write, args=(fifo, "after"))
        writer.start()
        assert fifo.read_bytes() == b"after"
        writer.join()
        assert Path("/dev/null").is_char_device()
        assert fifo.is_fifo()

    def test_standard_output_may_be_named_as_a_file(self, tmp_path: Path) -> None:
        """A redirection still leads to the same file."""
        code = (
            "from pathlib import Path; from puzzlemc.reports.output.files import write\n"
            "write(Path('/dev/stdout'), 'after\\n')"
        )
        with (tmp_path / "out").open("wb") as file:
            subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
            assert os.fstat(file.fileno()).st_ino == (tmp_path / "out").stat().st_ino
        assert (tmp_path / "out").read_text() == "after\n"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert done.stdout == b"after\n"

    def test_a_read_only_folder_keeps_writable_files(self) -> None:
        """A writable file in it is written; a new one is an error."""
        with TemporaryDirectory() as closed:
            place = Path(closed, "a")
            place.write_text("before", encoding="utf-8")
            place.chmod(0o666)
            Path(closed).chmod(0o555)
            try:
                if is_root:
                    os.seteuid(NOBODY)
                write(place, "after")
                with pytest.raises(OutputError, match=os.strerror(errno.EACCES)):
                    write(Path(closed, "b"), "after")
            finally:
                os.seteuid(os.getuid())
            assert (place.read_text(encoding="utf-8"), names(Path(closed))) == ("after", ["a"])

    def test_a_file_that_cannot_be_replaced_is_written_in_place(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = tmp_path / "a"
        place.write_text("before it")

        def refuse(*_: object) -> None:
            raise OSError(errno.EBUSY, "a mount point")

        monkeypatch.setattr(files.os, "replace", refuse)
        write(place, "after")
        assert (names(tmp_path), place.read_text()) == (["a"], "after")

    @pytest.mark.parametrize(
        ("name", "number"), [("", errno.EISDIR), ("no/a", errno.ENOENT), ("a\0b", errno.EINVAL)]
    )
    def test_invalid_names_are_errors(self, tmp_path: Path, name: str, number: int) -> None:
        with pytest.raises(OutputError, match=os.strerror(number)):
            write(Path(f"{tmp_path}/{name}"), "after")
        with pytest.raises(OutputError):
            write(tmp_path / ("x" * 300), "after")

    def test_a_name_may_have_the_greatest_length(self, tmp_path: Path) -> None:
        write(tmp_path / ("x" * 255), "after")
        assert names(tmp_path) == ["x" * 255]


TWO = f"{ONE_PUSH}\n#####\n# @ #\n#####\nTitle: Broken\n"


@pytest.fixture
def levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of two levels, one of them broken, with a symbolic link to it and a hard link."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.xsb").write_text(TWO)
    (tmp_path / "link.xsb").symlink_to("both.xsb")
    (tmp_path / "same.xsb").hardlink_to("both.xsb")
    return tmp_path / "both.xsb"


class TestInputs:
    @pytest.mark.parametrize("output", ["both.xsb", "link.xsb", "same.xsb", "./both.xsb"])
    @pytest.mark.parametrize(
        "command",
        [
            ("convert", "both.xsb", "{}"),
            ("convert", "both.xsb", "-o", "{}"),
            ("convert", "both.xsb#1", "{}", "--in-place"),
            ("convert", ".", "{}"),
            ("solve", "both.xsb#1", "--format", "lurd", "-o", "{}"),
            ("export", "both.xsb#1", "--to", "smv", "-o", "{}"),
            ("batch", "both.xsb", "--store", "s.sqlite", "--junit", "{}"),
        ],
        ids=" ".join,
    )
    def test_an_input_is_never_overwritten(self, levels: Path, command: tuple[str, ...], output: str) -> None:
        done = puzzlemc(*(part.format(output) for part in command))
        assert (done.returncode, "is also read" in done.stderr.replace("\n", " ")) == (2, True), done.stderr
        assert levels.read_text(encoding="utf-8") == TWO
        assert levels.samefile("same.xsb")

    def test_certificates_and_traces_in_a_folder_overwrite_no_input(self, levels: Path) -> None:
        (levels.parent / "both.xsb-1.cert").write_text(ONE_PUSH)
        (levels.parent / "both.xsb-1.lurd").write_text(ONE_PUSH)
        asked = ("--puzzle", "sokoban", "both.xsb-1.cert", "both.xsb-1.lurd", "both.xsb#1")
        for more in (("--certificate", "."), ("--format", "lurd", "-o", ".")):
            done = puzzlemc("solve", *asked, *more)
            assert (done.returncode, "is also read" in done.stderr) == (2, True), done.stderr
        assert (levels.parent / "both.xsb-1.cert").read_text() == ONE_PUSH

    def test_an_unread_level_file_is_no_input(self, levels: Path) -> None:
        (levels.parent / "other.slc").write_text("old")
        assert puzzlemc("convert", "both.xsb#1", "other.slc").returncode == 0
        assert "One push" in (levels.parent / "other.slc").read_text()

    def test_a_file_may_be_changed_in_place(self, levels: Path) -> None:
        for arguments in (("both.xsb", "--in-place"), ("both.xsb", "same.xsb", "--in-place")):
            done = puzzlemc("convert", *arguments)
            assert (done.returncode, "not replaced" in done.stderr) == (2, True)
            assert levels.read_text(encoding="utf-8") == TWO
        levels.write_text(f"; a remark\n\n{ONE_PUSH}\n\n\n", encoding="utf-8")
        assert puzzlemc("convert", "both.xsb", "--in-place").returncode == 0
        assert [entry.title for entry in load([levels])] == ["One push"]
        done = puzzlemc("convert", "both.xsb")
        assert (done.returncode, "expected a file to write to" in done.stderr) == (2, True)
        done = puzzlemc("convert", "both.xsb", "both.xsb")
        assert (done.returncode, "--in-place to replace it" in " ".join(done.stderr.split())) == (2, True)
        done = puzzlemc("convert", "both.xsb", "a.slc", "-o", "b.slc")
        assert (done.returncode, names(levels.parent)) == (2, ["both.xsb", "link.xsb", "same.xsb"])

    def test_a_page_does_not_overwrite_its_store(self, levels: Path) -> None:
        puzzlemc("batch", "both.xsb#1", "--store", "s.sqlite", "--quiet")
        os.link("s.sqlite", "s.html")
        for option in (("--report", "s.html"), ("--parquet", "s.html")):
            done = puzzlemc("results", "s.sqlite", *option)
            assert (done.returncode, "is also read" in done.stderr) == (2, True)


def test_reports_on_a_full_disk_are_errors(levels: Path) -> None:
    page = levels.parent / "page.html"
    page.write_text("before")
    command = ["bash", "-c", 'ulimit -f 16; exec "$0" "$@"', *PROGRAM, "report", "both.xsb#1", "-o", page]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "page.html: File too large" in done.stderr) == (2, True), done.stderr
    assert page.read_text() == "before"
    assert names(levels.parent) == ["both.xsb", "link.xsb", "page.html", "same.xsb"]


def test_a_full_disk_keeps_generated_levels(tmp_path: Path) -> None:
    """The old file stays until a level is complete; a level without space keeps those before it."""
    made = tmp_path / "new.xsb"
    made.write_text("before")
    with closing(_Sheet(made)) as sheet, full_disk(8), pytest.raises(OutputError):
        sheet.write(ONE_PUSH)
    assert (made.read_text(), names(tmp_path)) == ("before", ["new.xsb"])
    with closing(_Sheet(made)) as sheet, full_disk(len(ONE_PUSH) + 8):
        sheet.write(ONE_PUSH)
        assert made.read_text() == ONE_PUSH
        with pytest.raises(OutputError):
            sheet.write(f"\n{ONE_PUSH}")
    assert (made.read_text(), names(tmp_path)) == (ONE_PUSH, ["new.xsb"])
