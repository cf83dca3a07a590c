"""The names of a game: its objects by layers, and the objects that all other names stand for."""

from dataclasses import dataclass

from puzzlemc.screens.puzzlescript.source import Source


@dataclass(frozen=True)
class Names:
    """The names of a game.

    objects     by layers: the order of their numbers
    layer       object -> its layer, from 0. An object without a layer is in none of these mappings
    synonyms    name -> an object
    aggregates  name -> its objects
    properties  name -> its objects in their order, possibly with repetitions
    one_layer   property -> its layer, for properties whose objects share one
    meanings    object, synonym or property -> its objects, as a win condition or a background reads it
    """

    objects: tuple[str, ...]
    layer: dict[str, int]
    synonyms: dict[str, str]
    aggregates: dict[str, tuple[str, ...]]
    properties: dict[str, tuple[str, ...]]
    one_layer: dict[str, int]
    meanings: dict[str, frozenset[str]]

    def layer_of(self, name: str) -> int | None:
        """Return the layer of an object or of a property of one layer."""
        return self.layer.get(name, self.one_layer.get(name))

    def members(self, name: str) -> tuple[str, ...]:
        """Return the objects of an object or a property; none for an unknown name."""
        return (name,) if name in self.layer else self.properties.get(name, ())


def names_of(source: Source) -> Names:
    """Return the names of a game. An object in two layers belongs to the last one, with a warning."""
    layer = _layers(source)
    # An object that is named twice in one layer has the later place.
    order = [name for objects in source.layers for name in objects]
    places = {name: place for place, name in enumerate(order)}
    objects = tuple(sorted(places, key=lambda name: places[name]))
    synonyms, aggregates, properties = _tables(source)
    one_layer = {}
    for name, members in properties.items():
        layers = {layer.get(member) for member in members}
        only = layers.pop()
        if not layers and only is not None:
            one_layer[name] = only
    return Names(objects, layer, synonyms, aggregates, properties, one_layer, _meanings(source, properties, layer))


def _layers(source: Source) -> dict[str, int]:
    layer: dict[str, int] = {}
    for number, objects in enumerate(source.layers):
        for name in objects:
            if layer.get(name, number) != number:
                line, column = source.objects[name]
                message = f"found {name!r} in the layers {layer[name] + 1} and {number + 1}, expected one layer"
                source.faults.warn(line, column, message)
            layer[name] = number
    for name, (line, column) in source.objects.items():
        if name not in layer:
            source.faults.error(line, column, f"found {name!r} in no layer, expected each object in one")
    return layer


def _tables(source: Source) -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Return the synonyms of objects, the aggregates and the properties, these two with their synonyms."""
    aggregates = {name.name: name.members for name in source.aggregates}
    properties = {name.name: name.members for name in source.properties}
    synonyms: dict[str, str] = {}
    for name in source.synonyms:
        kind, end, _ = source.lookup(name.members[0])
        if kind == "aggregate":
            aggregates[name.name] = aggregates[end]
        elif kind == "property":
            properties[name.name] = properties[end]
        elif kind == "object" and end != name.name:
            synonyms[name.name] = end
    return synonyms, aggregates, properties


def _meanings(
    source: Source, properties: dict[str, tuple[str, ...]], layer: dict[str, int]
) -> dict[str, frozenset[str]]:
    """Return the objects of each object, synonym and property. The last definition of a name counts."""
    found = {name: frozenset([name]) for name in layer}
    for name in sorted([*source.synonyms, *source.properties], key=lambda name: name.line):
        parts = [found[member] for member in name.members if member in found]
        if len(name.members) > 1 or parts:
            found[name.name] = frozenset().union(*parts)
    return found
