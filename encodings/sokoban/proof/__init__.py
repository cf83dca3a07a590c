"""Checking proofs of optimal costs by the plain rules, in compiled code apart from the search."""
