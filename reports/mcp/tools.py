"""The tools by name: what each asks, what it answers, and the function that answers.

A function is imported at its first call: a client waits for the list of tools.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import cleandoc
from typing import Any

from msgspec import Struct, ValidationError, convert, json

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.mcp import answers, arguments
from puzzlemc.reports.mcp.arguments import Asked
from puzzlemc.reports.mcp.calls import Call

Found = Struct | tuple[Struct, bytes]  # a result, and a picture as PNG


@dataclass(frozen=True)
class Tool:
    """A tool.

    function  answers a call: its module in this folder, and its name
    """

    title: str
    asked: type[Asked]
    answer: type[Struct]
    function: str

    @property
    def description(self) -> str:
        """What it does and when to use it."""
        return cleandoc(self.asked.__doc__ or "")

    def run(self, asked: Asked, call: Call) -> Found:
        """Answer a call, in a thread. Raises what functions of the Python API raise."""
        module, _, name = self.function.partition(":")
        function: Callable[[Asked, Call], Found] = getattr(import_module(f"puzzlemc.reports.mcp.{module}"), name)
        return function(asked, call)

    def read(self, given: Mapping[str, Any]) -> Asked:
        """The arguments of a call. Raises ModelError for what the schema does not allow."""
        known = self.asked.__struct_fields__
        for name in given:
            if name not in known:
                expected = f"expected some of {', '.join(known)}{nearest(name, known)}"
                raise ModelError(f"found the argument {name[:100]!r}, {expected}")
        try:
            return convert(given, self.asked)
        except ValidationError as error:
            raise ModelError(f"arguments: {error}") from None


TOOLS: Mapping[str, Tool] = {
    "list_levels": Tool("List levels", arguments.ListLevels, answers.Levels, "listing:list_levels"),
    "check": Tool("Check a level", arguments.Check, answers.Verdict, "solving:check"),
    "solve": Tool("Solve a level", arguments.Solve, answers.Solution, "solving:solve"),
    "explain": Tool("Explain an unsolvable level", arguments.Explain, answers.Explanation, "solving:explain"),
    "suggest": Tool("Suggest changes of a level", arguments.Suggest, answers.Suggestions, "designing:suggest"),
    "replay": Tool("Judge a solution", arguments.Replay, answers.Replayed, "replaying:replay"),
    "count": Tool("Count solutions", arguments.Count, answers.Counted, "solving:count"),
    "generate": Tool("Generate levels", arguments.Generate, answers.GeneratedLevels, "designing:generate"),
    "render": Tool("Draw a level", arguments.Render, answers.Rendered, "replaying:render"),
}


def schema(kind: type[Struct]) -> dict[str, Any]:
    """The JSON schema of a type, whose root is the object itself, as the protocol wants it."""
    made: dict[str, Any] = json.schema(kind)
    own = made.pop("$ref").rpartition("/")[2]
    root: dict[str, Any] = made["$defs"].pop(own)
    root.pop("description", None)  # the tool has it
    return {**root, **({"$defs": made["$defs"]} if made["$defs"] else {})}
