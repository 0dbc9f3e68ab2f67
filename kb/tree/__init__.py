"""Markdown files as they lie on disk: encoding, front matter, tree walk, images, taxonomy, index file."""
