"""kb.versions.bundle: what is no bundle, is damaged or would do harm is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import AlmanacError, KnowledgeError
from kb.versions import bundle
from tests.helpers import git, write
from tests.versions.conftest import Base


def _ignore(_: float) -> None:
    """Progress that nobody watches."""


def _unpack(base: Base, path: Path, folder: Path) -> dict[str, str]:
    return bundle.unpack(base.git, path, folder, _ignore, _ignore)


@pytest.fixture
def made(base: Base, tmp_path: Path) -> Path:
    """A bundle of everything, made by git alone."""
    path = tmp_path / "all.bundle"
    git(base.root, "bundle", "create", str(path), "--all", "HEAD")
    return path


def test_the_header_names_every_reference(base: Base, made: Path) -> None:
    found = bundle.read_header(made)
    assert found.size == made.stat().st_size
    assert found.references.keys() == {"HEAD", "refs/heads/main", "refs/heads/draft", "refs/tags/kb-1.0.0"}
    assert found.references["HEAD"] == git(base.root, "rev-parse", "HEAD").strip()


def test_a_bundle_is_cloned_whole(base: Base, made: Path, tmp_path: Path) -> None:
    found = _unpack(base, made, tmp_path / "clone")
    assert found == bundle.references(base.git, base.root)
    assert bundle.references_digest(found) == bundle.references_digest(dict(reversed(found.items())))
    assert bundle.references_digest(found) != bundle.references_digest(found | {"refs/heads/main": "0" * 40})


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "bundle_foreign"),
        (b"%PDF-1.7\n", "bundle_foreign"),
        (b"# v9 git bundle\n\n", "bundle_foreign"),
        (b"# v2 git bundle\n", "bundle_cut"),
        (b"# v2 git bundle\n\n", "bundle_empty"),
        (b"# v2 git bundle\n" + b"0" * 40 + b" HEAD\n", "bundle_cut"),
        (b"# v2 git bundle\n" + b"0" * 40 + b" HEAD\n\nPACK", "bundle_cut"),
        (b"# v2 git bundle\n" + b"0" * 40 + b" HEAD\n\nKCAP" + b"0" * 50, "bundle_cut"),
        (b"# v2 git bundle\n-" + b"0" * 40 + b" x\n", "bundle_incremental"),
        (b"# v2 git bundle\n" + b"0" * 40 + b" refs/heads/../../x\n\n", "bundle_foreign"),
        (b"# v2 git bundle\n" + b"0" * 40 + b" --output=x\n\n", "bundle_foreign"),
        (b"# v3 git bundle\n@filter=blob:none\n", "bundle_foreign"),
        (b"# v2 git bundle\n" + b"x" * 10_000, "bundle_cut"),
    ],
)
def test_what_is_no_whole_bundle_is_refused_by_its_header(tmp_path: Path, content: bytes, key: str) -> None:
    path = write(tmp_path, "x.bundle", content)
    with pytest.raises(KnowledgeError) as caught:
        bundle.read_header(path)
    assert caught.value.key == key


@given(st.binary(max_size=300))
def test_any_bytes_are_a_header_or_a_reason(tmp_path_factory: pytest.TempPathFactory, tail: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.bundle"
    for start in (b"", b"# v2 git bundle\n", b"# v3 git bundle\n" + b"1" * 40 + b" refs/heads/x\n"):
        path.write_bytes(start + tail)
        try:
            assert bundle.read_header(path).references
        except AlmanacError as error:
            assert error.key.startswith("bundle_")


@pytest.mark.parametrize("place", [0.05, 0.3, 0.5, 0.7, 0.95, 1.0])
def test_a_flipped_byte_is_found_wherever_it_is(base: Base, made: Path, tmp_path: Path, place: float) -> None:
    data = bytearray(made.read_bytes())
    data[min(int(len(data) * place), len(data) - 1)] ^= 0x01
    made.write_bytes(bytes(data))
    with pytest.raises(KnowledgeError):
        _unpack(base, made, tmp_path / "clone")


@pytest.mark.parametrize("kept", [0.2, 0.6, 0.99])
def test_a_cut_bundle_is_refused(base: Base, made: Path, tmp_path: Path, kept: float) -> None:
    made.write_bytes(made.read_bytes()[: int(made.stat().st_size * kept)])
    with pytest.raises(KnowledgeError):
        _unpack(base, made, tmp_path / "clone")


def test_a_bundle_that_needs_another_is_refused(base: Base, tmp_path: Path) -> None:
    path = tmp_path / "part.bundle"
    git(base.root, "bundle", "create", str(path), "main~1..main")
    with pytest.raises(KnowledgeError) as caught:
        _unpack(base, path, tmp_path / "clone")
    assert caught.value.key == "bundle_incremental"


def test_the_digest_is_that_of_sha256sum(made: Path) -> None:
    seen: list[float] = []
    assert len(bundle.file_digest(made, seen.append)) == 64
    assert seen[-1] == 1.0
    with pytest.raises(AlmanacError):
        bundle.file_digest(made.with_name("none"))


def _tree(base: Base, entries: str) -> str:
    """A commit whose tree git's own checks would not make."""
    tree = base.git.run(base.root, "mktree", "--missing", stdin=entries.encode()).strip()
    return git(base.root, "commit-tree", "-m", "x", tree).strip()


