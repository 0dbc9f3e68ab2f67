"""The bill of materials: what lies in the environment of these tests stands for what is packed."""

from __future__ import annotations

import json
import shutil
from importlib import metadata
from pathlib import Path

import pytest
import sbom
from sbom import Component


def test_licences_are_spdx_where_the_package_says_so() -> None:
    found = {name: sbom._package(metadata.distribution(name)) for name in ("numpy", "textual", "pypdfium2", "rich")}
    assert found["rich"].licence == "MIT"
    assert found["textual"].licence == "MIT"
    assert "BSD-3-Clause" in found["numpy"].licence
    assert found["numpy"].purl == f"pkg:pypi/numpy@{metadata.version('numpy')}"
    assert all(component.texts for component in found.values())
    assert all(text.suffix != ".py" for component in found.values() for text in component.texts)


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="needs dpkg")
def test_a_library_is_named_by_its_package(tmp_path: Path) -> None:
    own = tmp_path / "libown.so"
    own.write_bytes(b"x")
    found = sbom.system_libraries([Path("/bin/sh").resolve(), own])
    by_name = {component.name: component for component in found}
    shell = next(component for name, component in by_name.items() if name != "libown.so")
    assert shell.version
    assert shell.purl == f"pkg:deb/debian/{shell.name}@{shell.version.replace('+', '%2B')}"
    assert by_name["libown.so"].sha256


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="needs dpkg")
def test_libraries_of_another_root_are_named_by_its_own_database(tmp_path: Path) -> None:
    root = tmp_path / "root"
    files = {
        "var/lib/dpkg/status": "Package: libfarm1\nStatus: install ok installed\nArchitecture: all\nVersion: 1.2-3\n"
        "Maintainer: none <none@example.org>\nDescription: none\n",
        "var/lib/dpkg/info/libfarm1.list": "/.\n/usr\n/usr/lib\n/usr/lib/libfarm.so.1\n",
        "usr/lib/libfarm.so.1": "x",
        "usr/share/doc/libfarm1/copyright": "words",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (found,) = sbom.system_libraries([root / "usr/lib/libfarm.so.1"], root)
    assert (found.name, found.version, found.purl) == ("libfarm1", "1.2-3", "pkg:deb/debian/libfarm1@1.2-3")
    assert [text.read_text() for text in found.texts] == ["words"]


def test_a_package_url_keeps_to_its_rules() -> None:
    assert sbom._package(metadata.distribution("typing_extensions")).purl.startswith("pkg:pypi/typing-extensions@")
    assert sbom._purl("deb/debian", "git", "1:2.39.5-0+deb12u3") == "pkg:deb/debian/git@1:2.39.5-0%2Bdeb12u3"


def test_llama_cpp_is_named_with_what_it_was_built_from(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"sdist": "llama_cpp_python-0.3.36"}')
    (tmp_path / "LICENSE.llama.cpp").write_text("words")
    found = sbom.llama_cpp(tmp_path)
    assert found.purl == "pkg:generic/llama.cpp@llama_cpp_python-0.3.36"
    assert [text.read_text() for text in found.texts] == ["words"]


def test_the_document_depends_on_its_input_alone(tmp_path: Path) -> None:
    text = tmp_path / "LICENSE"
    text.write_text("words")
    other = tmp_path / "x"
    other.mkdir()
    (other / "LICENSE").write_text("more words")
    parts = [
        Component("library", "a", "1", "MIT", "pkg:pypi/a@1", texts=(text, other / "LICENSE")),
        Component("machine-learning-model", "m", "", "Some Terms of Use", sha256="0" * 64),
    ]
    for name in "xy":
        sbom.write(tmp_path / name / "out", parts, "c" * 40)
    written = (tmp_path / "x" / "out" / sbom.FILE_NAME).read_bytes()
    assert written == (tmp_path / "y" / "out" / sbom.FILE_NAME).read_bytes()
    document = json.loads(written)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    assert document["components"][0]["licenses"] == [{"expression": "MIT"}]
    assert document["components"][1]["licenses"] == [{"license": {"name": "Some Terms of Use"}}]
    assert document["components"][1]["hashes"] == [{"alg": "SHA-256", "content": "0" * 64}]
    copied = sorted(path.read_text() for path in (tmp_path / "x" / "out" / "a").iterdir())
    assert copied == ["more words", "words"]
    assert sbom.document(parts, "d" * 40)["serialNumber"] != document["serialNumber"]
