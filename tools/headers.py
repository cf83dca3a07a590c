"""Makes the tree of files that Cython reads, with a header (.pxd) of each compiled module, from its annotations.

A module is compiled if it imports `cython`. Its header has, in the types of C that `mc/words.pxd` defines,

- what the module imports from other compiled modules;
- the integer constants under `if not cython.compiled`, as an enum;
- each class with its annotated fields. Python can write a field with the comment `# public`, and read one with
  `# readonly`. A field with the comment `# interpreted` has a value of Python;
- each function and method whose parameters and result have such types. It runs without the interpreter. Python
  can call it if the comment `# public` is behind its signature. With the comment `# interpreted` it is left to
  Python, as is each one with a parameter of another type, or with a class as its result.
"""

import ast
import operator
import os
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "puzzlemc"
IMPORT = "\nimport cython\n"  # in the text of each compiled module
PUBLIC, READONLY, INTERPRETED = MARKS = ("public", "readonly", "interpreted")
OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
    ast.BitOr: operator.or_,
}
PYTHON = {"NamedTuple", "Protocol", "Exception"}  # a class with one of these bases is not compiled


class HeaderError(Exception):
    """A module of which no header can be made; the message begins with its file and line."""


@dataclass
class Module:
    """A compiled module, or a header in C beside a module.

    types      names of types: classes, of a header in C also the names of types of C
    functions  names of compiled functions
    constants  the integer constants by name; None until they are found
    """

    path: Path
    tree: ast.Module
    lines: list[str]
    types: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    constants: dict[str, int] | None = None

    @property
    def names(self) -> set[str]:
        """What other modules may import in C."""
        return self.types | self.functions | (self.constants or {}).keys()

    def error(self, node: ast.AST, message: str) -> HeaderError:
        """The error at a node."""
        return HeaderError(f"{self.path}:{getattr(node, 'lineno', 1)}: {message}")

    def mark(self, node: ast.FunctionDef | ast.AnnAssign) -> str:
        """The comment that marks a field or the signature of a function; empty if there is none."""
        last = node.body[0].lineno - 1 if isinstance(node, ast.FunctionDef) else node.end_lineno
        comments = (line.partition("#")[2].strip() for line in self.lines[node.lineno - 1 : last])
        return next((comment for comment in comments if comment in MARKS), "")


def compiled_modules(root: Path, rooms: Iterable[str]) -> list[Path]:
    """The modules in some folders of `root` that are compiled, by their paths below `root`.

    A module beside a header in C is not compiled: it stands for the header in interpreted runs.
    """
    files = [file for room in rooms for file in (root / room).rglob("*.py")]
    return sorted(
        file.relative_to(root)
        for file in files
        if not file.with_suffix(".pxd").exists() and IMPORT in file.read_text(encoding="utf-8")
    )


def build_tree(root: Path, rooms: Iterable[str], tree: Path) -> None:
    """Make the tree that Cython reads: links to the files of some folders of `root`, and a header beside each
    compiled module.

    A link or header that is right already is left alone, so that nothing is compiled again for it. Raises
    HeaderError.
    """
    files = sorted(each for room in rooms for suffix in ("*.py", "*.pxd") for each in (root / room).rglob(suffix))
    headers = _headers(root, files)
    places = {tree / each.relative_to(root) for each in files} | {tree / path for path in headers}
    for room in rooms:
        if (tree / room).is_symlink():
            (tree / room).unlink()
        for path in [*(tree / room).rglob("*.py"), *(tree / room).rglob("*.pxd")]:
            if path not in places:
                path.unlink()
    for file in files:
        link = tree / file.relative_to(root)
        if not link.is_symlink():
            link.unlink(missing_ok=True)
            link.parent.mkdir(parents=True, exist_ok=True)
            try:
                link.symlink_to(os.path.relpath(file, link.parent))
            except OSError:  # Windows lets few users make links: a copy of the same age does, too
                shutil.copy2(file, link)
    for path, text in headers.items():
        header = tree / path
        if header.is_symlink() or not header.exists() or header.read_text(encoding="utf-8") != text:
            header.unlink(missing_ok=True)
            header.write_text(text, encoding="utf-8")


