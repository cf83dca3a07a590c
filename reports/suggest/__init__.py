"""From a verdict to a design: the smallest changes of a level that reach a wish."""
