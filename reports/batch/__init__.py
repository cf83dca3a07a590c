"""Whole collections: each level once by what it is, its answer kept in a store, by as many workers as there are."""
