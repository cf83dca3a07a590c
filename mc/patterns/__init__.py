"""Lower bounds for finite-domain tasks: pattern databases, and saturated cost partitioning over them.

A *pattern* is a set of variables. The *projection* of a task to a pattern forgets the other variables. The least
costs in the projection are a consistent lower bound, a *pattern database* (Edelkamp 2001). Saturated cost
partitioning (Seipp, Keller and Helmert 2020) shares out the costs of operators among databases, whose sum is a
bound again.
"""
