"""What people see: the command line, tables and reports."""
