"""All outcomes of turns with chance, compiled."""
