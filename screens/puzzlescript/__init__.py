"""PuzzleScript games as text: reader, writer, picture."""
