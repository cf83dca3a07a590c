"""The names of all measures, in the order of columns, and those whose numbers are not whole."""

NAMES = (
    *("boxes_pushed", "box_changes", "solution_sets", "solution_orders", "forced_moves", "branch_points"),
    *("losing_moves", "lost_share", "unnoticed", "counter_intuitive", "decomposition", "random_player"),
)
# The fields of rows in the order of difficulty: the mean of ranks, their number, and the most of a level.
DIFFICULTY, RANKS, ALL_RANKS = "difficulty", "ranks", "all_ranks"
UP, DOWN = CURVES = ("easy-to-hard", "hard-to-easy")
SHARES = ("lost_share",)  # from 0 to 1; in percent for people
REAL = ("forced_moves", "branch_points", "losing_moves", "lost_share", "random_player")  # means and shares
