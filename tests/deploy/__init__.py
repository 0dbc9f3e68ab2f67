"""Files that other programs read: units, tasks, cron lines."""
