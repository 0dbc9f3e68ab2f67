"""The Textual application: asks, shows where the answer stands, reads and browses the documents."""
