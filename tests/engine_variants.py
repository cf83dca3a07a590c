"""All engines with all diagram packages: the tests that run over the registry."""

from puzzlemc.mc.engines.registry import ENGINES, Variant, engine
from puzzlemc.mc.symbolic.packages import DIAGRAMS


def variants(*names: str, optimal: bool = False) -> list[Variant]:
    """Every engine, or those with these names, with every diagram package; with `optimal`, only optimal ones."""

    chosen = [engine(name) for name in names or ENGINES]
    return [
        Variant(each, {"diagrams": package} if package else {})
        for each in chosen
        if each.optimal or not optimal
        for package in (DIAGRAMS if "diagrams" in each.options else ("",))
    ]
