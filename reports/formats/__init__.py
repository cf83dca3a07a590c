"""Models, state graphs and traces as files for other tools and for people, a file a format."""
