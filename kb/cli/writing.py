"""`almanac new` and `almanac normalise`: documents that keep the contract from their first line on."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Sequence
from pathlib import Path

from kb import fsio, paths
from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.texts import Lang
from kb.tree.contract.files import DiskFiles, exists
from kb.tree.contract.moving import Done, execute, resume
from kb.tree.contract.naming import IMAGE_FOLDER, MAX_LEVELS
from kb.tree.contract.normalising import Plan, Wish, misplaced, plan
from kb.tree.contract.roots import select
from kb.tree.contract.template import OBSIDIAN_FILE, NewDocument, obsidian_template, text_of
from kb.tree.contract.translate import Words, split_edition
from kb.tree.taxonomy import Taxonomy, load_taxonomy, path_word
from kb.tree.walk import resolve_root
from kb.versions.git import Git
from kb.versions.history import STAMP_NAME
from kb.versions.repository import stage
from kb.versions.source import Source


def run_new(arguments: argparse.Namespace, config: Config) -> int:
    """Write a document from the template, or Obsidian's template file; never over one that is there."""
    output = Output(config)
    root = writable_root(config)
    lang = arguments.doc_lang or config.lang
    if arguments.obsidian:
        target = root / OBSIDIAN_FILE
        if target.exists():
            raise KnowledgeError("name_taken", path=OBSIDIAN_FILE)
        fsio.write_text(target, obsidian_template(lang))
        output.tell("new_template", path=target, folder=target.parent.name)
        return ExitCode.OK
    if not arguments.path:
        raise AlmanacError("new_what", ExitCode.USAGE)
    path, title, tags = _named(root, arguments.path, lang, config)
    version = "_".join(path.removesuffix(".md").rsplit("_", 2)[1:])
    new = NewDocument(arguments.title or title, version, lang, tags, author=arguments.author or "", type=arguments.type)
    fsio.write_text(root / path, text_of(new, datetime.date.today()))
    fsio.make_folder((root / path).parent / IMAGE_FOLDER)
    output.tell("new_written", path=root / path)
    return ExitCode.OK


def _named(root: Path, wanted: str, lang: Lang, config: Config) -> tuple[str, str, list[str]]:
    """Path, title and tags of a new document; the edition is this year's first unless `wanted` names one."""
    files = DiskFiles(root)
    if wanted.startswith(("/", "\\", "~")):
        raise KnowledgeError("name_form", name=wanted)
    taxonomies, words = known_words(root, config)
    *folders, name = wanted.strip("/").replace("\\", "/").removesuffix(".md").split("/")
    stem, edition = split_edition(name)
    item = words.word(stem, words.items)
    if lang == "en" and not item.endswith("_en"):
        item += "_en"
    parts = words.place(folders).split("/") if folders and not "".join(folders).isascii() else folders
    parts = [words.word(part) for part in parts]
    if len(parts) + 1 > MAX_LEVELS:
        raise KnowledgeError("too_deep", path=wanted, most=MAX_LEVELS)
    year = edition.year or datetime.date.today().year
    for revision in range(edition.revision or 1, 1000):
        path = "/".join([*parts, f"{item}_{year}_v{revision}.md"])
        if not exists(files, path):
            labels = [_label(part, lang, taxonomies) for part in (*parts[-1:], item)]
            title = ("" if all(not label.isascii() for label in labels) else " ").join(labels)
            return path, title, list(dict.fromkeys(labels))
        if edition.revision:
            break
    raise KnowledgeError("name_taken", path=path)


def _label(part: str, lang: Lang, taxonomies: Sequence[Taxonomy]) -> str:
    known = next((one for one in taxonomies if path_word(part) in one.names), taxonomies[0])
    return known.label(part, lang)


def run_normalise(arguments: argparse.Namespace, config: Config) -> int:
    """Move documents to where the contract wants them; BAD_KNOWLEDGE when one could not be named."""
    root = writable_root(config)
    with fsio.locked(config.home / "normalise.lock", wait=False) as alone:
        if not alone:
            raise AlmanacError("normalise_busy")
        return _normalise(arguments, config, root)


