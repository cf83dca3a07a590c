"""Proofs: made from sets of states, and checked by code that imports no engine."""
