"""The C code of each compiled module is optimised less outside of its kernels."""

import re
import runpy
import subprocess
import sysconfig
from pathlib import Path

import pytest
from places import ROOT

KERNELS = runpy.run_path(str(ROOT / "tools" / "kernels.py"))
less_optimised, LITTLE, NOT, AS_OPTIONS_SAY = (
    KERNELS[name] for name in ("less_optimised", "LITTLE", "NOT", "AS_OPTIONS_SAY")
)
FUNCTIONS, START, HELPERS = (KERNELS[name] for name in ("FUNCTIONS", "START_OF_MODULE", "HELPERS"))
KERNEL = """static int __pyx_f_4mine_sum(int const *__pyx_v_row, int __pyx_v_count) {
  int sum = 0;
  for (int i = 0; i < __pyx_v_count; i++) {
    sum += __pyx_v_row[i] * 2;
  }
  return sum;
}
"""
OTHERS = """int called(int (*callback)(int));
int __pyx_pw_4mine_1sum(int *row) {
  return called(0) + __pyx_f_4mine_sum(row, 3);
}
"""
HEAD = "static int __pyx_f_4mine_sum(int const *__pyx_v_row, int __pyx_v_count); /*proto*/\n"
IMPORT = "int __pyx_pymod_exec_mine(int *row) {\n  return called(0) * row[0] * row[0];\n}\n"
HELPER = "int __Pyx_Helper(int *row) {\n  return called(0) * row[0] * row[0];\n}\n"
PLAIN = "".join([HEAD, FUNCTIONS, KERNEL, OTHERS, START, IMPORT, HELPERS, HELPER])
HEADER = "cdef Index sum(Numbers row, Index count) noexcept nogil\n"
MODULES = runpy.run_path(str(ROOT / "tools" / "headers.py"))["compiled_modules"](ROOT, ("mc", "encodings"))
TRANSLATED = ROOT / "build" / "c" / "build" / "tree" / "puzzlemc"


def test_only_kernels_are_as_the_options_say() -> None:
    functions = FUNCTIONS + LITTLE + AS_OPTIONS_SAY + KERNEL + LITTLE + OTHERS
    code = less_optimised(PLAIN, HEADER)
    assert code == HEAD + functions + START + NOT + IMPORT + HELPERS + LITTLE + HELPER
    assert less_optimised(code, HEADER) == code


@pytest.mark.parametrize(
    ("code", "header"),
    [
        (PLAIN, HEADER + "cdef void clear(Numbers row) noexcept nogil\n"),
        (
            PLAIN.replace("static int __pyx_f_4mine_sum(int const *__pyx_v_row, int", "static int\n__pyx_f(int"),
            HEADER,
        ),
        (PLAIN.replace(FUNCTIONS, ""), HEADER),
        (PLAIN.replace(START, ""), HEADER),
        (PLAIN.replace(HELPERS, ""), HEADER),
    ],
    ids=["a kernel is missing", "a kernel is written in another way", "no functions", "no start", "no helpers"],
)
def test_code_of_another_form_is_optimised_as_a_whole(code: str, header: str) -> None:
    assert less_optimised(code, header) == code


def test_the_compiler_optimises_a_kernel_as_before(tmp_path: Path) -> None:
    """Its instructions are those of the whole code at -O2. Those of others are not."""

    def instructions(code: str) -> list[str]:
        """Those of the kernel, of what runs at the import, and of the helper."""
        source = tmp_path / "code.c"
        source.write_text(code.replace("static int __pyx_f", "__attribute__((noipa)) static int __pyx_f"))
        compiler = str(sysconfig.get_config_var("CC")).split()[0]
        command = [compiler, "-O2", "-g0", "-S", "-fno-asynchronous-unwind-tables", "-o", "-", str(source)]
        text = re.sub(r"\.L\d+", ".L", subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        names = ("__pyx_f_4mine_sum", "__pyx_pymod_exec_mine", "__Pyx_Helper")
        return [text.partition(f"{name}:\n")[2].partition(f".size\t{name}")[0] for name in names]

    before, after = instructions(PLAIN), instructions(less_optimised(PLAIN, HEADER))
    assert [len(each.splitlines()) > 5 for each in before] == [True] * 3
    assert after[0] == before[0]
    assert len(after[1].splitlines()) > len(after[2].splitlines())


@pytest.mark.skipif(not TRANSLATED.is_dir(), reason="what was compiled is not here")
def test_the_kernels_of_each_module_are_found() -> None:
    """Of a version of Cython that writes another form of code, all would be optimised."""
    codes = {module: (TRANSLATED / module).with_suffix(".c").read_text(encoding="utf-8") for module in MODULES}
    assert [module for module, code in codes.items() if LITTLE not in code] == []
