"""What the readers of all puzzles share: files and archives, texts of levels, pictures, and errors."""
