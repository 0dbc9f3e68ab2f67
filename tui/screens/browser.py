"""The document browser: the tree by its human names, search as you type, a look at the chosen document."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static, Tree
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode

from tui import messages, work
from tui.background import Lane
from tui.catalog import Catalog, Entry, Hit, branches
from tui.screens.base import AlmanacScreen
from tui.screens.reader import facts_line
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.widgets.document import DocumentView, Marks
from tui.widgets.listing import Listing
from tui.widgets.question import QuestionInput
from tui.words import Words, fit, line

_PREVIEW_PIECES = 40


class BrowserScreen(AlmanacScreen):
    """The cursor stays in the line to type in; arrows move the list, Enter opens."""

    AUTO_FOCUS = "#filter"

    def __init__(self) -> None:
        super().__init__()
        self._hits: tuple[Hit, ...] = ()
        self._typed = ""
        self._ticket = 0
        self._search = Lane("search")
        self._look = Lane("preview")
        self._filled: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """Filter above, list and preview below."""
        yield HeaderBar(id="header")
        with Horizontal(id="entry"):
            yield Static("/ ", id="prompt", markup=False)
            yield QuestionInput(slash=False, id="filter")
        yield Rule(classes="upper")
        with Horizontal(id="browsing"):
            with Vertical(id="listing"):
                yield DocumentTree(id="tree")
                yield Listing(id="hits")
                yield Static("", id="none", markup=False)
            with Vertical(id="look"):
                yield Static("", id="look-title", markup=False)
                yield DocumentView(id="preview", can_focus=False)
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    def relabel(self) -> None:
        """Names in the current language."""
        if not self.is_mounted:
            return
        catalog = self.almanac.catalog
        self.query_one("#filter", QuestionInput).placeholder = self.words("filter")
        count = [self.words("documents", count=len(catalog.entries))] if catalog.entries else []
        self.query_one("#header", HeaderBar).show([self.words("browser")], count)
        if self._filled != (id(catalog), self.words.lang, self.words.plain):
            self._filled = (id(catalog), self.words.lang, self.words.plain)
            self.query_one(DocumentTree).fill(catalog, self.words)
        self._arrange()
        super().relabel()

    def hints(self) -> list[Hint]:
        """Keys of the list."""
        words = self.words
        return [
            Hint("Enter", words("key_open"), "screen.open"),
            Hint("↑↓" if not words.plain else "Up/Down", words("key_move"), "screen.step_down"),
            Hint("Esc", words("key_back"), "screen.back", kept=True),
            *self.common_hints(),
        ]

    def _arrange(self) -> None:
        """Tree while nothing is typed, hits else."""
        searching = bool(self._typed)
        self.query_one("#tree").display = not searching and bool(self.almanac.catalog.entries)
        self.query_one("#hits").display = searching and bool(self._hits)
        none = self.query_one("#none", Static)
        none.display = (searching and not self._hits) or not self.almanac.catalog.entries
        key = "no_match" if searching and self.almanac.catalog.entries else "reading"
        none.update(
            Content.styled(self.words(key, words=self._typed) if key == "no_match" else self.words(key), "$muted")
        )

    # -- search ----------------------------------------------------------------------------------------------

    @on(Input.Changed, "#filter")
    def typed(self, event: Input.Changed) -> None:
        """Search in the background; only the newest words count."""
        event.stop()
        typed = event.value.strip()
        if not typed:
            self._typed, self._hits = "", ()
            self._arrange()
            return
        runtime, catalog = self.almanac.runtime, self.almanac.catalog
        self._search.submit(lambda: work.find(runtime, catalog, typed, self.post_message), self.failed)

    @on(messages.HitsFound)
    def hits_found(self, event: messages.HitsFound) -> None:
        """Show them, unless other words stand there by now."""
        if event.typed != self.query_one("#filter", QuestionInput).value.strip():
            return
        self._typed, self._hits = event.typed, event.hits
        listed = self.query_one("#hits", OptionList)
        width = self.query_one("#listing").content_size.width - 3
        listed.clear_options()
        above = (None, *(hit.entry for hit in event.hits))
        pairs = zip(event.hits, above, strict=False)
        listed.add_options([Option(hit_prompt(hit, self.words, width, entry)) for hit, entry in pairs])
        if event.hits:
            listed.highlighted = 0
        self._arrange()

    # -- choosing --------------------------------------------------------------------------------------------

    @on(QuestionInput.Step)
    def step(self, event: QuestionInput.Step) -> None:
        """Arrows in the filter move the list."""
        if self._typed:
            listed = self.query_one("#hits", OptionList)
            if listed.option_count:
                listed.highlighted = max(0, min(listed.option_count - 1, (listed.highlighted or 0) + event.by))
        else:
            tree = self.query_one(DocumentTree)
            tree.cursor_line = max(0, min(tree.last_line, tree.cursor_line + event.by))

    def action_step_down(self) -> None:
        """As the down arrow."""
        self.step(QuestionInput.Step(1))

    @on(QuestionInput.Fold)
    def fold(self, event: QuestionInput.Fold) -> None:
        """Open the folder under the cursor; close it, or go to the one around it."""
        tree = self.query_one(DocumentTree)
        node = tree.cursor_node
        if node is None:
            return
        if event.unfold:
            if node.allow_expand:
                node.expand()
        elif node.is_expanded:
            node.collapse()
        elif node.parent is not None and node.parent is not tree.root:
            tree.move_cursor(node.parent)

    @on(Input.Submitted, "#filter")
    def submitted(self, event: Input.Submitted) -> None:
        """Enter opens what the cursor stands on."""
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the hit or document; a folder unfolds."""
        if self._typed:
            number = self.query_one("#hits", OptionList).highlighted
            if number is not None and number < len(self._hits):
                self._open(self._hits[number])
            return
        tree = self.query_one(DocumentTree)
        node = tree.cursor_node
        if node is None:
            return
        if isinstance(node.data, Entry):
            self._open(Hit(node.data))
        else:
            node.toggle()

    def _open(self, hit: Hit) -> None:
        self.almanac.open_document(hit.entry.path, [hit.lines] if hit.lines else [], self._marks())

    def _marks(self) -> Marks:
        return Marks(words=tuple(self._typed.split()))

    @on(OptionList.OptionSelected, "#hits")
    def hit_chosen(self, event: OptionList.OptionSelected) -> None:
        """Open it."""
        event.stop()
        self._open(self._hits[event.option_index])

    @on(Tree.NodeSelected, "#tree")
    def node_chosen(self, event: Tree.NodeSelected[object]) -> None:
        """Open a document; folders unfold by themselves."""
        event.stop()
        if isinstance(event.node.data, Entry):
            self._open(Hit(event.node.data))

    # -- preview ---------------------------------------------------------------------------------------------

    @on(OptionList.OptionHighlighted, "#hits")
    def hit_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Look into it."""
        event.stop()
        if event.option_index < len(self._hits):
            self._preview(self._hits[event.option_index])

    @on(Tree.NodeHighlighted, "#tree")
    def node_highlighted(self, event: Tree.NodeHighlighted[object]) -> None:
        """Look into it."""
        event.stop()
        if isinstance(event.node.data, Entry):
            self._preview(Hit(event.node.data))
        elif isinstance(event.node.data, str):
            self._list_folder(event.node.data)

    def _list_folder(self, prefix: str) -> None:
        """What lies in a folder, in place of a preview."""
        self._ticket += 1
        taxonomy, words = self.almanac.catalog.taxonomy, self.words
        names = [line(taxonomy.label(name, words.lang)) for name in prefix.strip("/").split("/")]
        inside = [entry for entry in self.almanac.catalog.entries if entry.path.startswith(prefix)]
        rows = [Content.styled(words.between.join(names), "bold")]
        rows.append(Content.styled(words("documents", count=len(inside)), "$muted"))
        title = self.query_one("#look-title", Static)
        width = title.content_size.width
        rows += [Content(""), *(marked_title(entry, words, width) for entry in inside[:_PREVIEW_PIECES])]
        title.update(Content("\n").join(rows))
        self.query_one(DocumentView).remove_children()

    def _preview(self, hit: Hit) -> None:
        if self.app.size.width < 60:
            return
        self._ticket += 1
        ticket, runtime = self._ticket, self.almanac.runtime
        self._previewed = hit
        self._look.submit(lambda: work.read_page(runtime, hit.entry.path, ticket, self.post_message), self.failed)

    @on(messages.PageRead)
    async def page_read(self, event: messages.PageRead) -> None:
        """Show the document, at the place found."""
        if event.ticket != self._ticket:
            return
        facts = event.page.facts
        room = self.query_one("#look-title").content_size.width
        title = Content.assemble((line(facts.title), "bold"), "\n", facts_line(facts, self.words, room))
        self.query_one("#look-title", Static).update(title)
        lines = self._previewed.lines
        limit = None if lines else _PREVIEW_PIECES
        await self.query_one(DocumentView).show(event.page, self.words, self._marks(), lines, limit)

    def show_trouble(self, error: BaseException) -> None:
        """A document that cannot be read says why in its preview, where there is room for one."""
        if not self.query_one("#look").display:
            super().show_trouble(error)
            return
        self.query_one("#look-title", Static).update(Content(self.words.problem(error)))
        self.query_one(DocumentView).remove_children()

    def on_resize(self, event: events.Resize) -> None:
        """The preview needs room."""
        self.query_one("#look").display = event.size.width >= 60

    def action_back(self) -> None:
        """Clear the filter first."""
        entry = self.query_one("#filter", QuestionInput)
        if entry.value:
            entry.value = ""
            entry.focus()
        else:
            self.dismiss(None)


class DocumentTree(Tree[object]):
    """Folders by their names in the current language; children are made when a folder is opened."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__("", id=id)
        self.show_root = False
        self.guide_depth = 2
        self._catalog = Catalog()
        self._words = Words("en")
        self._branches: dict[str, tuple[list[str], list[Entry]]] = {}

    def fill(self, catalog: Catalog, words: Words) -> None:
        """Show the top folders; a single one is opened."""
        self._catalog, self._words = catalog, words
        self._branches = branches(catalog)
        self.show_guides = not words.plain
        self.ICON_NODE, self.ICON_NODE_EXPANDED = ("+ ", "- ") if words.plain else ("▸ ", "▾ ")
        self.clear()
        self._grow(self.root, "")
        self.root.expand()
        folders = [node for node in self.root.children if node.allow_expand]
        if len(folders) <= 4:
            for node in folders:
                node.expand()
        self.cursor_line = 0

    @on(Tree.NodeExpanded)
    def expanded(self, event: Tree.NodeExpanded[object]) -> None:
        """Make the children of a folder."""
        if isinstance(event.node.data, str) and not event.node.children:
            self._grow(event.node, event.node.data)

    def _grow(self, node: TreeNode[object], prefix: str) -> None:
        folders, entries = self._branches.get(prefix, ([], []))
        for name in folders:
            label = line(self._catalog.taxonomy.label(name, self._words.lang))
            node.add(Text(label, style="bold"), data=f"{prefix}{name}/")
        for entry in entries:
            node.add_leaf(entry_label(entry, self._words), data=entry)


def entry_label(entry: Entry, words: Words) -> Text:
    """A document's title, with what is wrong about it in a word."""
    label = Text(line(entry.title))
    if entry.mark:
        label.append(f"  ! {words('mark_' + entry.mark)}", style="italic")
    return label


def marked_title(entry: Entry, words: Words, width: int, style: str = "") -> Content:
    """A document's title, cut so that behind it there is room for what is wrong about the document."""
    mark = f"  ! {words('mark_' + entry.mark)}" if entry.mark else ""
    return Content.assemble((fit(line(entry.title), max(width - cell_len(mark), 8)), style), (mark, "$warning"))


def hit_prompt(hit: Hit, words: Words, width: int, above: Entry | None = None) -> Content:
    """A hit: the title and its mark, and the headings in a second line; headings alone in the document `above`."""
    heads = fit("  " + words.between.join(line(name) for name in hit.trail), width) if hit.trail else ""
    if heads and above == hit.entry:
        return Content.styled(heads, "$muted")
    title = marked_title(hit.entry, words, width, "bold" if hit.lines is None else "")
    return Content.assemble(title, "\n", (heads, "$muted")) if heads else title
