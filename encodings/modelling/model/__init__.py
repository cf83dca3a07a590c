"""Systems as models: variables as bits, actions by cases or with formulas, conditions as cubes or circuits."""
