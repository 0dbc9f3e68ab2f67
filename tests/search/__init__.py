"""Tests of kb.search: index and retrieval."""
