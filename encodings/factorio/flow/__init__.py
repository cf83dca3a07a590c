"""How many items a layout moves: linear programs over belts, inserters and machines."""
