"""What a designer asks of the page: levels like one, and changes of a level that reach a wish."""