def _headers(root: Path, files: Iterable[Path]) -> dict[Path, str]:
    """The headers of all compiled modules among some files, by their paths below `root`."""
    in_c = {file.with_suffix(".py") for file in files if file.suffix == ".pxd"}
    modules = {}
    for file in files:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".py" and (file in in_c or IMPORT in text):
            path = file.relative_to(root)
            module = Module(path, ast.parse(text), text.splitlines())
            if file in in_c:
                _read_header(module, file.with_suffix(".pxd").read_text(encoding="utf-8"))
            else:
                _read_names(module)
            modules[".".join((PACKAGE, *path.with_suffix("").parts))] = module
    for module in modules.values():
        _read_constants(module, modules)
    compiled = [module for module in modules.values() if root / module.path not in in_c]
    for module in compiled:
        _read_functions(module, modules)
    return {module.path.with_suffix(".pxd"): "\n".join(_header(module, modules)) + "\n" for module in compiled}


def _read_names(module: Module) -> None:
    """Find the classes of a module."""
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and _is_compiled_class(node):
            module.types.add(node.name)


def _read_header(module: Module, text: str) -> None:
    """Find the names in a header in C: types, functions, and constants that are no Python integers."""
    module.types.update(re.findall(r"^ctypedef .*?(\w+)$", text, re.MULTILINE))
    module.functions.update(re.findall(r"(\w+)\([^()]*\) noexcept", text))
    module.functions.update(re.findall(r"^    const [\w ]+ (\w+)$", text, re.MULTILINE))


def _read_constants(module: Module, modules: Mapping[str, Module]) -> None:
    """Find the constants of a module, and first those of the modules that it imports some of."""
    if module.constants is not None:
        return
    module.constants, known = {}, {}
    for node in _uncompiled(module):
        if isinstance(node, ast.ImportFrom):
            if (other := modules.get(node.module or "")) is not None:
                _read_constants(other, modules)
                known.update(other.constants or {})
        elif isinstance(node, ast.Assign):
            found = _constants(module, node, known)
            module.constants.update(found)
            known.update(found)
        else:
            raise module.error(node, "expected imports and integer constants under `if not cython.compiled`")


def _constants(module: Module, node: ast.Assign, known: Mapping[str, int]) -> dict[str, int]:
    """The constants that an assignment defines: `A = 1`, `A, B = 1, 2` or `A, B = range(2)`."""
    (target,) = node.targets
    names = _names(target)
    match node.value:
        case ast.Call(func=ast.Name(id="range"), args=[count]):
            values: Iterable[int] = range(_integer(module, count, known))
        case ast.Tuple(elts=elements):
            values = [_integer(module, each, known) for each in elements]
        case _:
            values = [_integer(module, node.value, known)]
    return dict(zip((each.id for each in names), values, strict=True))


def _names(target: ast.expr) -> list[ast.Name]:
    """The names of a target of an assignment."""
    return [each for each in ast.walk(target) if isinstance(each, ast.Name)]


def _is_compiled_class(node: ast.ClassDef) -> bool:
    """Is a class compiled? It has annotated fields, or methods that return numbers, and nothing of Python's."""
    if node.decorator_list or any(each.id in PYTHON for base in node.bases for each in _names(base)):
        return False
    numbers = (
        each for each in node.body if isinstance(each, ast.FunctionDef) and _result(each) not in (None, "void")
    )
    return any(isinstance(each, ast.AnnAssign) for each in node.body) or any(numbers)


def _integer(module: Module, node: ast.expr, known: Mapping[str, int]) -> int:
    """The value of an expression of integers and known constants. Raises HeaderError."""
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.UnaryOp(op=ast.USub()):
            return -_integer(module, node.operand, known)
        case ast.BinOp() if type(node.op) in OPERATORS:
            left, right = (_integer(module, each, known) for each in (node.left, node.right))
            return OPERATORS[type(node.op)](left, right)
    raise module.error(node, f"found {ast.unparse(node)}, expected an integer of + - * // << | and constants")


def _uncompiled(module: Module) -> list[ast.stmt]:
    """The statements under `if not cython.compiled`."""
    blocks = [node.body for node in module.tree.body if isinstance(node, ast.If) and _is_uncompiled(node)]
    return [each for block in blocks for each in block]


def _is_uncompiled(node: ast.If) -> bool:
    return ast.unparse(node.test) == "not cython.compiled"


