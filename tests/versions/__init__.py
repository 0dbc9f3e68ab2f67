"""Tests of kb.versions: Git as memory."""
