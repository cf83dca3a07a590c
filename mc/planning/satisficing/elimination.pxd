from puzzlemc.mc.planning.packed_task cimport (
    PackedTask,
    apply,
    enter_successor,
    is_applicable,
    is_goal,
    read_state,
    write_successor,
)
from puzzlemc.mc.words cimport Bytes, Flag, Index, Numbers, Words2


cdef Flag _is_plan(PackedTask task, Words2 rows, Numbers operators, Bytes rest, Index start) noexcept nogil
cdef void _step(PackedTask task, Words2 rows, Index operator) noexcept nogil
