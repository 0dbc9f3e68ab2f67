"""Almanac's engine: knowledge tree, search, answers. The SDK is what this module names."""
