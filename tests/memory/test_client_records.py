"""kb.memory.client_records: records as plain data; which of several values counts today."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

from kb.memory.client import MemoryClient
from tests.memory.helpers import MANUAL, memory

OLD = "---\ntitle: 干燥机说明书\ndate_updated: 2023-01-01\n---\n# 干燥机说明书\n\n出口温度：60 ℃\n"
NEW = "---\ntitle: 干燥机说明书\ndate_updated: 2025-01-01\n---\n# 干燥机说明书\n\n出口温度：55 ℃\n"
DRAFT = NEW.replace("2025-01-01", "2026-01-01\nstatus: draft").replace("55", "50")
TODAY = datetime.date(2026, 6, 1)


def _values(client: MemoryClient) -> tuple[list[str], list[str]]:
    view = client.get_entity("干燥机")
    assert view is not None
    return [item.value for item in view.attributes], [item.value for item in view.superseded]


def test_the_newest_authoritative_valid_value_answers(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, old=OLD, new=NEW, draft=DRAFT), TODAY)
    assert _values(client) == (["55 ℃"], ["60 ℃", "50 ℃"])
    found = client.search_memory("干燥机出口温度是多少")
    assert [(item.value, item.superseded) for item in found] == [("55 ℃", False), ("60 ℃", True), ("50 ℃", True)]


def test_one_that_is_no_longer_valid_gives_way(tmp_path: Path) -> None:
    expired = NEW.replace("date_updated: 2025-01-01", "date_updated: 2025-01-01\nvalid_to: 2025-12-31")
    client = MemoryClient(memory(tmp_path, old=OLD, new=expired), TODAY)
    assert _values(client) == (["60 ℃"], ["55 ℃"])


def test_several_values_of_one_document_stand_side_by_side(tmp_path: Path) -> None:
    text = OLD + "\n出口温度：65 ℃\n"
    assert _values(MemoryClient(memory(tmp_path, a=text), TODAY))[0] == ["60 ℃", "65 ℃"]


def test_everything_is_json(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, a=MANUAL))
    view = client.get_entity("XM-2000")
    assert view is not None
    found = json.loads(json.dumps(view.to_json(), ensure_ascii=False))
    assert found["name"] == "XM-2000"
    first = found["attributes"][0]
    assert first["text"] == "XM-2000 · 额定功率: 5.5 kW"
    assert first["place"]["quote"].startswith("| 额定功率 | 5.5")
    assert [note["text"] for note in found["attributes"][1]["constraints"]] == ["不包括包装"]


def test_what_owes_its_entity_to_a_heading_says_so(tmp_path: Path) -> None:
    text = "# LG-37 空压机说明\n\n## 储气罐\n\n设计压力 1.25 MPa。\n\n储气罐容积 600 升。\n"
    with memory(tmp_path, tank=text) as store:
        view = MemoryClient(store).get_entity("储气罐")
    assert view is not None
    assert {item.value: item.inferred_from for item in view.attributes} == {"1.25 MPa": "储气罐", "600 升": ""}
