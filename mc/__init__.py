"""The model checker: models, verdicts, diagrams and engines. It knows no puzzle."""
