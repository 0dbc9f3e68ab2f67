"""kb.answer.subjects: parallel folders, and whether a document speaks of the question's subject."""

from __future__ import annotations

from kb.answer.subjects import KnownSubjects, Names, mentioned, parallel_folders
from kb.tree.taxonomy import Taxonomy

PATHS = (
    "agriculture/crop/soybean/growth_v1.md",
    "agriculture/crop/maize/growth_v1.md",
    "agriculture/faq/field/questions_v1.md",
    "livestock/pig/disease/fever_v1.md",
    "livestock/cattle/disease/mastitis_v1.md",
    "livestock/cattle/management/calving_v1.md",
    "machinery/pump/fault_codes_v1.md",
)
TAXONOMY = Taxonomy(
    {
        "soybean": {"zh": ("大豆", "黄豆"), "en": ("Soybean",)},
        "maize": {"zh": ("玉米",), "en": ("Maize", "corn")},
        "pig": {"zh": ("猪",), "en": ("Pig",)},
        "crop": {"zh": ("作物",), "en": ("Crop",)},
    }
)
KNOWN = KnownSubjects.of(PATHS, TAXONOMY)


def test_folders_that_hold_the_same_kind_are_parallel() -> None:
    found = parallel_folders(PATHS)
    assert {"agriculture/crop/soybean", "agriculture/crop/maize", "livestock/pig", "livestock/cattle"} <= found
    assert "agriculture/crop" not in found
    assert "agriculture" not in found


def test_soybean_is_no_answer_about_maize() -> None:
    asked = KNOWN.named("玉米播种多深？")
    assert asked.folders == {"agriculture/crop/maize"}
    assert asked.differ_from("agriculture/crop/soybean/growth_v1.md", "大豆播种深度 3-5 cm")
    assert not asked.differ_from("agriculture/crop/maize/growth_v1.md", "播种深度 4-6 cm")


def test_names_count_in_both_languages() -> None:
    asked = KNOWN.named("How deep is corn sown?")
    assert asked.differ_from("agriculture/crop/soybean/growth_v1.md", "Plant soybean 3 cm deep")
    assert not asked.differ_from("agriculture/crop/soybean/growth_v1.md", "Rotate with 玉米")


def test_a_general_document_may_answer() -> None:
    asked = KNOWN.named("玉米播种多深？")
    assert not asked.differ_from("agriculture/faq/field/questions_v1.md", "播种深度怎么定")
    assert not asked.differ_from("machinery/pump/fault_codes_v1.md", "E-07")


def test_a_question_without_a_subject_limits_nothing() -> None:
    asked = KNOWN.named("播种多深？")
    assert not asked.folders
    assert not asked.differ_from("agriculture/crop/soybean/growth_v1.md", "3-5 cm")


def test_names_stand_whole_in_either_script() -> None:
    words = {"大豆": "soybean", "soy": "soy", "e-07": "fault", "soybean": "soybean", "花生": "peanut", "棉花": "cotton"}
    names = Names(words)
    assert mentioned("黄大豆 SOYBEAN e-07!", names) == {"soybean", "fault"}
    assert mentioned("棉花生育期", names) == {"cotton"}


def test_a_row_about_another_subject_is_no_answer_in_any_document() -> None:
    cattle = Taxonomy({"pig": {"zh": ("猪",)}, "cattle": {"zh": ("牛",)}})
    asked = KnownSubjects.of(PATHS, cattle).named("恩诺沙星用于猪休药几天")
    assert asked.others == {"cattle"}
    assert asked.row_differs("恩诺沙星 | 牛 | 14")
    assert not asked.row_differs("恩诺沙星 | 牛、猪 | 14")
    assert not asked.row_differs("恩诺沙星 | 14")
    assert not KnownSubjects.of(PATHS, cattle).named("恩诺沙星休药几天").row_differs("恩诺沙星 | 牛 | 14")
