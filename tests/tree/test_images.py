"""kb.tree.images: relative, inside the root, existing; whatever the spelling."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from kb.errors import KnowledgeError
from kb.tree.contract.links import find_links
from kb.tree.images import image_path
from tests.helpers import write


@pytest.mark.parametrize("name", ["a.png", "a b.png", "图片 一.png", "50%.png", "a(1).png", "a#1.png", "50%20off.png"])
def test_the_file_behind_a_link_is_found(empty_tree: Path, name: str) -> None:
    target = write(empty_tree, f"crop/images/{name}", b"x")
    (link,) = find_links(f"![a](<images/{quote(name)}>)")
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
