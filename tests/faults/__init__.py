"""What must survive: kill -9 at every step, full and read-only disks, two processes at once."""
