"""A process for each level, under limits of time and memory, that can be killed."""
