"""Pieces of a screen. They show values and post messages; none of them calls kb."""
