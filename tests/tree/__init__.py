"""Tests of kb.tree: files as they lie on disk."""
