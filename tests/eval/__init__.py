"""Quality floors on public question sets; skipped where the sets are not beside the project."""
