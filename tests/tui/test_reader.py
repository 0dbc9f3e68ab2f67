"""Reading: places, tables, pictures, links, long documents."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from kb.answer.runtime import Runtime
from tests.tui.conftest import SOYBEAN, document, opened, screen_text, until
from tui import pictures
from tui.app import AlmanacApp
from tui.screens.reader import ReaderScreen
from tui.widgets.document import DocumentView, Marks, PicturePiece, PieceLine
from tui.widgets.table import TablePiece


async def read(
    app: AlmanacApp, pilot: Pilot[int], path: str, places: list[tuple[int, int]] | None = None
) -> tuple[ReaderScreen, DocumentView]:
    """Open a document and wait until it stands."""
    app.open_document(path, places, Marks(tuple(places or ())))
    await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and app.screen.page)
    assert isinstance(app.screen, ReaderScreen)
    view = app.screen.query_one(DocumentView)
    await until(pilot, lambda: view.children and view.children[0].region.height)
    return app.screen, view


def line_of(path_text: str, wanted: str) -> int:
    return next(number for number, content in enumerate(path_text.split("\n"), 1) if wanted in content)


async def test_the_cited_row_of_a_long_table_is_in_sight_with_its_header(runtime: Runtime) -> None:
    text = (runtime.root / SOYBEAN).read_text("utf-8")
    row = line_of(text, "药剂55")
    async with opened(runtime) as (app, pilot):
        await read(app, pilot, SOYBEAN, [(row, row)])
        await until(pilot, lambda: "药剂55" in screen_text(app))
        shown = screen_text(app)
        assert "▶ 药剂55" in shown and "安全间隔期" in shown and "药剂1 " not in shown


async def test_a_table_scrolls_sideways_with_its_first_column_fixed(runtime: Runtime) -> None:
    async with opened(runtime, (40, 12)) as (app, pilot):
        row = line_of((runtime.root / SOYBEAN).read_text("utf-8"), "药剂3 ")
        _, view = await read(app, pilot, SOYBEAN, [(row, row)])
        table = view.query_one(TablePiece)
        await until(pilot, lambda: "药剂3" in screen_text(app))
        assert table.virtual_size.width > table.size.width
        table.focus()
        await pilot.press(*["right"] * 9)
        await until(pilot, lambda: table.scroll_offset.x > 0)
        assert "药剂3" in screen_text(app) and "第3行的说明" in screen_text(app)


@pytest.mark.parametrize(("theme", "front", "other"), [("dark", "▶ ", "▷ "), ("plain", ">>", "> ")])
async def test_of_several_cited_rows_the_one_in_front_stands_out(
    runtime: Runtime, theme: str, front: str, other: str
) -> None:
    text = (runtime.root / SOYBEAN).read_text("utf-8")
    places = [(line_of(text, name), line_of(text, name)) for name in ("药剂1 ", "药剂2 ")]
    async with opened(runtime, (100, 50), theme=theme) as (app, pilot):
        await read(app, pilot, SOYBEAN, places)
        await until(pilot, lambda: f"{front}药剂1 " in screen_text(app) and f"{other}药剂2 " in screen_text(app))
        await pilot.press("n")
        await until(pilot, lambda: f"{front}药剂2 " in screen_text(app))
        await pilot.press("n")
        await until(pilot, lambda: f"{front}药剂1 " in screen_text(app) and f"{other}药剂2 " in screen_text(app))


async def test_of_several_cited_pieces_the_one_in_front_stands_out(runtime: Runtime) -> None:
    text = (runtime.root / SOYBEAN).read_text("utf-8")
    places = [(line_of(text, wanted), line_of(text, wanted)) for wanted in ("45-60", "播种深度")]
    async with opened(runtime) as (app, pilot):
        _, view = await read(app, pilot, SOYBEAN, places)

        def front() -> list[str]:
            return [piece.content.plain for piece in view.query(PieceLine) if piece.has_class("-front")]

        await until(pilot, lambda: len(front()) == 1 and "45-60" in front()[0])
        await pilot.press("n")
        await until(pilot, lambda: len(front()) == 1 and "播种深度" in front()[0])
        assert len(view.cited_widgets()) == 2


async def test_n_jumps_between_places(runtime: Runtime) -> None:
    text = (runtime.root / SOYBEAN).read_text("utf-8")
    places = [(line_of(text, wanted), line_of(text, wanted)) for wanted in ("45-60", "药剂30", "播种深度")]
    async with opened(runtime) as (app, pilot):
        screen, _ = await read(app, pilot, SOYBEAN, places)
        assert "place 1 of 3" in screen_text(app)
        await pilot.press("n")
        await until(pilot, lambda: "药剂30" in screen_text(app))
        await pilot.press("f3")
        await until(pilot, lambda: "播种深度" in screen_text(app))
        await pilot.press("N", "N")
        await until(pilot, lambda: "45-60" in screen_text(app))
        assert screen.hit == 0


async def test_finding_in_the_document(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        screen, _ = await read(app, pilot, SOYBEAN)
        await pilot.press("slash", *"药剂42", "enter")
        await until(pilot, lambda: screen.hits and "药剂42" in screen_text(app))
        await pilot.press("slash", *"zzz", "enter")
        await until(pilot, lambda: "not found" in screen_text(app))
        await pilot.press("escape")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.ask_screen())


async def test_links_lead_only_to_documents_inside(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        screen, view = await read(app, pilot, SOYBEAN)
        piece = next(child for child in view.query(PieceLine) if child.piece.links)
        assert piece.piece.links == ("../disease/blight_2025_v1.md", "../../../../etc/passwd.md")
        piece.post_message(PieceLine.LinkFollowed(piece.piece.links[1]))
        await until(pilot, lambda: "outside the documents" in screen_text(app))
        assert app.screen is screen
        piece.focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and "blight" in app.screen.path)


async def test_pictures_or_a_line_in_their_place(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.pictures = pictures.prepare({})
        _, view = await read(app, pilot, "agriculture/crop/disease/blight_2025_v1.md")
        await until(pilot, lambda: len(view.query(PicturePiece)) == 3)
        first, missing, outside = view.query(PicturePiece)
        await until(pilot, lambda: len(first.children) == 2 and first.children[1].region.height > 2)
        await until(pilot, lambda: "not found" in str(missing.children[0].render()))
        await until(pilot, lambda: "not found" in str(outside.children[0].render()))
        assert len(outside.children) == 1


async def test_without_pictures_a_line_says_what_it_shows(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await read(app, pilot, "agriculture/crop/disease/blight_2025_v1.md")
        await until(pilot, lambda: "[picture: 示意图]" in screen_text(app))


async def test_the_outline_stands_where_there_is_room(runtime: Runtime) -> None:
    async with opened(runtime, (120, 40)) as (app, pilot):
        screen, _ = await read(app, pilot, SOYBEAN)
        assert screen.query_one("#outline").display
        screen.query_one("#outline").focus()
        await pilot.press("end", "enter")
        await until(pilot, lambda: "播种深度" in screen_text(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: not screen.query_one("#outline").display)


async def test_a_long_document_is_mounted_as_needed(runtime: Runtime) -> None:
    path = "many.md"
    text = document("Long", "\n\n".join(f"## Part {n}\n\nParagraph {n}." for n in range(1, 1001)))
    (runtime.root / path).write_text(text, "utf-8")
    place = line_of(text, "Paragraph 900.")
    async with opened(runtime) as (app, pilot):
        _, view = await read(app, pilot, path, [(place, place)])
        await until(pilot, lambda: "Paragraph 900." in screen_text(app))
        assert len(view.children) < 1000
        await pilot.press("home")
        await until(pilot, lambda: "Paragraph 1." in screen_text(app))
        await pilot.press("end")
        await until(pilot, lambda: "Paragraph 1000." in screen_text(app))


async def test_pages_that_are_shown_at_once_do_not_mix_and_the_last_one_stands(runtime: Runtime) -> None:
    text = document("Long", "\n\n".join(f"## Part {n}\n\nParagraph {n}." for n in range(1, 1001)))
    (runtime.root / "many.md").write_text(text, "utf-8")
    places = [line_of(text, f"Paragraph {number}.") for number in (900, 40, 500)]
    async with opened(runtime) as (app, pilot):
        screen, view = await read(app, pilot, "many.md")
        long, words = screen.page, screen.words
        assert long is not None
        short = replace(long, pieces=long.pieces[:3])
        for wanted in ((long, places[0]), (short, places[2])):
            page, line = wanted
            await asyncio.gather(
                view.show(short, words, at=(1, 1)),
                view.show(long, words, at=(places[1], places[1])),
                view.go((places[2], places[2])),
                view.show(page, words, at=(line, line)),
                view.go((line, line)),
            )
            await until(pilot, lambda: not view._growing)
            mounted = [child.piece for child in view.children if isinstance(child, PieceLine)]
            assert mounted == list(page.pieces[view._first : view._end])
            assert page is short or "Paragraph 900." in screen_text(app)


async def test_expired_and_drafts_say_so_in_words(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await read(app, pilot, "agriculture/crop/soybean/old_2020_v1.md")
        assert "EXPIRED 2021-01-01" in screen_text(app)
        await pilot.press("escape")
        await read(app, pilot, "agriculture/crop/soybean/draft_2026_v1.md")
        assert "DRAFT" in screen_text(app)


async def test_a_document_that_is_gone_says_so(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.open_document("no/such/file.md")
        await until(pilot, lambda: "There is no document" in screen_text(app))
        await pilot.press("escape")
        app.open_document("../../../etc/passwd")
        await until(pilot, lambda: "outside the knowledge folder" in screen_text(app))
