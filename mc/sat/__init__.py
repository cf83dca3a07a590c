"""Models as clauses: solvers, a model unrolled in time, and all solutions of a model without actions."""
