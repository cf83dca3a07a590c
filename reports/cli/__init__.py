"""The command line: a file a command, and the table of results."""
