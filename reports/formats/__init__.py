"""Models, state graphs and traces as files for other tools and for people, with one module for each format."""
