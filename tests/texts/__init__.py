"""Tests of kb.texts: what people read."""
