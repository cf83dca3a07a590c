"""What every search over packed states stands on: the store of its states, its open lists, and its turns."""
