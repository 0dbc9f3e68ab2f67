"""`almanac snapshot`, `diff` and `verify`: naming a state of the knowledge, comparing two, checking one."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.release_numbers import difference
from kb.cli.output import Output
from kb.cli.version_wiring import source_of, who
from kb.cli.version_words import difference_json, show_difference, show_mismatch
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.versions import manifest, releases, snapshot
from kb.versions import registry as registries
from kb.versions.manifest import FILE_NAME, Mismatch
from kb.versions.numbering import parse_number, read_number
from kb.versions.registry import Registry
from kb.versions.snapshot import Author
from kb.versions.source import Source


def run_snapshot(arguments: argparse.Namespace, config: Config) -> int:
    """Tag the knowledge and register the tag."""
    output = Output(config)
    number = parse_number(arguments.version) if arguments.version else None
    source = source_of(arguments, config)
    progress = output.progress()
    try:
        taken = snapshot.take(
            source,
            Author(who(arguments, config)),
            number=number,
            level=arguments.bump,
            message=one_line(arguments.message),
            include_changes=arguments.include_changes,
            report=progress,
        )
    finally:
        progress.clear()
    with Registry.open(config.home) as registry, registry.writing():
        registry.register(taken, source.root)
    if arguments.json:
        output.json(
            {
                "schema": 1, "tag": taken.tag, "commit": taken.commit, "manifest": taken.digest,
                "documents": len(taken.manifest.documents), "files": len(taken.manifest.files),
                "new": taken.is_new, "left_out": taken.left_out,
            }
        )  # fmt: skip
        return ExitCode.OK
    output.tell(
        "snapshot_taken" if taken.is_new else "snapshot_same",
        tag=taken.tag, documents=len(taken.manifest.documents), digest=taken.digest[:12], commit=taken.commit[:10],
    )  # fmt: skip
    for path in taken.left_out:
        output.tell("snapshot_link", path=path)
    return ExitCode.OK


def run_diff(arguments: argparse.Namespace, config: Config) -> int:
    """Print what differs between two versions, numbers first."""
    output = Output(config)
    source = source_of(arguments, config)
    found = difference(source, arguments.old, arguments.new)
    if arguments.json:
        output.json(difference_json(found))
    else:
        show_difference(found, output)
    return ExitCode.OK


def run_verify(arguments: argparse.Namespace, config: Config) -> int:
    """Compare with the manifest: the tree as it lies here, or a tag in git and its release folder."""
    output = Output(config)
    checked = _verify_tag(arguments, config) if arguments.tag else _verify_tree(source_of(arguments, config))
    if arguments.json:
        output.json({"schema": 1, "checked": {name: dataclasses.asdict(found) for name, found in checked.items()}})
    else:
        for name, mismatch in checked.items():
            if mismatch:
                show_mismatch(name, mismatch, output)
            else:
                output.tell("verify_same", name=name)
    return ExitCode.BAD_KNOWLEDGE if any(checked.values()) else ExitCode.OK


def _verify_tree(source: Source) -> dict[str, Mismatch]:
    path = source.root / FILE_NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise KnowledgeError("verify_no_manifest", path=path) from error
    except OSError as error:
        raise AlmanacError("unreadable", path=path, reason=error.strerror) from error
    return {str(source.root): manifest.verify(manifest.parse(data, str(path)), source.root)}


def _verify_tag(arguments: argparse.Namespace, config: Config) -> dict[str, Mismatch]:
    """The tag in git where there is a repository, and its release folder where it was built."""
    checked: dict[str, Mismatch] = {}
    missing: AlmanacError | None = None
    try:
        source = source_of(arguments, config)
        found = snapshot.read(source, arguments.tag)
        digests = {path: manifest.sha256(data) for path, data in snapshot.contents(source, source.files(found.commit))}
        checked[found.tag] = manifest.compare(found.manifest, digests, digests.get)
    except AlmanacError as error:
        if error.key not in ("versions_no_repository", "git_missing", "version_unknown_name"):
            raise
        missing = error  # a machine that only answers has releases and no repository
    if registries.exists(config.home):
        number = read_number(arguments.tag)
        wanted = {arguments.tag, number.tag if number is not None else arguments.tag}
        with Registry.open_to_read(config.home) as registry:
            for row in registry.snapshots():
                if row.is_built and wanted & {row.tag, row.name}:
                    release = releases.opened(config.home, row)
                    checked[str(release.docs)] = releases.verified(release)
    if not checked and missing is not None:
        raise missing
    return checked
