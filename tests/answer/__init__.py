"""Tests of kb.answer: evidence, checker, models."""
