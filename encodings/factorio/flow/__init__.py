"""The flow of items along a layout: rates by linear programs, and transition systems of single items."""
