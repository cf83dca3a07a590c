"""What authors write: expressions over variables, actions, a goal; and their values at positions."""
