"""Tests, in folders that mirror the source; `data` holds healthy and broken inputs."""
