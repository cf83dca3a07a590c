"""Levels in compressed files and archives, including hostile ones."""

import gzip
import io
import json
import struct
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from command import ONE_PUSH, as_json, puzzlemc

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.screens.base import archive, source

OTHER = "######\n#@$ .#\n######\nTitle: Other\n"
ROOM = "#####\n#@$.#\n#####\n"
TWO = f"{ONE_PUSH}\n{OTHER}"
MEMBERS: dict[str, str | bytes] = {
    "b/y.sok": OTHER,
    "z.xsb": TWO,
    "readme.md": OTHER,
    "read.txt": "nothing of this kind",
    "a.txt": OTHER,
    ".hidden.xsb": OTHER,
    "__MACOSX/._z.xsb": OTHER,
    "b/in#ner.xsb#1.xsb": OTHER,
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def packed(members: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as file:
        for name, text in members.items():
            file.writestr(name, text)
    return data.getvalue()


def outcomes(*arguments: str) -> list[tuple[str, str]]:
    """Return the id of each level with its title, or with its error."""
    return [(each.id, each.title if each.error is None else str(each.error)) for each in load(arguments)]


def refused(argument: str) -> str:
    """Return the message of an argument that gives one error."""
    (entry,) = load([argument])
    assert entry.error is not None
    return str(entry.error)


def ids(entries: list[Entry]) -> list[str]:
    return [entry.id for entry in entries]


class TestGzip:
    def test_a_compressed_file_has_the_levels_of_its_content(self) -> None:
        Path("a.xsb.gz").write_bytes(gzip.compress(TWO.encode()))
        Path("b.GZ").write_bytes(gzip.compress(OTHER.encode()) + gzip.compress(b"\nAuthor: me\n"))
        assert outcomes("a.xsb.gz") == [("a.xsb.gz#1", "One push"), ("a.xsb.gz#2", "Other")]
        assert outcomes("b.GZ", "a.xsb.gz#Other") == [("b.GZ#1", "Other"), ("a.xsb.gz#2", "Other")]

    def test_compressed_files_in_a_folder_are_read(self) -> None:
        Path("a.xsb.gz").write_bytes(gzip.compress(TWO.encode()))
        Path("b.txt.gz").write_bytes(gzip.compress(OTHER.encode("utf-16")))
        Path("c.txt.gz").write_bytes(gzip.compress(b"nothing of this kind"))
        Path("d.gz").write_bytes(gzip.compress(OTHER.encode()))
        assert ids(load(["."])) == ["./a.xsb.gz#1", "./a.xsb.gz#2", "./b.txt.gz#1"]

    def test_a_bomb_is_refused(self) -> None:
        Path("a.xsb.gz").write_bytes(gzip.compress(bytes(source.MAX_BYTES + 1)))
        expected = f"a.xsb.gz: expands to more than {source.MAX_BYTES} bytes, expected a file of levels"
        assert refused("a.xsb.gz") == expected

    def test_a_broken_file_is_refused(self) -> None:
        data = gzip.compress(TWO.encode())
        for number, bad in enumerate(
            (data[:-9], data[:12], data[:15] + b"\xff" * 9 + data[24:], data[:-8] + bytes(8))
        ):
            Path(f"{number}.xsb.gz").write_bytes(bad)
            assert refused(f"{number}.xsb.gz").startswith(f"{number}.xsb.gz: cannot be expanded: ")

    def test_a_compressed_file_in_a_compressed_file_is_refused(self) -> None:
        Path("a.xsb.gz").write_bytes(gzip.compress(gzip.compress(TWO.encode())))
        assert refused("a.xsb.gz") == "a.xsb.gz: found an archive in an archive, expected a file of levels"


class TestZip:
    @pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
    def test_an_archive_is_read_like_a_folder(self, method: int) -> None:
        Path("a.zip").write_bytes(packed(MEMBERS, method))
        expected = [
            ("a.zip/a.txt#1", "Other"),
            ("a.zip/z.xsb#1", "One push"),
            ("a.zip/z.xsb#2", "Other"),
            ("a.zip/b/in#ner.xsb#1.xsb#1", "Other"),
            ("a.zip/b/y.sok#1", "Other"),
        ]
        assert outcomes("a.zip") == expected
        assert outcomes(*(id for id, _ in expected)) == expected
        assert outcomes(".") == [(f"./{id}", title) for id, title in expected]

    def test_members_can_be_named(self) -> None:
        Path("a.zip").write_bytes(packed(MEMBERS))
        assert outcomes("a.zip/z.xsb#2", "a.zip/readme.md") == [
            ("a.zip/z.xsb#2", "Other"),
            ("a.zip/readme.md#1", "Other"),
        ]
        assert outcomes("a.zip/z.xsb#Other", "a.zip/b/in#ner.xsb#1.xsb#Other") == [
            ("a.zip/z.xsb#2", "Other"),
            ("a.zip/b/in#ner.xsb#1.xsb#1", "Other"),
        ]
        no_such = "found no such file in the archive, expected one that it holds"
        assert refused("a.zip/no.xsb") == f"a.zip/no.xsb: {no_such}"
        assert refused("a.zip/no.xsb#3") == f"a.zip/no.xsb: {no_such}"
        assert refused("a.zip/b") == f"a.zip/b: {no_such}"

    def test_levels_of_the_only_file_can_be_named(self) -> None:
        Path("a.zip").write_bytes(packed({"z.xsb": TWO, "readme.md": ""}))
        Path("b.zip").write_bytes(packed({"z.xsb": TWO, "a.xsb": TWO}))
        assert outcomes("a.zip#2", "a.zip#One push") == [("a.zip/z.xsb#2", "Other"), ("a.zip/z.xsb#1", "One push")]
        expected = "found 2 files of levels, expected one of them before #2, such as b.zip/a.xsb#2"
        assert refused("b.zip#2") == f"b.zip: {expected}"

    def test_an_archive_without_levels_is_an_error(self) -> None:
        Path("a.zip").write_bytes(packed({"readme.md": OTHER}))
        Path("b.zip").write_bytes(packed({}))
        assert refused("a.zip").startswith("a.zip: found no level file in this archive, expected .xsb")
        assert refused("b.zip").startswith("b.zip: found no level file in this archive, expected .xsb")
        Path("good.xsb").write_text(OTHER, encoding="utf-8")
        assert outcomes(".") == [("./good.xsb#1", "Other")]

    def test_an_archive_may_come_from_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def put() -> None:
            monkeypatch.setattr(
                sys,
                "stdin",
                io.TextIOWrapper(io.BytesIO(packed({"z.xsb": TWO, "a.xsb": OTHER})), encoding="utf-8"),
            )

        put()
        expected = [("-/a.xsb#1", "Other"), ("-/z.xsb#1", "One push"), ("-/z.xsb#2", "Other")]
        assert outcomes("-") == expected
        put()
        assert outcomes("-/z.xsb#2", "-", "-/a.xsb") == [expected[2], *expected, expected[0]]
        code, rows = as_json("check", "-/z.xsb#2", text=packed({"z.xsb": TWO}))
        assert (code, [row["id"] for row in rows]) == (0, ["-/z.xsb#2"])

    def test_the_declared_size_of_a_member_is_checked_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.zip").write_bytes(packed({"a.xsb": bytes(source.MAX_BYTES + 1), "b.xsb": OTHER}))
        opened: list[str] = []
        real = zipfile.ZipFile.open
        monkeypatch.setattr(
            zipfile.ZipFile, "open", lambda self, member: opened.append(member.filename) or real(self, member)
        )
        assert outcomes("a.zip") == [
            (
                "a.zip/a.xsb",
                f"a.zip/a.xsb: expands to {source.MAX_BYTES + 1} bytes, expected at most {source.MAX_BYTES}",
            ),
            ("a.zip/b.xsb#1", "Other"),
        ]
        assert opened == ["b.xsb"]

    def test_a_member_that_declares_a_smaller_size_is_refused(self) -> None:
        """Data beyond the declared size is never expanded; the checksum reveals it."""
        data = packed({"a.xsb": OTHER + "\n" * 10_000_000})
        real, claimed = struct.pack("<L", len(OTHER) + 10_000_000), struct.pack("<L", len(OTHER))
        assert data.count(real) == 2
        Path("a.zip").write_bytes(data.replace(real, claimed))
        assert refused("a.zip") == "a.zip/a.xsb: cannot be expanded: Bad CRC-32 for file 'a.xsb'"

    def test_the_sum_of_the_sizes_of_members_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(archive, "MAX_EXPANDED", 2 * len(OTHER))
        Path("a.zip").write_bytes(packed(dict.fromkeys(("a.xsb", "b.xsb", "c.xsb", "d.xsb"), OTHER)))
        *good, one, other = outcomes("a.zip")
        assert good == [("a.zip/a.xsb#1", "Other"), ("a.zip/b.xsb#1", "Other")]
        assert (
            one[1]
            == other[1]
            == f"a.zip: expands to more than {2 * len(OTHER)} bytes in all, expected an archive of levels"
        )

    def test_the_number_of_members_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data = packed({f"{number}.xsb": OTHER for number in range(10)})
        monkeypatch.setattr(archive, "MAX_DIRECTORY", 100)
        monkeypatch.setattr(zipfile, "ZipFile", None)
        Path("a.zip").write_bytes(data)
        assert refused("a.zip").startswith("a.zip: found a list of members of ")

    def test_archives_in_an_archive_are_errors(self) -> None:
        inner = packed({"a.xsb": OTHER})
        members = {"a.zip": inner, "b.xsb.gz": gzip.compress(OTHER.encode()), "c.xsb": inner, "d.xsb": OTHER}
        Path("a.zip").write_bytes(packed(members))
        *bad, good = outcomes("a.zip")
        assert [message for _, message in bad] == [
            f"a.zip/{name}: found an archive in an archive, expected a file of levels"
            for name in ("a.zip", "b.xsb.gz", "c.xsb")
        ]
        assert good == ("a.zip/d.xsb#1", "Other")

    def test_encrypted_and_unusual_members_are_errors(self) -> None:
        data = packed({"a.xsb": OTHER}, zipfile.ZIP_STORED)
        at = data.index(b"PK\x01\x02")
        locked = data[:6] + b"\x01" + data[7 : at + 8] + b"\x01" + data[at + 9 :]
        Path("a.zip").write_bytes(locked)
        assert refused("a.zip") == "a.zip/a.xsb: is encrypted, expected a member without a password"
        Path("b.zip").write_bytes(packed({"a.xsb": OTHER}, zipfile.ZIP_LZMA))
        assert refused("b.zip") == "b.zip/a.xsb: is packed by method 14, expected deflated or stored"

    def test_a_broken_archive_is_refused(self) -> None:
        data = packed({"a.xsb": TWO})
        at = data.index(b"PK\x01\x02")
        for number, bad in enumerate((data[:-1], data[:-30], data[:4], data[:at] + b"x" + data[at + 1 :])):
            Path(f"{number}.zip").write_bytes(bad)
            assert refused(f"{number}.zip").startswith(f"{number}.zip: cannot be expanded: "), number
        Path("a.zip").write_bytes(data[:40] + b"\xff\xff\xff" + data[43:])
        assert refused("a.zip").startswith("a.zip/a.xsb: cannot be expanded: ")

    def test_members_of_one_name_are_refused(self) -> None:
        Path("a.zip").write_bytes(packed({"a.xsb": TWO, "b.xsb": OTHER}).replace(b"b.xsb", b"a.xsb"))
        assert refused("a.zip") == "a.zip/a.xsb: found 2 members of that name, expected names that differ"

    def test_names_of_members_are_no_paths(self, folder: Path) -> None:
        """Names of members are never used as paths, neither for reading nor for writing."""
        names = ["../out.xsb", "/etc/out.xsb", "a\\..\\b.xsb", "a\nb.xsb", "c/../../d.xsb"]
        Path("a.zip").write_bytes(packed(dict.fromkeys(names, OTHER)))
        code, rows = as_json("check", "a.zip", "--certificate", "proofs")
        expected = [f"a.zip/{name}#1" for name in (names[3], names[2], names[0], names[1], names[4])]
        assert (code, sorted(row["id"] for row in rows)) == (0, sorted(expected))
        assert ids(load(expected)) == expected
        assert len(list(folder.rglob("*.cert"))) == 5
        assert all(path.parent == folder / "proofs" for path in folder.rglob("*.cert"))


def unflagged(name: str, extra: bytes, system: int) -> bytes:
    """A `.zip` file with one member, whose name is in UTF-8 without the UTF-8 flag."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        member = zipfile.ZipInfo("x" * len(name.encode()))
        member.extra, member.create_system = extra, system
        file.writestr(member, OTHER)
    return data.getvalue().replace(member.filename.encode(), name.encode())


class TestNamesInZip:
    def field(self, raw: str, name: str) -> bytes:
        content = struct.pack("<BL", 1, zlib.crc32(raw.encode())) + name.encode()
        return struct.pack("<HH", 0x7075, len(content)) + content

    @pytest.mark.parametrize(
        ("system", "field_name", "expected"),
        [(0, "grün.xsb", "grün.xsb"), (0, "", "├╝.xsb"), (3, "", "ü.xsb"), (3, "grün.xsb", "grün.xsb")],
    )
    def test_a_name_without_the_flag_is_decoded(self, system: int, field_name: str, expected: str) -> None:
        extra = struct.pack("<HHL", 0x9999, 4, 7) + (self.field("ü.xsb", field_name) if field_name else b"")
        Path("a.zip").write_bytes(unflagged("ü.xsb", extra, system))
        assert ids(load("a.zip")) == [f"a.zip/{expected}#1"]
        assert ids(load(f"a.zip/{expected}")) == [f"a.zip/{expected}#1"]

    def test_a_field_about_another_name_is_ignored(self) -> None:
        Path("a.zip").write_bytes(unflagged("ü.xsb", self.field("other", "grün.xsb"), 0))
        Path("b.zip").write_bytes(unflagged("ü.xsb", b"\x75\x70\xff", 0))
        assert ids(load(["a.zip", "b.zip"])) == ["a.zip/├╝.xsb#1", "b.zip/├╝.xsb#1"]


def tarred(members: dict[str, str | bytes], mode: str = "w:gz") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as file:  # type: ignore[call-overload]
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            content = text if isinstance(text, bytes) else text.encode()
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return data.getvalue()


class TestTar:
    @pytest.mark.parametrize(("name", "mode"), [("a.tgz", "w:gz"), ("a.tar.gz", "w:gz"), ("a.tar", "w:")])
    def test_an_archive_is_read_like_a_folder(self, name: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
        data = tarred({f"./{member}": text for member, text in MEMBERS.items()}, mode)
        Path(name).write_bytes(data)
        expected = [
            (f"{name}/a.txt#1", "Other"),
            (f"{name}/z.xsb#1", "One push"),
            (f"{name}/z.xsb#2", "Other"),
            (f"{name}/b/in#ner.xsb#1.xsb#1", "Other"),
            (f"{name}/b/y.sok#1", "Other"),
        ]
        assert outcomes(name) == expected
        assert outcomes(*(id for id, _ in expected)) == expected
        assert outcomes(".") == [(f"./{id}", title) for id, title in expected]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        assert outcomes("-/z.xsb#2") == [("-/z.xsb#2", "Other")]

    def test_members_that_are_no_files_are_skipped(self) -> None:
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w:gz") as file:
            for name, kind in (
                ("a.xsb", tarfile.SYMTYPE),
                ("b.xsb", tarfile.FIFOTYPE),
                ("c.xsb", tarfile.LNKTYPE),
            ):
                member = tarfile.TarInfo(name)
                member.type, member.linkname = kind, "/etc/passwd"
                file.addfile(member)
        Path("a.tgz").write_bytes(data.getvalue())
        assert refused("a.tgz").startswith("a.tgz: found no level file in this archive")

    def test_sizes_and_numbers_of_members_are_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        large = source.MAX_BYTES + 1
        Path("a.tgz").write_bytes(tarred({"a.xsb": bytes(large), "b.xsb": OTHER}))
        assert outcomes("a.tgz") == [
            ("a.tgz/a.xsb", f"a.tgz/a.xsb: expands to {large} bytes, expected at most {source.MAX_BYTES}"),
            ("a.tgz/b.xsb#1", "Other"),
        ]
        monkeypatch.setattr(archive, "MAX_MEMBERS", 1)
        assert refused("a.tgz") == "a.tgz: found more than 1 members, expected an archive of levels"
        monkeypatch.setattr(archive, "MAX_EXPANDED", 10_000)
        expected = "a.tgz: expands to more than 10000 bytes in all, expected an archive of levels"
        assert refused("a.tgz") == expected

    def test_inner_archives_and_duplicate_names_are_errors(self) -> None:
        inner = tarred({"a.xsb": OTHER})
        Path("a.tgz").write_bytes(
            tarred({"a.tgz": inner, "b.xsb": tarred({"a.xsb": OTHER}, "w:"), "c.xsb": OTHER})
        )
        *bad, good = outcomes("a.tgz")
        assert [message for _, message in bad] == [
            f"a.tgz/{name}: found an archive in an archive, expected a file of levels"
            for name in ("a.tgz", "b.xsb")
        ]
        assert good == ("a.tgz/c.xsb#1", "Other")
        Path("b.tgz").write_bytes(tarred({"a.xsb": OTHER, "./a.xsb": OTHER}))
        assert refused("b.tgz") == "b.tgz/a.xsb: found 2 members of that name, expected names that differ"

    def test_a_broken_archive_is_refused(self) -> None:
        data, plain = tarred({"a.xsb": TWO}), tarred({"a.xsb": TWO}, "w:")
        for number, bad in enumerate((data[:60], data[:-9], plain[:600], plain[:148] + b"x" + plain[149:])):
            Path(f"{number}.tgz").write_bytes(bad)
            assert "cannot be expanded" in refused(f"{number}.tgz"), number


def test_json_files_in_a_folder_are_read_if_they_are_levels() -> None:
    """Certificates, reports and other JSON are skipped, even if they contain a level."""
    factorio = Path(source.__file__).parents[1] / "levels" / "factorio" / "first_belts.factorio"
    puzzlemc("convert", f"{factorio}#1", "level.json")
    Path("other.json").write_text('{"recipes": [], "a": 1}', encoding="utf-8")
    Path("broken.json").write_text('{"a"', encoding="utf-8")
    for path in sorted((Path(source.__file__).parents[1] / "levels").glob("*/*")):
        text = path.read_text(encoding="utf-8")
        Path(f"{path.name}.json").write_text(
            json.dumps({"level": text.split("\n"), "text": text}, indent=1), encoding="utf-8"
        )
    assert outcomes(".") == [("./level.json#1", "From here to there")]


def test_json_levels_keep_title_and_author() -> None:
    factorio = Path(source.__file__).parents[1] / "levels" / "factorio" / "first_belts.factorio"
    done = puzzlemc("convert", f"{factorio}#1", "level.json")
    assert (done.returncode, done.stderr) == (0, "level.json: lost: the comment of all levels\n")
    assert puzzlemc("convert", "level.json", "-o", "level.factorio").returncode == 0
    (entry,) = load("level.factorio")
    assert (entry.title, entry.level.title, entry.level.author) == ("From here to there",) * 2 + ("puzzlemc",)


def test_a_line_of_punctuation_is_no_title() -> None:
    Path("a.xsb").write_text(f"; ====\n{ROOM}\n; 4\n{ROOM}\n; --- \n\n{ROOM}\n; ****\n\n{ROOM}", encoding="utf-8")
    assert [title for _, title in outcomes("a.xsb")] == ["", "4", "", ""]
