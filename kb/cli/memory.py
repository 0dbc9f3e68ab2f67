"""`almanac memory`: make memory from documents, ask it, write to it, review and audit it."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime
from collections.abc import Callable, Sequence
from pathlib import Path

from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.memory import audit, review, store_ingest
from kb.memory.client import MemoryClient
from kb.memory.client_records import ConstraintNote, EntityView, MemoryRecord, Place
from kb.memory.store import Ingested, MemoryStore
from kb.plain import one_line
from kb.tree.textfile import read_text
from kb.tree.walk import resolve_root

_WIDTH = 160


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Do the action that the command line names; the exit code says whether something was found."""
    actions: dict[str, Callable[[argparse.Namespace, Config, MemoryStore, Output], int]] = {
        "ingest": _ingest, "search": _search, "entity": _entity, "list": _list, "events": _events, "write": _write,
        "review": _review, "merges": _merges, "undo": _undo, "audit": _audit, "documents": _documents,
        "delete": _delete,
    }  # fmt: skip
    with MemoryStore(config.home) as store:
        return actions[arguments.action](arguments, config, store, Output(config))


def _ingest(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    if bool(arguments.paths) == arguments.tree:
        raise AlmanacError("memory_ingest_what", ExitCode.USAGE)
    if arguments.tree:
        jobs = store_ingest.tree_jobs(resolve_root(config.knowledge))
    else:
        # Here, because the readers of PDF, DOCX and HTML take as long to load as all the rest.
        from kb.memory.pipeline import DocPipeline

        read_blocks = DocPipeline(home=config.home, stop=config.stop).extract_blocks
        jobs = store_ingest.file_jobs([Path(path) for path in arguments.paths], read_blocks)
    progress = output.progress()
    report = store_ingest.ingest(store, jobs, progress, config.stop)
    progress.clear()
    if arguments.json:
        failed = [{"document": name, "error": error.key, "message": str(error)} for name, error in report.failed]
        output.json({"schema": 1, "documents": [dataclasses.asdict(item) for item in report.done], "failed": failed})
    else:
        for item in report.done:
            if item.changed:
                _tell_ingested(item, output)
        for name, error in report.failed:
            output.say(f"! {one_line(name)}: {output.text(error.key, **error.params)}")
        unchanged = sum(not item.changed for item in report.done)
        output.tell("memory_ingested", done=len(report.done), unchanged=unchanged, failed=len(report.failed))
    if report.stopped:
        return ExitCode.INTERRUPTED
    if not jobs:
        raise AlmanacError("memory_nothing_to_read", ExitCode.BAD_KNOWLEDGE)
    return ExitCode.BAD_KNOWLEDGE if report.failed else ExitCode.OK


def _tell_ingested(item: Ingested, output: Output) -> None:
    counts = {name: getattr(item, name) for name in ("entities", "attributes", "relations", "events", "constraints")}
    output.say(f"{one_line(item.doc_id)}  {output.text('memory_counts', **counts)}")
    if item.beside:
        output.say("  " + output.text("memory_kept_both", doc_id=one_line(item.beside)))
    if item.findings:
        output.say("  ! " + output.text("memory_finding_count", count=item.findings))


def _days(arguments: argparse.Namespace) -> tuple[datetime.date | None, datetime.date | None]:
    first, last = parse_day(arguments.first), parse_day(arguments.last)
    if first and last and last < first:
        raise AlmanacError("memory_range_backwards", ExitCode.USAGE, first=first, last=last)
    return first, last


def _search(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    first, last = _days(arguments)
    limit = (first, last) if first or last else None
    query = " ".join(arguments.query)
    # Here, because document search and its embedder take longer to load than all the other actions.
    from kb.answer.memory_meaning import LazyMeaning

    with contextlib.closing(LazyMeaning(config)) as meaning:
        client = MemoryClient(store, meaning=meaning)
        found = client.search_memory(query, arguments.entity, limit, arguments.top)
    if arguments.json:
        output.json({"schema": 1, "query": query, "records": [record.to_json() for record in found]})
    else:
        for number, record in enumerate(found, start=1):
            _show_record(record, output, f"{number}. ")
        if not found:
            output.tell("memory_nothing")
    return ExitCode.OK if found else ExitCode.NO_ANSWER


def _show_record(record: MemoryRecord, output: Output, mark: str = "") -> None:
    notes = [output.text(f"memory_{name}") for name in ("superseded", "expired") if getattr(record, name)]
    said = f"{mark}{one_line(record.text, _WIDTH)}"
    output.say(said + (f"  ({', '.join(notes)})" if notes else ""))
    output.say(f"   {_where(record.place, output)}{_inferred(record, output)}")
    for note in record.constraints:
        output.say(f"   ! {output.text(f'memory_kind_{note.kind}')}: {one_line(note.text, _WIDTH)}")


def _where(place: Place, output: Output) -> str:
    if not place.path:
        return output.text("memory_from_person")
    page = output.text("memory_page", page=place.page) + "  " if place.page else ""
    heading = f"  {one_line(place.trail[-1], 60)}" if place.trail else ""
    return f"{one_line(place.path)}:{place.lines[0]}  {page}{heading}".rstrip()


def _inferred(record: MemoryRecord, output: Output) -> str:
    return f"  ({output.text('memory_inferred')})" if record.inferred_from else ""


def _entity(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    name = " ".join(arguments.name)
    view = MemoryClient(store).get_entity(name)
    if view is None:
        if arguments.json:
            output.json({"schema": 1, "entity": None})
        else:
            output.tell("memory_no_entity", name=one_line(name))
        return ExitCode.NO_ANSWER
    if arguments.json:
        output.json({"schema": 1, "entity": view.to_json()})
    else:
        _show_entity(view, output)
    return ExitCode.OK


def _show_entity(view: EntityView, output: Output) -> None:
    output.say(f"{one_line(view.name)}  ({output.text(f'memory_type_{view.type}')})")
    others = [one_line(name.name) for name in view.names if name.name != view.name]
    if others:
        output.say("  " + output.text("memory_names", names=", ".join(dict.fromkeys(others))))
    _part("memory_part_attributes", view.attributes, output)
    _part("memory_part_relations", view.relations, output)
    _part("memory_part_events", view.events, output)
    _part("memory_part_notes", view.notes, output)
    if view.constraints:
        output.say()
        output.tell("memory_part_constraints")
        for note in view.constraints:
            _show_constraint(note, output)
    _part("memory_part_superseded", view.superseded, output)


def _part(key: str, records: Sequence[MemoryRecord], output: Output) -> None:
    if not records:
        return
    output.say()
    output.tell(key)
    for record in records:
        said = record.text.removeprefix(f"{record.entity} · ") if record.kind == "attribute" else record.text
        expired = f"  ({output.text('memory_expired')})" if record.expired else ""
        output.say(f"  {one_line(said, _WIDTH)}{expired}")
        output.say(f"     {_where(record.place, output)}{_inferred(record, output)}")


def _show_constraint(note: ConstraintNote, output: Output) -> None:
    output.say(f"  {output.text(f'memory_kind_{note.kind}')}: {one_line(note.text, _WIDTH)}")
    output.say(f"     {_where(note.place, output)}")


def _list(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    found = MemoryClient(store).entities(" ".join(arguments.name), arguments.top)
    if arguments.json:
        output.json(
            {"schema": 1, "entities": [{"name": name, "type": kind, "records": held} for name, kind, held in found]}
        )
    for name, kind, held in () if arguments.json else found:
        output.say(f"{one_line(name)}  ({output.text(f'memory_type_{kind}')})  {held}")
    if not found and not arguments.json:
        output.tell("memory_nothing")
    return ExitCode.OK if found else ExitCode.NO_ANSWER


def _events(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    first, last = _days(arguments)
    found = MemoryClient(store).query_events(first, last, arguments.top)
    if arguments.json:
        output.json({"schema": 1, "events": [record.to_json() for record in found]})
    else:
        for record in found:
            _show_record(record, output)
        if not found:
            output.tell("memory_nothing")
    return ExitCode.OK if found else ExitCode.NO_ANSWER


def _write(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    written = MemoryClient(store).write_memory(
        " ".join(arguments.fact), arguments.source, arguments.confidence, author=arguments.author,
        expires_on=parse_day(arguments.expires),
    )  # fmt: skip
    if arguments.json:
        output.json({"schema": 1, **dataclasses.asdict(written)})
    else:
        output.tell(written.reason)
        if written.state == "review":
            output.tell("memory_review_hint", number=written.id)
    return ExitCode.OK


def _review(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    if arguments.do == "list":
        found = review.reviews(store)
    elif not arguments.number:
        raise AlmanacError("memory_review_which", ExitCode.USAGE)
    elif arguments.do == "accept":
        expires = parse_day(arguments.expires)
        found = [review.accept(store, number, arguments.author, expires) for number in arguments.number]
    else:
        found = [review.reject(store, number, arguments.author) for number in arguments.number]
    if arguments.json:
        output.json({"schema": 1, "reviews": [dataclasses.asdict(item) for item in found]})
        return ExitCode.OK
    for item in found:
        _show_review(item, output)
    if not found:
        output.tell("memory_no_reviews")
    return ExitCode.OK


def _show_review(item: review.Review, output: Output) -> None:
    body = item.body
    state = "" if item.state == "open" else f"  [{output.text(f'memory_state_{item.state}')}]"
    if item.kind == "fact":
        output.say(f"{item.id}. {one_line(body['fact'], _WIDTH)}{state}")
        output.say(
            f"   {output.text(body['reason'])}  {output.text('memory_said_by', source=one_line(body['source']))}"
        )
    else:
        said = output.text("memory_ask_same", left=one_line(body["left"]), right=one_line(body["right"]))
        output.say(f"{item.id}. {said}{state}")
        output.say(f"   {output.text(body['reason'])}  {_parts(body['parts'])}")


def _parts(parts: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:.2f}" for name, value in parts.items())


def _merges(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    found = store.merges(undone=arguments.all, across=arguments.all)
    if arguments.json:
        output.json({"schema": 1, "merges": [dataclasses.asdict(item) for item in found]})
        return ExitCode.OK
    for item in found:
        undone = f"  [{output.text('memory_undone')}]" if item.undone_at else ""
        output.say(f"{item.id}. {one_line(item.right)} = {one_line(item.left)}{undone}")
        output.say(f"   {output.text(item.reason)}  {_parts(item.parts)}")
    if not found:
        output.tell("memory_no_merges")
    return ExitCode.OK


def _undo(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    item = store.undo_merge(arguments.number, arguments.author)
    if arguments.json:
        output.json({"schema": 1, "merge": dataclasses.asdict(item)})
    else:
        output.tell("memory_apart", left=one_line(item.left), right=one_line(item.right))
    return ExitCode.OK


def _audit(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    if arguments.judge is not None:
        text = read_text(Path(arguments.judge)).text
        count = audit.judge(store, audit.parse_judgements(text, arguments.judge), arguments.author)
        state = audit.regression(store)
        if arguments.json:
            output.json({"schema": 1, "judged": count, "regression": dataclasses.asdict(state)})
        else:
            output.tell("memory_judged", count=count)
            _show_regression(state, output)
        return ExitCode.OK
    if not 1 <= arguments.sample <= 10_000:
        raise AlmanacError("memory_sample_size", ExitCode.USAGE)
    found = audit.sample(store, arguments.sample, arguments.seed)
    if arguments.json:
        entries = [_to_judge(item) for item in found]
        output.json({"schema": 1, "records": entries, "regression": dataclasses.asdict(audit.regression(store))})
        return ExitCode.OK
    for number, record in enumerate(found, start=1):
        output.say(f"{number}. {one_line(record.text, _WIDTH)}   [{record.id}]")
        output.say(f"   {_where(record.place, output)}")
        output.say(f"   “{one_line(record.place.quote, 2 * _WIDTH)}”")
    if not found:
        output.tell("memory_nothing")
    _show_regression(audit.regression(store), output)
    return ExitCode.OK


def _to_judge(record: MemoryRecord) -> dict[str, object]:
    """A record as a person judges it: `right` is to be filled in."""
    place = record.place
    return {
        "id": record.id, "kind": record.kind, "text": record.text, "right": None, "remark": "", "quote": place.quote,
        "path": place.path, "page": place.page, "lines": place.lines,
    }  # fmt: skip


def _show_regression(state: audit.Regression, output: Output) -> None:
    if not (state.kept or state.lost or state.gone or state.back):
        return
    output.say()
    output.tell("memory_regression", kept=state.kept, lost=len(state.lost), gone=state.gone, back=len(state.back))
    for said in state.lost:
        output.say("  - " + output.text("memory_lost", said=one_line(said, _WIDTH)))


def _documents(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    found = store.documents()
    if arguments.json:
        rows = [{**dataclasses.asdict(item), "findings": store.findings(item.doc_id)} for item in found]
        output.json({"schema": 1, "documents": rows})
        return ExitCode.OK
    for item in found:
        output.say(f"{one_line(item.doc_id)}  {item.records}  {item.ingested_at}")
        for reason, detail in store.findings(item.doc_id) if arguments.findings else ():
            output.say(f"  ! {output.text(reason)}: {one_line(detail, _WIDTH)}")
    if not found:
        output.tell("memory_empty")
    return ExitCode.OK


def _delete(arguments: argparse.Namespace, config: Config, store: MemoryStore, output: Output) -> int:
    store.delete(arguments.document)
    if arguments.json:
        output.json({"schema": 1, "deleted": arguments.document})
    else:
        output.tell("memory_deleted", doc_id=one_line(arguments.document))
    return ExitCode.OK
