"""Tests of kb.supply."""
