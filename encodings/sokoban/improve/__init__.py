"""Shorter plans: anytime search in windows of a plan that is known."""
