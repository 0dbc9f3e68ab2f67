"""Tests of kb.mcp."""
