"""The contract of a knowledge tree: what a document, its path and its images must be, and repairs that are safe."""
