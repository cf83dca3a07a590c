"""What a game asks about its positions, as a file for readers in other languages: `docs/oracle.md`."""
