"""The knowledge as it goes into the executable: documents, prebuilt index, history bundle, version stamp."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

from kb.config import ProgressReport
from kb.errors import AlmanacError
from kb.search import engine
from kb.search.embedder import Embedder
from kb.search.retriever import Retriever
from kb.tree.frontmatter import as_text, parse
from kb.versions.history import STAMP_NAME
from kb.versions.messages import checked_message

BRANCH = "main"


def stage(
    project: Path, target: Path, embedder: Path, embedder_sha256: str, cache: Path, report: ProgressReport
) -> dict[str, str]:
    """Fill `target` with docs/, index/, history.bundle and the stamp; returns the stamp's fields.

    Every file gets the time of the last knowledge commit, so the prebuilt index fits wherever it is unpacked.
    `cache` keeps the index between builds: only changed sections are embedded again.
    """
    docs = target / "docs"
    shutil.copytree(project / "docs", docs, ignore=shutil.ignore_patterns(".*"))
    epoch = int(_git(project, "log", "-1", "--format=%ct", "--", "docs") or 0) or 1_700_000_000
    _set_times(docs, epoch)
    commit = _bundle(project, target)
    stamp = {
        "tag": f"kb-{_version(docs)}",
        "manifest": _manifest_digest(docs),
        "commit": commit,
        "date": _git(project, "log", "-1", "--format=%cs", "--", "docs"),
    }
    (target / STAMP_NAME).write_text(json.dumps(stamp, indent=1), "utf-8")
    _index(docs, target / "index", embedder, embedder_sha256, cache, report)
    _set_times(target, epoch)
    return stamp


def _set_times(top: Path, epoch: int) -> None:
    for folder, _, files in os.walk(top):
        for name in files:
            os.utime(Path(folder, name), (epoch, epoch))


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _version(docs: Path) -> str:
    return as_text(parse((docs / "knowledge.yaml").read_text("utf-8")).get("version")) or "0.0.0"


def _manifest_digest(docs: Path) -> str:
    """SHA-256 over path and digest of every file, in path order."""
    lines = [
        f"{path.relative_to(docs).as_posix()}\0{hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(docs.rglob("*"))
        if path.is_file()
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _bundle(project: Path, target: Path) -> str:
    """The history of docs/ alone as a bundle; returns its newest commit.

    Each project commit that changed docs/ becomes a commit of that folder's tree with the same author and date, so the
    result is the same on every machine. Its message speaks of the knowledge: `_knowledge_message`.
    """
    repository = target.parent / "history"
    shutil.rmtree(repository, ignore_errors=True)
    _git(project, "clone", "--quiet", "--bare", "--no-local", str(project), str(repository))
    parent = ""
    for commit in _git(project, "rev-list", "--reverse", "--first-parent", "HEAD", "--", "docs").split():
        tree = _git(repository, "rev-parse", f"{commit}:docs")
        layout = "--format=%an%x1f%ae%x1f%aI%x1f%cn%x1f%ce%x1f%cI%x1f%B"
        fields = _git(project, "log", "-1", layout, commit).split("\x1f")
        names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "AUTHOR_DATE", "COMMITTER_NAME", "COMMITTER_EMAIL", "COMMITTER_DATE")
        environment = {**os.environ, **{f"GIT_{n}": v for n, v in zip(names, fields, strict=False)}}
        command = ["git", "-C", str(repository), "commit-tree", tree, *(["-p", parent] if parent else [])]
        message = _knowledge_message(project, commit, fields[6])
        done = subprocess.run(command, input=message, check=True, capture_output=True, text=True, env=environment)
        parent = done.stdout.strip()
    for reference in _git(repository, "for-each-ref", "--format=%(refname)").split():
        _git(repository, "update-ref", "-d", reference)
    _git(repository, "symbolic-ref", "HEAD", f"refs/heads/{BRANCH}")
    _git(repository, "update-ref", f"refs/heads/{BRANCH}", parent)
    _git(repository, "tag", f"kb-{_version(project / 'docs')}", parent)
    _git(repository, "bundle", "create", str(target / "history.bundle"), "--all", "HEAD")
    return parent


def _knowledge_message(project: Path, commit: str, message: str) -> str:
    """The commit's own message where it keeps the form of knowledge commits; else where under docs/ how many files
    came (+), changed (~) and went (-), since what the program's developers told each other says nothing of it."""
    with contextlib.suppress(AlmanacError):
        return checked_message(message)
    options = ("--root", "-r", "--no-commit-id", "--name-status", "--no-renames", "-z")
    fields = _git(project, "diff-tree", *options, commit, "--", "docs").split("\0")
    letters, paths = fields[:-1:2], fields[1::2]
    places = list(dict.fromkeys(path.split("/")[1] for path in paths))
    signs = {"A": "+", "M": "~", "D": "-"}
    counts = [f"{sign}{letters.count(letter)}" for letter, sign in signs.items() if letter in letters]
    return f"docs({', '.join(places)}): {' '.join(counts)}\n"


def _index(docs: Path, folder: Path, embedder: Path, embedder_sha256: str, cache: Path, report: ProgressReport) -> None:
    """The index of `docs` with all vectors in `folder`: the same bytes for the same documents.

    `cache` holds the vectors of earlier builds; what is missing there is embedded first. The index is made afresh.
    """
    from kb.paths import model_file

    source = model_file(embedder, embedder_sha256)
    model = Embedder(source)
    kept = Retriever(docs, cache)
    kept.update()
    kept.use_embedder(source.sha256, model.dimensions, model.embed_query)
    kept.embed_missing(model.embed_passages, report)
    kept.close()
    work = folder.parent.parent / "index"
    retriever = Retriever(docs, work)
    retriever.update(report)
    retriever.use_embedder(source.sha256, model.dimensions, model.embed_query)
    retriever.adopt_vectors(cache)
    retriever.close()
    model.close()
    folder.mkdir(parents=True)
    for path in sorted(work.iterdir()):
        if path.suffix in (".db", ".seg", ".bin", ".keys"):
            shutil.copy2(path, folder / path.name)
    _name_by_content(folder)


def _name_by_content(folder: Path) -> None:
    """Give segments, whose names hold time and process, the digest of their bytes as name."""
    with contextlib.closing(sqlite3.connect(folder / "index.db")) as database:
        for (name,) in database.execute("SELECT name FROM segments").fetchall():
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()[:32]
            (folder / name).rename(folder / f"{digest}.seg")
            database.execute("UPDATE segments SET name = ? WHERE name = ?", (f"{digest}.seg", name))
        database.commit()
        database.execute("VACUUM")


def load_engine(libraries: Path, variant: Path) -> None:
    """Make llama.cpp ready in this process."""
    engine.load_backend(libraries, variant)
