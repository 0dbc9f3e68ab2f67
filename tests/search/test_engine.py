"""kb.search.engine: models are checked before they are loaded, and may lie inside other files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from kb.config import ModelFile
from kb.errors import AlmanacError
from kb.search import engine as engine_module
from kb.search.engine import verify
from tests.conftest import Engine


def _model(path: Path, data: bytes, before: bytes = b"", sha256: str | None = None) -> ModelFile:
    path.write_bytes(before + data + b"behind")
    digest = hashlib.sha256(data).hexdigest() if sha256 is None else sha256
    return ModelFile("m.gguf", path, len(before), len(data), digest)


GOOD = b"GGUF" + bytes(range(256)) * 20


def test_a_whole_model_passes_wherever_it_lies(tmp_path: Path) -> None:
    verify(_model(tmp_path / "a", GOOD))
    verify(_model(tmp_path / "b", GOOD, b"\0" * 4096))
    verify(_model(tmp_path / "c", GOOD, sha256=""))


@pytest.mark.parametrize("place", [4, 1000, len(GOOD) - 1])
def test_one_changed_byte_is_seen(tmp_path: Path, place: int) -> None:
    changed = bytearray(GOOD)
    changed[place] ^= 1
    model = _model(tmp_path / "a", bytes(changed), sha256=hashlib.sha256(GOOD).hexdigest())
    with pytest.raises(AlmanacError) as caught:
        verify(model)
    assert caught.value.key == "model_damaged"
    assert "m.gguf" in str(caught.value)


@pytest.mark.parametrize("size", [0, 3, 4, 100])
def test_a_cut_model_is_seen(tmp_path: Path, size: int) -> None:
    model = _model(tmp_path / "a", GOOD)
    model.path.write_bytes(GOOD[:size])
    with pytest.raises(AlmanacError) as caught:
        verify(model)
    assert caught.value.key in ("model_damaged", "model_not_gguf")


def test_what_is_no_model_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError, match="not a GGUF"):
        verify(_model(tmp_path / "a", b"ELF!" + GOOD))
    with pytest.raises(AlmanacError, match="none"):
        verify(ModelFile("m", tmp_path / "none", 0, 9, ""))


def test_libraries_that_are_not_there_are_said(tmp_path: Path, engine: Engine) -> None:
    with pytest.raises(AlmanacError) as caught:
        engine_module.load_backend(tmp_path, tmp_path / "libggml-cpu-x.so")
    assert caught.value.key in ("native_missing", "native_unusable")


def test_a_model_that_llama_cpp_refuses_is_an_error(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        engine_module.Model(_model(tmp_path / "a", GOOD))
    assert caught.value.key == "model_load_failed"
    with pytest.raises(AlmanacError) as caught:
        engine_module.Model(ModelFile("m", tmp_path / "none", 0, 9, ""))
    assert caught.value.key == "unreadable"


def test_a_cut_model_is_refused_with_the_reason(engine: Engine, tmp_path: Path) -> None:
    source = engine.assets.embedder
    assert source is not None
    data = source.path.read_bytes()[source.offset : source.offset + source.size // 2]
    with pytest.raises(AlmanacError) as caught:
        engine_module.Model(_model(tmp_path / "cut", data))
    assert "incomplete" in str(caught.value.params["reason"])


def test_a_model_inside_a_larger_file_is_mapped(engine: Engine, tmp_path: Path) -> None:
    source = engine.assets.embedder
    assert source is not None
    inside = tmp_path / "executable"
    with inside.open("wb") as file:
        file.write(b"\0" * 8192)
        file.write(source.path.read_bytes())
    model = engine_module.Model(ModelFile("inside", inside, 8192, source.size, source.sha256))
    assert model.tokens("水泵") == engine_module.Model(source).tokens("水泵")
    assert str(inside) in Path("/proc/self/maps").read_text()
    assert model.metadata("general.architecture") == "bert"
    assert model.metadata("no.such.key") is None
    model.close()
    model.close()
