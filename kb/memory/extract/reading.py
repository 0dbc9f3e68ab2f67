"""The two passes over a document: first every name it uses, then what it states of them."""

from __future__ import annotations

import re

from kb.memory.extract import events, parties, relations, subject, tables
from kb.memory.extract.collector import Collector, Span
from kb.memory.extract.constraints import Limit, limits
from kb.memory.extract.dates import DateFound, dates
from kb.memory.extract.document import Passage, ReadDocument
from kb.memory.extract.leads import joined
from kb.memory.extract.mentions import HAN, SHORT_PERSON, KnownNames, mentions
from kb.memory.extract.pointing import Pointing
from kb.memory.extract.statement import Statement
from kb.memory.extract.statements import statements
from kb.memory.extract.written import Written
from kb.memory.names import has_code, is_generic
from kb.memory.schema import ConstraintKind, EntityType, Extraction

_LOOSE_HAN = re.compile(rf"[{HAN}A-Za-z0-9-]{{2,10}}")
_LOOSE_LATIN = re.compile(r"[A-Za-z][\w'/-]*(?: [\w'/-]+){0,3}")
# What begins or ends like this is no name of a thing.
_NO_THING = re.compile(
    r"^(?:在|当|若|如|于|对|按|从|向|把|将|使|让|请|先|再|并|应|须|需|不|未|无|有|可|能|已|只|仅|每|各|及|或|与|和|"
    r"以|其|第|共|约|均|最|更|进行|打开|关闭|检查|清洗|启动|停止|"
    r"加入|使用|采用|设置|调整|更换|确认|保持|注意|防止|避免|严禁|禁止|发生|出现|达到|超过|低于|高于|逾期|任何|所有|"
    r"一般|通常|同时|"
    r"双方|一方|对方|另一方|买卖双方|用户|客户|操作者|操作人员|工作人员|人员|本人|自己|大家|"
    r"(?:it|this|that|these|those|there|if|when|after|before|at|in|on|to|for|by|with|no|not|do|never|always|each|"
    r"every|all|any|both|please|make|use|keep|check|"
    r"clean|add|apply|take|set|turn|open|close|start|stop|wait|allow|fill|drain|remove|replace|you|we|they|he|she|"
    r"which|who|users?|operators?)\b)|"
    r"(?:时|后|前|中|下|上|内|外|者|的|了|着|过|等|方面|情况|日期|时候|以后|以前)$",
    re.IGNORECASE,
)
_DATE_NAME = re.compile(
    r"日期|时间|期限|有效期|截止|生效|到期|交货|date|deadline|expir|valid|period|effective|due", re.IGNORECASE
)
_SET_DAY = re.compile(
    r"(?:[应须将]|必须|要求)?(?:于|在|至|定于)?\s?$(?<=[应须将于在求])|\b(?:by|before|no later "
    r"than|until|on)\s?$",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"^(?:本条|本款|上述|以上|前款|该条|本节|this (?:clause|section|provision|paragraph)|the (?:above|foregoing))",
    re.IGNORECASE,
)
# How sure a value is that is named by a condition beside another one.
_LOOSE = 0.7
_NOTE_MIN = 2
_MAX_PARTS = 12


def extract(document: ReadDocument) -> Extraction:
    """Everything that the rules find in `document`; the same text always gives the same records."""
    return _Reader(document).read()


