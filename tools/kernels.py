"""Optimises C code less outside of kernels: the functions that run without the interpreter.

Nine tenths of the C code that Cython writes are constructors, wrappers for calls from Python and the start of
modules. Half of the compiler's time went into their optimisation. Kernels are compiled as the options of the
compiler say. What runs once in a module is not optimised, and the rest is a little: without that, a level that
takes milliseconds took a sixth longer. Compilers other than gcc ignore the lines that are added.
"""

import re

# Before this section are declarations, and functions that are inlined.
FUNCTIONS = "/* #### Code section: module_code ### */\n"
START_OF_MODULE = "/* #### Code section: module_exttypes ### */\n"  # its types, and what runs when it is imported
HELPERS = "/* #### Code section: utility_code_pragmas ### */\n"
KERNEL = re.compile(r"^static [^\n]*__pyx_f_\w+\([^\n]*\) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
DECLARED = "noexcept nogil"  # in a header, behind each kernel
LITTLE, NOT = '#pragma GCC optimize ("O1")\n', '#pragma GCC optimize ("O0")\n'
AS_OPTIONS_SAY = "#pragma GCC reset_options\n"


def kernels(code: str) -> list[str]:
    """The definitions of the kernels in the C code of a module."""
    return KERNEL.findall(code)


def less_optimised(code: str, header: str) -> str:
    """The C code, optimised less outside of kernels; unchanged if it lacks a section or a kernel of the header."""
    head, _, rest = code.partition(FUNCTIONS)
    functions, _, rest = rest.partition(START_OF_MODULE)
    start, _, helpers = rest.partition(HELPERS)
    if LITTLE in code or not helpers or len(kernels(functions)) < header.count(DECLARED):
        return code
    functions = KERNEL.sub(rf"{AS_OPTIONS_SAY}\g<0>{LITTLE}", functions)
    return "".join([head, FUNCTIONS, LITTLE, functions, START_OF_MODULE, NOT, start, HELPERS, LITTLE, helpers])
