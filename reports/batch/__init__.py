"""Whole collections: each level once by what it is, its answer in a store, by workers here or on a cluster."""
