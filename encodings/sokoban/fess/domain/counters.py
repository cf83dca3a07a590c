"""Places of the counters of a side and of the settings of a search, and the size of the feature space."""

REGIONS, OUT_OF_PLAN = 8, 5  # larger counts fall into the last class
CELLS = (REGIONS + 1) * (OUT_OF_PLAN + 1)  # of the feature space, for each stage

# Counters of a side.
GAME, COUNT, CURSOR, WORK, EXPANDED, HERE, THERE, SPARE, BURIED, TICK, NAME, TESTED = range(12)
# Settings of a search.
ADVISORS, FEATURES, WITH_CORRALS, WITH_ENDS, ORDER, LOOSE, HURRY = range(7)
WITH_MATCHING, EAGER, WALLED, WITH_GROUPS = range(7, 11)
