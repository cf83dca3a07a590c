"""A level by numbers: its floor and the boxes on it, floods, shortest walks, and the steps of a lone box."""
