from puzzlemc.mc.packed.state_table cimport StateTable
from puzzlemc.mc.steps.steps cimport CHANGED, WON, Steps
from puzzlemc.mc.words cimport Flag, Index, Numbers2


cdef class ListedSteps(Steps):
    cdef Numbers2 codes
    cdef Numbers2 targets
    cdef Index here
