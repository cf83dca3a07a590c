"""A plugin of pytest: the levels of files are tests."""
