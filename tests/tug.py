"""A small PuzzleScript game: a worker drags a sled that is behind him, and cannot push it."""

GAME = """title Tug

OBJECTS

Background
#e8e2d0

Wall
#55606e

Hook
#c0392b #f1c40f
..0..
.010.
01110
.010.
..0..

Sled
#8e5a2b

Worker
#2c3e50 #e6b98c
.111.
.111.
00000
.000.
.0.0.

LEGEND

. = Background
# = Wall
o = Hook
s = Sled
* = Sled and Hook
p = Worker
+ = Worker and Hook
Player = Worker

SOUNDS

COLLISIONLAYERS

Background
Hook
Wall, Sled, Worker

RULES

[ < Worker | Sled ] -> [ < Worker | < Sled ]

WINCONDITIONS

All Sled on Hook

LEVELS
"""
