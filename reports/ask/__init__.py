"""Questions besides solving: queries, replays, layouts, comparisons, tournaments, conversions."""
