"""Tests of the interface: short scenarios on a small knowledge tree, waiting on conditions, never on time."""
