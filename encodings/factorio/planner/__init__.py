"""The planner: the best layout of a level, by SAT, linear programs and cuts."""
