"""Tests of kb.versions.update."""
