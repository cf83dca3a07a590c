from puzzlemc.encodings.sokoban.fess.deadlocks.groups cimport Groups
from puzzlemc.encodings.sokoban.fess.deadlocks.matching cimport Matching
from puzzlemc.encodings.sokoban.fess.domain.blocks cimport Tree
from puzzlemc.encodings.sokoban.fess.domain.counters cimport Counters
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks
from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor, Game
from puzzlemc.encodings.sokoban.fess.domain.moves cimport Moves
from puzzlemc.encodings.sokoban.fess.domain.positions cimport Heaps, Positions
from puzzlemc.encodings.sokoban.fess.features.loose cimport LoosePlan
from puzzlemc.encodings.sokoban.fess.features.stages cimport Stages
from puzzlemc.encodings.sokoban.fess.search.barriers cimport Barriers
from puzzlemc.encodings.sokoban.fess.search.images cimport Images
from puzzlemc.encodings.sokoban.fess.search.steps cimport Steps
from puzzlemc.encodings.sokoban.fess.search.turns cimport Turns
from puzzlemc.mc.words cimport Flag, Index, Ints, Numbers, Shorts, Word, Words


cdef class Options:
    cdef readonly Index advisors
    cdef readonly Index features
    cdef readonly Index hurry
    cdef readonly Flag loose
    cdef readonly Flag corrals
    cdef readonly Flag matching
    cdef readonly Flag groups
    cdef readonly Flag barriers


cdef class Side:
    cdef readonly Game game
    cdef readonly Options options
    cdef readonly Stages stages
    cdef readonly LoosePlan loose
    cdef readonly Matching match
    cdef readonly Positions positions
    cdef readonly Heaps heaps
    cdef readonly Ints cells
    cdef readonly Turns turns
    cdef readonly Counters counters
    cdef readonly Index name
    cdef readonly Flag two
    cdef readonly Flag guarded
    cdef public Index here
    cdef public Index there


cdef class Child:
    cdef public Index parent
    cdef public Word hashed
    cdef public Index player
    cdef public Index area
    cdef public Index opens
    cdef public Index parts
    cdef public Index slot


cdef class Room:
    cdef readonly Floor floor
    cdef readonly Boxes boxes
    cdef readonly Marks marks
    cdef readonly Tree tree
    cdef readonly Moves moves
    cdef readonly Steps steps
    cdef readonly Groups groups
    cdef readonly Images images
    cdef readonly Barriers barriers
    cdef readonly Shorts firsts
    cdef readonly Shorts sizes
    cdef readonly Shorts leasts
    cdef readonly Words hashed
    cdef public Index waited
    cdef readonly Child child
    cdef readonly Numbers values
    cdef readonly Numbers chosen
    cdef public Index work
