"""Planning tasks: plain rules on the PDDL itself, and the finite-domain variables of a translator as a model."""
