"""The pictures of the knowledge tree, a module for each domain."""
