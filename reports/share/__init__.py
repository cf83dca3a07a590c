"""Levels as pages that play by themselves: what is known of their positions, packed, and the player."""
