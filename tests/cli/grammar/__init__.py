"""Tests of kb.cli.grammar."""
