"""What the tests of this room share: a setting without models, and a model file that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.config import Config, ModelFile
from kb.paths import self_command


@pytest.fixture
def config(tree: Path, tmp_path: Path) -> Config:
    """The knowledge of the tests, a home of its own, no models."""
    return Config(home=tmp_path / "h", knowledge=tree, lang="en", self_command=self_command())


@pytest.fixture
def damaged_model(tmp_path: Path) -> ModelFile:
    """A file that begins like a model; its digest is not the one that is asked for."""
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF" + b"x" * 100)
    return ModelFile("m.gguf", path, 0, 104, "0" * 64)
