"""What several commands share: options, arguments, tables, completion, sessions, watching of files."""
