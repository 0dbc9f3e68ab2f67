"""The kiosk's settings, its PIN, and what its maintenance screen can do: values and files, no screens."""
