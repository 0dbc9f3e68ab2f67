"""Faults of the field that run through the whole program; README.md says which test holds which kind."""
