"""Tests of kb.cli: the command line, in this process and as a program."""
