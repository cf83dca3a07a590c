"""A* over packed states: from one side, from both sides, and by waves where walks cost."""
