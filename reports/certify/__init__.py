"""Certificates: written from proofs, read back and checked."""
