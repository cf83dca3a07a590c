"""What Factorio blueprint planning is: the plain rules of a layout, and how it is built entity by entity."""
