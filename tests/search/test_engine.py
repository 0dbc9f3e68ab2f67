"""kb.search.engine: models may lie inside other files; what llama.cpp refuses is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.config import ModelFile
from kb.errors import AlmanacError
from kb.search import engine as engine_module
from tests.conftest import Engine


def _part(path: Path, data: bytes) -> ModelFile:
    path.write_bytes(data + b"behind")
    return ModelFile("m.gguf", path, 0, len(data), "")


def test_libraries_that_are_not_there_are_said(tmp_path: Path, engine: Engine) -> None:
    with pytest.raises(AlmanacError) as caught:
        engine_module.load_backend(tmp_path, tmp_path / "libggml-cpu-x.so")
    assert caught.value.key in ("native_missing", "native_unusable")


def test_a_model_that_llama_cpp_refuses_is_an_error(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        engine_module.Model(_part(tmp_path / "a", b"GGUF" + bytes(range(256)) * 20))
    assert caught.value.key == "model_load_failed"
    with pytest.raises(AlmanacError) as caught:
        engine_module.Model(ModelFile("m", tmp_path / "none", 0, 9, ""))
    assert caught.value.key == "unreadable"


def test_a_cut_model_is_refused_with_the_reason(engine: Engine, tmp_path: Path) -> None:
    source = engine.assets.embedder
    assert source is not None
    data = source.path.read_bytes()[source.offset : source.offset + source.size // 2]
    with pytest.raises(AlmanacError) as caught:
        engine_module.Model(_part(tmp_path / "cut", data))
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
