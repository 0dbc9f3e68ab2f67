"""Faults: processes killed at each step, full disks, damaged files, two at once."""
