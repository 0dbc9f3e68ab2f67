"""Faults: processes killed at each step, full and read-only disks, damaged files, two at once."""