def _blob(base: Base, content: str) -> str:
    return base.git.run(base.root, "hash-object", "-w", "--stdin", stdin=content.encode()).strip()


def test_a_healthy_tree_passes_and_its_size_is_told(base: Base) -> None:
    (base.root / "images").mkdir()
    (base.root / "images" / "link.md").symlink_to("../a.md")
    base.commit("b.md", "12345", "docs(b): link inside")
    plain = sum(path.stat().st_size for path in base.root.rglob("*.md") if not path.is_symlink())
    assert bundle.check_tree(base.git, base.root, "HEAD", base.root) == plain + len("../a.md")


@pytest.mark.parametrize(
    "target",
    [
        "/etc/passwd",
        "../x",
        "a/../../x",
        "b/../../../x",
        "..",
        "C:\\x",
        "\\\\server\\x",
        "~/x",
        "",
        ".git/config",
        "d/../x",
    ],
)
def test_a_link_that_leads_out_is_refused(base: Base, target: str) -> None:
    commit = _tree(base, f"120000 blob {_blob(base, target)}\tlink\n")
    with pytest.raises(KnowledgeError) as caught:
        bundle.check_tree(base.git, base.root, commit, base.root)
    assert caught.value.key == "bundle_bad_path"


@pytest.mark.parametrize("name", [".git", ".GIT", "git~1", ".git ", ".git.", ".g\u200cit", "..", "."])
def test_a_name_with_another_meaning_is_refused(base: Base, name: str) -> None:
    commit = _tree(base, f"100644 blob {_blob(base, 'x')}\t{name}\n")
    with pytest.raises(KnowledgeError):
        bundle.check_tree(base.git, base.root, commit, base.root)


def test_a_submodule_is_refused(base: Base) -> None:
    commit = _tree(base, f"160000 commit {git(base.root, 'rev-parse', 'HEAD').strip()}\tsub\n")
    with pytest.raises(KnowledgeError) as caught:
        bundle.check_tree(base.git, base.root, commit, base.root)
    assert caught.value.key == "bundle_submodule"


def test_a_repository_within_the_tree_is_refused(base: Base) -> None:
    """Whoever starts git in such a folder obeys its settings."""
    for name in ("sub/HEAD", "sub/objects/x", "sub/refs/x"):
        write(base.root, name, "ref: refs/heads/main\n")
    base.commit("sub/config", "[core]\n\tfsmonitor = /bin/evil\n", "docs(x): hidden")
    with pytest.raises(KnowledgeError):
        bundle.check_tree(base.git, base.root, "HEAD", base.root)


def test_no_space_is_said_as_such(base: Base, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.fsio.free_mb", lambda folder: 0)
    shutil.copy(made, tmp_path / "cut.bundle")
    (tmp_path / "cut.bundle").write_bytes(made.read_bytes()[:-30])
    with pytest.raises(AlmanacError) as caught:
        _unpack(base, tmp_path / "cut.bundle", tmp_path / "clone")
    assert caught.value.key == "disk_full"


def test_objects_that_git_clones_and_that_make_no_sense_are_found(base: Base, tmp_path: Path) -> None:
    """A clone compares digests only: a tree that names a file twice passes it."""
    blob = bytes.fromhex(git(base.root, "rev-parse", "HEAD:a.md").strip())
    tree = (b"100644 a.md\0" + blob) * 2
    path = tmp_path / "tree"
    path.write_bytes(tree)
    name = git(base.root, "hash-object", "-t", "tree", "-w", "--literally", str(path)).strip()
    git(base.root, "update-ref", "refs/heads/main", git(base.root, "commit-tree", "-m", "twice", name).strip())
    made = tmp_path / "twice.bundle"
    git(base.root, "bundle", "create", str(made), "main")
    git(tmp_path, "clone", "--quiet", "--bare", str(made), str(tmp_path / "plain"))
    with pytest.raises(KnowledgeError) as caught:
        _unpack(base, made, tmp_path / "clone")
    assert caught.value.key == "bundle_damaged"
