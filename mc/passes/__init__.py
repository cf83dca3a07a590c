"""From a model to another model or a task, with the way back for plans and proofs.

A pass is a function of a model. What it returns has what was made, and brings answers about that back to the
model: plans as traces of the model, and what refutes the goal as facts about its bits. No pass makes a wrong
answer right: traces are replayed on the model, and checkers of proofs know no pass.

translation  a finite-domain task. `translation(model)` is made once for a model; its `trace` runs a plan of the
             `task`, `keeps_out` says which states of the model the invariant of a search of the task has, and
             `facts.py` writes the variables for proofs. A model that was made from a task carries it
free_moves   the model without walks; `with_walks` inserts them into a plan
relaxations  the model with some of its objects: a pattern that is dead there is dead in the model
"""
