"""How hard a level of Sokoban is: measures from all positions and from all shortest solutions."""