def _normalise(arguments: argparse.Namespace, config: Config, root: Path) -> int:
    output = Output(config)
    resumed = None if arguments.dry_run else resume(root)
    if resumed is not None:
        _stage(root, resumed, config)
    wish = Wish(arguments.name, arguments.into)
    chosen = _chosen(root, arguments.paths, wish, resumed)
    made = plan(DiskFiles(root), chosen, known_words(root, config)[1], datetime.date.today(), wish)
    moving = bool(made.moves.documents) and not arguments.dry_run
    done = execute(root, made.moves) if moving else Done(made.moves, ())
    staged = moving and _stage(root, done, config)
    if arguments.json:
        output.json(_as_json(made, done, resumed, dry=arguments.dry_run, staged=staged))
    else:
        if resumed is not None:
            output.tell("normalise_resumed")
            _show(resumed, output)
        _show_plan(made, done, output, dry=arguments.dry_run, staged=staged)
    return ExitCode.BAD_KNOWLEDGE if made.refused else ExitCode.OK


def _chosen(root: Path, names: list[str], wish: Wish, resumed: Done | None) -> list[str]:
    """The documents to move: those named, and of folders those whose path breaks the contract."""
    if wish.name is not None and len(names) != 1:
        raise AlmanacError("as_one", ExitCode.USAGE)
    # What was named again and is gone was moved by the run that is finished now.
    there = [name for name in names if resumed is None or Path(name).exists() or (root / name).exists()]
    if not there:
        return []
    chosen: list[str] = []
    for tree, found in select(root, there).items():
        if tree != root:
            raise KnowledgeError("path_outside", path=", ".join(names))
        everything = DiskFiles(root).documents() if found is None else found
        single = len(there) == 1 and found is not None and len(found) == 1
        chosen += [path for path in everything if single or misplaced(path)]
    if wish.name is not None and len(chosen) != 1:
        raise AlmanacError("as_one", ExitCode.USAGE)
    return chosen


def known_words(root: Path, config: Config) -> tuple[list[Taxonomy], Words]:
    """What the tree's taxonomy and folders know, then what the program's own do; the tree's taxonomy comes first."""
    taxonomies = [load_taxonomy(root)]
    other: list[str] = []
    own = paths.find_assets(config.home).knowledge
    if own is not None and own.resolve() != root:
        taxonomies.append(_quietly(own))
        other = DiskFiles(own.resolve()).documents()
    return taxonomies, Words.of(taxonomies, DiskFiles(root).documents(), other)


def _quietly(root: Path) -> Taxonomy:
    try:
        return load_taxonomy(root)
    except KnowledgeError:
        return Taxonomy()


def writable_root(config: Config) -> Path:
    """The tree to write into; KnowledgeError for the copy that was unpacked from the program."""
    root = resolve_root(config.knowledge)
    refuse_packed(root)
    return root


def refuse_packed(root: Path) -> None:
    """KnowledgeError when the tree at `root` belongs to the program or is a release: it must stay as it is."""
    if (root.parent / STAMP_NAME).is_file():
        raise KnowledgeError("knowledge_is_packed", path=root)


def _stage(root: Path, done: Done, config: Config) -> bool:
    """Tell git about the move, so that the history of each document goes on under its new name."""
    try:
        source = Source.find(root, Git.find(config.git))
    except AlmanacError:
        return False  # no git, or no repository: the files are moved all the same
    stage(source, done.paths)
    return True


def _show(done: Done, output: Output) -> None:
    for moves in (done.moves.documents, done.moves.images, done.moves.copies):
        for old, new in moves.items():
            output.say(f"{one_line(old)} -> {new}")
    for path in done.rewritten:
        output.tell("normalise_links", path=path)


def _show_plan(made: Plan, done: Done, output: Output, *, dry: bool, staged: bool) -> None:
    _show(done, output)
    for path, error in made.refused:
        output.say(f"{one_line(path)}: {one_line(output.text(error.key, **error.params))}")
    count = len(made.moves.documents)
    key = "normalise_none" if not count else "normalise_planned" if dry else "normalise_done"
    output.tell(key, count=count, links=len(done.rewritten))
    if staged:
        output.tell("normalise_staged")


def _as_json(made: Plan, done: Done, resumed: Done | None, *, dry: bool, staged: bool) -> dict[str, object]:
    return {
        "schema": 1,
        "dry_run": dry,
        "staged": staged,
        "documents": dict(made.moves.documents),
        "images": dict(made.moves.images),
        "copies": dict(made.moves.copies),
        "rewritten": list(done.rewritten),
        "resumed": dict(resumed.moves.documents) if resumed is not None else {},
        "refused": [{"path": path, "reason": error.key, **error.params} for path, error in made.refused],
    }