def _read_functions(module: Module, modules: Mapping[str, Module]) -> None:
    """Find the compiled functions of a module."""
    known = _types(module, modules)
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef) and _is_compiled(module, node, known):
            module.functions.add(node.name)


def _types(module: Module, modules: Mapping[str, Module]) -> set[str]:
    """The names of types that annotations of a module may use: its classes, and what it imports."""
    imports = _imports(module, modules)
    return module.types | {each.name for _, other, names in imports for each in names if each.name in other.types}


def _imports(
    module: Module, modules: Mapping[str, Module]
) -> Iterator[tuple[ast.ImportFrom, Module, list[ast.alias]]]:
    """Yield each import from another compiled module."""
    for node in [*module.tree.body, *_uncompiled(module)]:
        if isinstance(node, ast.ImportFrom) and (other := modules.get(node.module or "")) is not None:
            yield node, other, node.names


def _wanted(module: Module, modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """The names that a header imports, by module: those under `if not cython.compiled`, types and functions."""
    wanted: dict[str, set[str]] = {}
    for node, other, names in _imports(module, modules):
        for each in names:
            is_interpreted = node not in module.tree.body
            if is_interpreted and each.name not in other.names:
                raise module.error(node, f"found {each.name}, expected a compiled name of {node.module}")
            if is_interpreted or each.name in other.types | other.functions:
                wanted.setdefault(node.module or "", set()).add(each.name)
    return wanted


def _is_compiled(module: Module, node: ast.FunctionDef, known: set[str]) -> bool:
    """Does a function or method have a declaration in C?"""
    mark = module.mark(node)
    if mark == INTERPRETED or node.name.startswith("__"):
        return False
    given = node.args
    parameters = [each.annotation for each in given.args if each.arg != "self"]
    typed = all(isinstance(each, ast.Name) and each.id in known for each in parameters)
    plain = not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults)
    is_compiled = typed and plain and _result(node) is not None
    if mark == PUBLIC and not is_compiled:
        raise module.error(
            node, f"{node.name} is marked `# public`, expected parameters and a result of types of C"
        )
    return is_compiled


def _result(node: ast.FunctionDef) -> str | None:
    """The type of the result in C; None if it is another one."""
    match node.returns:
        case ast.Constant(value=None):
            return "void"
        case ast.Name(id="Index" | "Flag" | "Word" as name):
            return name
    return None


def _header(module: Module, modules: Mapping[str, Module]) -> Iterator[str]:
    """Yield the lines of a header."""
    yield f"# Made from {module.path} by tools/headers.py."
    for source, names in sorted(_wanted(module, modules).items()):
        yield f"from {source} cimport {', '.join(sorted(names))}"
    if module.constants:
        yield "\ncpdef enum:"
        yield from (f"    {name} = {value}" for name, value in module.constants.items())
    known = _types(module, modules)
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and node.name in module.types:
            yield from _class(module, node, known)
    yield "\n"
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in module.functions:
            yield _declaration(module, node)


def _class(module: Module, node: ast.ClassDef, known: set[str]) -> Iterator[str]:
    """Yield the lines of a class."""
    bases = [each.id for each in node.bases if isinstance(each, ast.Name) and each.id in known]
    yield f"\n\ncdef class {node.name}{f'({bases[0]})' if bases else ''}:"
    lines = []
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            mark = module.mark(each)
            if mark == INTERPRETED:
                lines.append(f"cdef public object {each.target.id}")
                continue
            if not isinstance(each.annotation, ast.Name) or each.annotation.id not in known:
                found = ast.unparse(each.annotation)
                raise module.error(each, f"found {found}, expected a type of C for the field {each.target.id}")
            words = ["cdef", mark, each.annotation.id, each.target.id]
            lines.append(" ".join(filter(None, words)))
        elif isinstance(each, ast.FunctionDef) and _is_compiled(module, each, known):
            lines.append(_declaration(module, each))
    yield textwrap.indent("\n".join(lines or ["pass"]), "    ")


def _declaration(module: Module, node: ast.FunctionDef) -> str:
    """The declaration of a compiled function or method."""
    kind = "cpdef" if module.mark(node) == PUBLIC else "cdef"
    given = [
        f"{each.annotation.id} {each.arg}" if isinstance(each.annotation, ast.Name) else each.arg
        for each in node.args.args
    ]
    return f"{kind} {_result(node)} {node.name}({', '.join(given)}) noexcept nogil"