class _Reader:
    """One reading of one document."""

    def __init__(self, document: ReadDocument) -> None:
        self.document = document
        self.found = Collector(document)
        self.tables = {
            passage.start: table
            for passage in document.passages
            if passage.kind == "table" and (table := tables.read_table(passage.raw, passage.start))
        }
        self.main = ""
        self.known = KnownNames(())
        self._topics: dict[tuple[str, ...], str] = {}
        self._section: list[str] = []
        self._pointing = Pointing()
        self._trail: tuple[str, ...] = ()

    def read(self) -> Extraction:
        """Both passes."""
        self._name_things()
        self.known = KnownNames(self.found.names())
        parties_here = {*self.found.typed(EntityType.ORGANISATION), *self.found.typed(EntityType.PERSON)}
        for passage in self.document.passages:
            if passage.trail != self._trail:
                self._trail, self._section = passage.trail, []
            scope = self._topic(passage)
            if passage.start in self.tables:
                self._read_table(passage, scope)
            else:
                self._pointing = Pointing(parties_here)
                for sentence in passage.words.sentences():
                    self._read_sentence(sentence, scope, passage)
        return self.found.done()

    # -- first pass: names ---------------------------------------------------------------------------------------

    def _name_things(self) -> None:
        prose = [passage for passage in self.document.passages if passage.words.plain]
        sentences = [sentence for passage in prose for sentence in passage.words.sentences()]
        stated = [(item, sentence) for sentence in sentences for item in parties.called(sentence.plain)]
        names = tuple(dict.fromkeys(item.name for item, _ in stated if item.role))
        opening = "\n".join(passage.words.plain or passage.raw for passage in self.document.passages[:12])
        about = subject.subject_of(self.document.title, opening, self.document.doc_id, names)
        self.main = self.found.entity(about.name, about.type, self._title_span())
        for alias in about.aliases:
            self.found.alias(self.main, alias, "memory_alias_title", None)
        for item, sentence in stated:
            span = sentence.span(*item.span)
            name = self.found.entity(item.name, item.type, span)
            self.found.alias(name, item.alias, item.reason, span, local=item.local)
            if item.role and name != self.main:
                self.found.relation(self.main, item.alias, name, span, 0.95)
        for sentence in sentences:
            for name in parties.parties_between(sentence.plain):
                self.found.entity(name, EntityType.ORGANISATION, sentence.span())
            for mention in mentions(sentence.plain):
                self.found.entity(mention.name, mention.type, sentence.span(mention.start, mention.end))
            for start, end in relations.labelled_people(sentence.plain):
                self.found.entity(sentence.shown[start:end], EntityType.PERSON, sentence.span(start, end))
        for passage in self.document.passages:
            if passage.start in self.tables:
                self._name_rows(passage)
        for passage in self.document.passages:
            for heading in passage.trail:
                for mention in mentions(heading):
                    self.found.entity(mention.name, mention.type, (passage.start, passage.start + len(passage.raw)))
        for alias in about.local:
            if self.found.known(alias) is None:
                self.found.alias(self.main, alias, "memory_alias_title", None, local=True)
        self._short_people(sentences)

    def _title_span(self) -> Span:
        """Where the title stands, or the first words where it stands nowhere."""
        place = self.document.text.find(self.document.title) if self.document.title else -1
        if place >= 0:
            return place, place + len(self.document.title)
        first = self.document.passages[0] if self.document.passages else None
        return (first.start, first.start + min(len(first.raw), 80)) if first else (0, 0)

    def _name_rows(self, passage: Passage) -> None:
        table = self.tables[passage.start]
        for cell in table.cells:
            if cell.subject and not is_generic(cell.subject):
                known = mentions(cell.subject)
                whole = bool(known) and known[0].end - known[0].start >= len(cell.subject) - 1
                self.found.entity(cell.subject, known[0].type if whole else table.subject_type, cell.row.span())
        for mention in mentions(passage.raw):
            place = passage.start + mention.start
            self.found.entity(mention.name, mention.type, (place, place + len(mention.name)))

    def _short_people(self, sentences: list[Written]) -> None:
        """张总 is 张伟 when he is the only 张 here and the text calls him a leader; else somebody is asked."""
        people = self.found.typed(EntityType.PERSON)
        text = self.document.text
        for sentence in sentences:
            for match in SHORT_PERSON.finditer(sentence.plain):
                same = [name for name in people if name[0] == match["surname"] and 2 <= len(name) <= 3]
                if len(same) != 1 or self.found.known(match[0]) is not None:
                    continue
                name, span = same[0], sentence.span(*match.span())
                title = "总经理|总监|董事长|总裁|总工" if match["title"] in "总工" else re.escape(match["title"])
                if re.search(
                    rf"(?:{title})\s?{re.escape(name)}|{re.escape(name)}\s?[(（]?(?:\S{{0,6}})(?:{title})", text
                ):
                    self.found.alias(name, match[0], "memory_alias_person", span, local=True)
                else:
                    self.found.entity(match[0], EntityType.PERSON, span)
                    self.found.guess(match[0], name, 0.7, "memory_guess_person")

    # -- what a passage is about ---------------------------------------------------------------------------------

    def _topic(self, passage: Passage) -> str:
        """The entity that the headings above a passage are about; the document's own where they name none."""
        if passage.trail in self._topics:
            return self._topics[passage.trail]
        topic = self.main
        for heading in reversed(passage.trail[1:] if len(passage.trail) > 1 else ()):
            bare = subject.bare_heading(heading)
            named = [name for _, _, name in self.known.find(bare) if not is_generic(name)]
            if named:
                topic = named[0]
                break
            if subject.is_component(bare):
                span = (passage.start, passage.start + len(passage.raw))
                topic = self.found.entity(bare, EntityType.THING, span)
                if topic != self.main:
                    self.known = KnownNames(self.found.names())
                break
        self._topics[passage.trail] = topic
        return topic

    def _resolve(self, written: str, scope: str) -> str | None:
        """The entity that words stand for: a known one, or the scope for words that only point (本设备)."""
        plain = re.sub(
            r"^(?:the|a|an|this|that|each|every|its|该|本|此|这台|每台)\s?", "", written.strip(), flags=re.IGNORECASE
        )
        if not plain or is_generic(plain) or is_generic(written):
            return scope
        return self.found.known(plain) or self.found.known(written)

    # -- second pass: tables -------------------------------------------------------------------------------------

    def _read_table(self, passage: Passage, scope: str) -> None:
        table = self.tables[passage.start]
        topic = subject.bare_heading(passage.trail[-1]) if passage.trail else ""
        for cell in table.cells:
            name = self.found.known(cell.subject) if cell.subject else None
            owner = name or scope
            spoken = cell.name or topic
            if cell.subject and name is None:
                spoken = f"{cell.subject} {spoken}"
            conditions = tuple(f"{head}: {said}" if head else said for head, said in cell.conditions)
            inner = limits(cell.place.plain) if cell.kind != "text" else []
            conditions += tuple(cell.place.shown[limit.start : limit.end] for limit in inner if limit.condition)
            record = self.found.attribute(
                owner, spoken, cell.value, cell.unit, cell.row.span(), conditions=conditions, confidence=0.95
            )
            self._label(spoken, cell.value, owner, cell.row.span(), cell.place)
            for source in (cell.note, cell.place if cell.kind == "text" else None):
                if source is not None and len(source.plain) >= _NOTE_MIN:
                    for limit in limits(source.plain):
                        self.found.constraint(limit.kind, source.shown, (record,), source.span())
        for row in table.dated:
            self._dated_row(row, passage)

    def _dated_row(self, row: tables.DatedRow, passage: Passage) -> None:
        for date in dates(row.date.plain, self.document.stated_on):
            if date.when is None:
                self.found.finding(date.problem, row.date.shown, row.date.span())
                continue
            kind = events.kind_of_event(row.description, 0, 0)
            if kind == events.OTHER and passage.trail:
                kind = events.kind_of_event(passage.trail[-1], 0, 0)
            people = tuple(dict.fromkeys(name for _, _, name in self.known.find(row.row.plain)))
            self.found.event(date.when, kind, people[:_MAX_PARTS], row.description or row.row.shown, row.row.span())

    # -- second pass: sentences ----------------------------------------------------------------------------------

    def _read_sentence(self, sentence: Written, scope: str, passage: Passage) -> None:
        plain = sentence.plain
        found_limits = limits(plain)
        found_dates = dates(plain, self.document.stated_on)
        names = self.known.find(plain)
        heading = subject.bare_heading(passage.trail[-1]) if passage.trail else ""
        stated = statements(plain, found_limits, found_dates, self.known, heading)
        stated = self._pointing.resolve(stated, plain, scope)
        records = [self._state(item, sentence, scope) for item in stated if not item.threshold]
        # A condition whose value is all that is stated is told with the whole sentence.
        alone = not records
        records += [self._state(item, sentence, scope) for item in stated if item.threshold]
        records += self._events(sentence, found_dates, names)
        for relation in relations.stated(plain, names, self._may_be_part):
            records.append(self._relate(relation, sentence))
        for start, _, name in names:
            if predicate := relations.label_before(plain[:start]):
                records.append(self._relate(relations.Stated(scope, predicate, name, 0, len(plain)), sentence))
        self._constrain(sentence, found_limits, names, scope, records, alone)
        self._section += records

    def _owner(self, item: Statement, scope: str) -> tuple[str, str]:
        """Whose value a statement gives, and what it is called there.

        A name that nothing else makes a thing of its own (the hydraulic oil) goes into what is said of the scope.
        What a contract obliges a party to is said of the contract.
        """
        if not item.subject:
            return scope, item.name
        if item.kind == "definition":
            return item.subject, item.name
        owner = self._resolve(item.subject, scope)
        if owner is None:
            return scope, _of(item.subject, item.name)
        party = self.found.type_of(owner) in (EntityType.ORGANISATION, EntityType.PERSON)
        if party and owner != self.main and self.found.type_of(self.main) is EntityType.DOCUMENT:
            return scope, _of(self.found.short_name(owner), item.name)
        return owner, item.name

    def _state(self, item: Statement, sentence: Written, scope: str) -> str:
        owner, name = self._owner(item, scope)
        kind = EntityType.TERM if item.kind == "definition" else EntityType.THING
        span = sentence.span(item.start, item.end)
        owner = self.found.entity(owner, kind, sentence.span())
        conditions = tuple(sentence.shown[limit.start : limit.end] for limit in item.conditions)
        value = sentence.shown[item.start : item.end].strip() if item.end > item.start else item.value
        record = self.found.attribute(
            owner,
            name,
            value,
            item.unit,
            sentence.span(),
            conditions=conditions,
            confidence=_LOOSE if item.loose else 0.9 if item.kind != "number" else 0.8,
        )
        self._label(name, value, owner, span, sentence.part(item.start, item.end))
        return record

    def _label(self, label: str, value: str, owner: str, span: Span, place: Written) -> None:
        """A label whose value is a name states a relation: 制造商, contact, attendees."""
        predicate = relations.label_predicate(label)
        if not predicate:
            return
        for name, person in relations.named_values(predicate, value, self.known.find(value)):
            kind = EntityType.PERSON if person else EntityType.THING
            if predicate in relations.PEOPLE and not person and self.found.type_of(name) is EntityType.ORGANISATION:
                continue  # 联系人：甲方 高志远: whose people they are
            if person or self.found.known(name) is not None or (not has_code(name) and not is_generic(name)):
                target = self.found.entity(name, kind, place.span())
                if target != owner:
                    self.found.relation(owner, predicate, target, span)

    def _may_be_part(self, name: str) -> bool:
        known = self.found.known(name)
        if known:
            return True
        pattern = _LOOSE_HAN if re.search(rf"[{HAN}]", name) else _LOOSE_LATIN
        return (
            bool(pattern.fullmatch(name))
            and not _NO_THING.search(name)
            and not is_generic(name)
            and not re.search(r"\d", name)
        )

    def _relate(self, item: relations.Stated, sentence: Written) -> str:
        span = sentence.span(item.start, item.end)
        owner = self.found.entity(item.subject, EntityType.THING, span)
        other = self.found.entity(item.object, EntityType.THING, span)
        return self.found.relation(owner, item.predicate, other, sentence.span(), item.confidence)

    def _events(self, sentence: Written, found: list[DateFound], names: list[tuple[int, int, str]]) -> list[str]:
        records = []
        for date in found:
            if date.when is None:
                if date.problem == "memory_date_impossible":
                    self.found.finding(
                        date.problem, sentence.shown[date.start : date.end], sentence.span(date.start, date.end)
                    )
                continue
            kind = events.kind_of_event(sentence.plain, date.start, date.end)
            people = tuple(dict.fromkeys(name for _, _, name in names))
            records.append(self.found.event(date.when, kind, people[:_MAX_PARTS], sentence.shown, sentence.span()))
            named = self._dated_name(sentence.plain, date)
            if named:
                value = sentence.shown[date.start : date.end]
                records.append(self.found.attribute(self.main, named, value, "", sentence.span(), confidence=0.8))
        return records

    def _dated_name(self, text: str, date: DateFound) -> str:
        """What a date is the date of, where a sentence says so (有效期至…) or sets a day (应于…前交货); else ''."""
        lead = re.split(r"[,，;；:：]|\band\b", text[: date.start])[-1].lstrip()
        if _DATE_NAME.search(lead):
            name = re.sub(r"(?:应?为|是|至|于|从|自|在|is|are|until|by|on|to|from|the|\s)+$", "", lead).strip()
            name = re.sub(r"^(?:the|this|该|本)\s?", "", name, flags=re.IGNORECASE)
            return name if 2 <= len(name) <= 40 else ""
        if self.found.type_of(self.main) is not EntityType.DOCUMENT or not _SET_DAY.search(lead):
            return ""
        if re.search(rf"[{HAN}]", text):
            deed = re.match(r"(?:之?前|以前|内|起)?[,，]?\s?(?P<deed>[^,，。;；:：]{2,16})", text[date.end :])
            return f"{re.sub(_SET_DAY, '', lead).strip()}{deed['deed'].strip()}" if deed else ""
        return re.sub(r"\s(?:by|before|on|no later than|until)\s?$", "", lead).strip()[-40:]

    def _constrain(
        self,
        sentence: Written,
        found: list[Limit],
        names: list[tuple[int, int, str]],
        scope: str,
        records: list[str],
        alone: bool,
    ) -> None:
        """Bind each limit to what its sentence states; else to the section so far, the names in it, the scope."""
        for limit in found:
            text = sentence.shown[limit.start : limit.end]
            targets = list(records)
            whole = limit.condition and alone
            if whole or (limit.condition and limit.kind is not ConstraintKind.IF):
                text = sentence.shown
            if _ABOVE.match(sentence.plain):
                targets += self._section
            if not targets or not limit.condition:
                inside = [name for start, end, name in names if limit.start <= start < limit.end]
                targets += [self.found.entity_id(name) for name in dict.fromkeys(inside or [scope])]
            span = sentence.span() if text == sentence.shown else sentence.span(limit.start, limit.end)
            self.found.constraint(limit.kind, text, tuple(targets), span)


def _of(thing: str, name: str) -> str:
    """What a value of a thing is called that has no records of its own."""
    return name if name.lower().startswith(thing.lower()) else joined(thing, name)
