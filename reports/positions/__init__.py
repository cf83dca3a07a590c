"""All positions of a level: which are lost, their best moves, and codes for what is known of them."""
