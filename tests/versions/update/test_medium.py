"""kb.versions.update.medium: a stick is read with suspicion."""

from __future__ import annotations

import errno
import hashlib
import os
import threading
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions.update import medium

TABLE = r"""/dev/sda1 / ext4 rw 0 0
/dev/sdb1 /media/anna/ALMANAC\0402 vfat rw 0 0
/dev/sdc1 /run/media/anna/\344\275\240 exfat rw 0 0
tmpfs /run/media tmpfs rw 0 0
//server/share /mnt/share cifs rw 0 0
/dev/sdd1 /mnt/stick ntfs3 ro 0 0
broken
"""


def test_removable_media_are_those_where_systems_mount_them() -> None:
    found = [str(path) for path in medium.mounted(TABLE)]
    assert found[0] == "/media/anna/ALMANAC 2"
    assert "/mnt/stick" in found
    assert len(found) == 3


def test_a_chinese_mount_point_is_read_as_it_is() -> None:
    [found] = medium.mounted("/dev/sdb1 /media/更新\\040盘 vfat rw 0 0")
    assert str(found) == "/media/更新 盘"


def test_media_that_are_mounted_now_are_folders() -> None:
    assert all(path.is_dir() for path in medium.places())


def test_only_plain_files_are_seen(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    (stick / "almanac").mkdir(parents=True)
    (stick / "a.bundle").write_bytes(b"a")
    (stick / "almanac" / "b.bundle").write_bytes(b"b")
    (stick / ".hidden").write_bytes(b"h")
    (stick / "deep").mkdir()
    (stick / "deep" / "c.bundle").write_bytes(b"c")
    (tmp_path / "outside").write_bytes(b"secret")
    (stick / "link.bundle").symlink_to(tmp_path / "outside")
    os.mkfifo(stick / "pipe.bundle")
    assert [path.name for path in medium.files(stick)] == ["a.bundle", "b.bundle"]


def test_the_folder_for_updates_may_not_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.bundle").write_bytes(b"a")
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "almanac").symlink_to(tmp_path / "outside")
    assert medium.files(stick) == []


def test_a_medium_that_is_not_there_or_too_full_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AlmanacError) as caught:
        medium.files(tmp_path / "gone")
    assert caught.value.key == "update_medium"
    monkeypatch.setattr(medium, "_MOST_FILES", 2)
    for number in range(3):
        (tmp_path / f"{number}").write_bytes(b"")
    with pytest.raises(AlmanacError) as caught:
        medium.files(tmp_path)
    assert caught.value.key == "update_too_many"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_plain_file_is_not_opened(tmp_path: Path, kind: str) -> None:
    (tmp_path / "outside").write_bytes(b"secret")
    path = tmp_path / "a"
    if kind == "link":
        path.symlink_to(tmp_path / "outside")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(AlmanacError) as caught:
        medium.read(path)
    assert caught.value.key == "update_not_plain"


def test_a_copy_appears_only_when_it_was_agreed_to(tmp_path: Path) -> None:
    data = os.urandom(3_000_000)
    path, target = tmp_path / "a", tmp_path / "home" / "b"
    path.write_bytes(data)
    seen: list[int] = []

    def refuse(digests: medium.Digests) -> None:
        assert not target.exists()
        raise AlmanacError("update_digest", path=path)

    with pytest.raises(AlmanacError, match="a"):
        medium.copy(path, target, refuse)
    assert list(target.parent.iterdir()) == []
    digests = medium.copy(path, target, lambda digests: None, lambda done, size: seen.append(done), mode=0o755)
    assert digests == medium.Digests(hashlib.sha256(data).hexdigest(), hashlib.blake2b(data).digest(), len(data))
    assert target.read_bytes() == data and target.stat().st_mode & 0o777 == 0o755
    assert seen[-1] == len(data)


def test_a_stick_that_is_pulled_is_not_the_disks_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second read fails, as one of a device that is gone does."""
    path, target = tmp_path / "a", tmp_path / "home" / "b"
    path.write_bytes(b"x" * 3_000_000)
    real = os.fdopen

    def pulled(handle: int, *rest: object) -> object:
        file = real(handle, *rest)  # type: ignore[call-overload]
        if rest == ("rb",):
            reads = iter((file.read(1000),))

            class Pulled:
                def __enter__(self) -> Pulled:
                    return self

                def __exit__(self, *problem: object) -> None:
                    file.close()

                def fileno(self) -> int:
                    return int(file.fileno())

                def read(self, size: int) -> bytes:
                    try:
                        return bytes(next(reads))
                    except StopIteration:
                        raise OSError(errno.EIO, os.strerror(errno.EIO)) from None

            return Pulled()
        return file

    monkeypatch.setattr(os, "fdopen", pulled)
    with pytest.raises(AlmanacError) as caught:
        medium.copy(path, target, lambda digests: None)
    assert caught.value.key == "update_medium" and caught.value.params["path"] == path
    assert list(target.parent.iterdir()) == []


def test_reading_stops_when_it_is_told_to(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 10)
    stop = threading.Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        medium.read(tmp_path / "a", stop=stop)


def test_digests_are_taken_from_the_files_beside(tmp_path: Path) -> None:
    path = tmp_path / "a b.bundle"
    one, two = "1" * 64, "2" * 64
    assert medium.noted_digests(path) == set()
    own, listed = tmp_path / "a b.bundle.sha256", tmp_path / "SHA256SUMS"
    own.write_text(f"{one}  a b.bundle\n")
    assert medium.noted_digests(path) == {one}
    own.write_text(one)
    assert medium.noted_digests(path) == {one}
    listed.write_text(f"{two}  other\n{two} *a b.bundle\r\n{two}  ../a b.bundle\n")
    assert medium.noted_digests(path) == {one, two}
    own.unlink()
    assert medium.noted_digests(path) == {two}


@pytest.mark.parametrize("text", ["", "not a digest", "1" * 64 + "  other.bundle", "1" * 63])
def test_a_digest_file_without_the_digest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.sha256").write_text(text)
    with pytest.raises(AlmanacError) as caught:
        medium.noted_digests(tmp_path / "a")
    assert caught.value.key == "update_side_file"


def test_a_digest_file_that_is_a_link_or_endless_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("1" * 64)
    (tmp_path / "a.sha256").symlink_to(tmp_path / "outside")
    with pytest.raises(AlmanacError) as caught:
        medium.noted_digests(tmp_path / "a")
    assert caught.value.key == "update_not_plain"
    with (tmp_path / "b.sha256").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(AlmanacError) as caught:
        medium.noted_digests(tmp_path / "b")
    assert caught.value.key == "update_side_file"
