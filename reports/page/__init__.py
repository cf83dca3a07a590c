"""The reachability report of a level: what it says, and how it is written and drawn."""
