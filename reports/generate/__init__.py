"""New levels in numbers, each solved and certified."""
