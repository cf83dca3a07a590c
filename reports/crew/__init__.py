"""Crews of killable workers: one by one in the order of the levels, or in chunks, here or on a cluster."""
