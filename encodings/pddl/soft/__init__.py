"""Soft goals of planning tasks: a closing phase after the actions, in which violated preferences have a price."""
