"""Cheaper plans: anytime window search on known plans, and the cheapest plan of several plan finders."""
