"""kb.tree.images: relative, inside the root, existing; whatever the spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.tree.images import ImageLink, image_links, image_path
from tests.helpers import write


@pytest.mark.parametrize(
    ("markdown", "target"),
    [
        ("![a](images/a.png)", "images/a.png"),
        ('![a](images/a.png "A title")', "images/a.png"),
        ("![a](<images/a b.png>)", "images/a b.png"),
        ("![a](images/a%20b.png)", "images/a b.png"),
        ("![图](images/图片.png)", "images/图片.png"),
        ("![a][ref]\n\n[ref]: images/a.png", "images/a.png"),
        ("text ![a](a.png) more", "a.png"),
        ("| x |\n|---|\n| ![a](a.png) |", "a.png"),
        ("- ![a](a.png)", "a.png"),
    ],
)
def test_links_are_read_as_people_write_them(markdown: str, target: str) -> None:
    assert [link.target for link in image_links(markdown)] == [target]


def test_code_holds_no_images() -> None:
    assert image_links("```\n![a](a.png)\n```\n\n`![a](b.png)`\n\n    ![a](c.png)\n") == []


def test_a_link_knows_its_line_and_words() -> None:
    assert image_links("# T\n\nfirst\n\n![需求 图](x.png)")[0] == ImageLink("x.png", "需求 图", 5)


@pytest.mark.parametrize("name", ["a.png", "a b.png", "图片 一.png", "50%.png", "a(1).png", "a#1.png", "50%20off.png"])
def test_the_file_behind_a_link_is_found(empty_tree: Path, name: str) -> None:
    from urllib.parse import quote

    target = write(empty_tree, f"crop/images/{name}", b"x")
    write(empty_tree, "crop/a.md", f"![a](<images/{quote(name)}>)")
    (link,) = image_links((empty_tree / "crop/a.md").read_text())
    assert image_path(empty_tree, "crop/a.md", link.target) == target


@pytest.mark.parametrize("written", ["images/a b.png", "images/a%20b.png", "<images/a b.png>", "./images/a b.png",
                                     "images/../images/a b.png"])  # fmt: skip
def test_a_spelling_of_a_person_is_understood(empty_tree: Path, written: str) -> None:
    target = write(empty_tree, "crop/images/a b.png", b"x")
    assert image_path(empty_tree, "crop/a.md", written) == target


def test_an_image_of_a_neighbour_is_inside(empty_tree: Path) -> None:
    target = write(empty_tree, "shared/a.png", b"x")
    assert image_path(empty_tree, "crop/soybean/a.md", "../../shared/a.png") == target


@pytest.mark.parametrize(
    ("image", "key"),
    [
        ("images/none.png", "image_missing"),
        ("../../../../etc/passwd", "path_outside"),
        ("..%2f..%2f..%2f..%2fetc/passwd", "path_outside"),
        ("/etc/passwd", "image_not_relative"),
        ("file:///etc/passwd", "image_not_relative"),
        ("https://example.org/a.png", "image_not_relative"),
        ("data:image/png;base64,AAAA", "image_not_relative"),
        ("C:\\a.png", "image_not_relative"),
        ("\\\\server\\a.png", "image_not_relative"),
        ("images/link.png", "path_outside"),
        ("", "image_missing"),
    ],
)
def test_everything_else_is_refused(empty_tree: Path, tmp_path: Path, image: str, key: str) -> None:
    secret = write(tmp_path, "secret.png", b"x")
    (empty_tree / "crop/images").mkdir(parents=True)
    (empty_tree / "crop/images/link.png").symlink_to(secret)
    with pytest.raises(KnowledgeError) as caught:
        image_path(empty_tree, "crop/a.md", image)
    assert caught.value.key == key
