"""Mappings and sequences that are computed at the first use. Many questions about a model never use them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


class LazyMapping(Mapping[K, V]):
    """The mapping that `compute` returns; it is called once, at the first use."""

    def __init__(self, compute: Callable[[], Mapping[K, V]]) -> None:
        self._compute = compute

    @cached_property
    def _computed(self) -> Mapping[K, V]:
        return self._compute()

    def __getitem__(self, key: K) -> V:
        return self._computed[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._computed)

    def __len__(self) -> int:
        return len(self._computed)

    def __or__(self, other: Mapping[K, V]) -> dict[K, V]:
        return {**self._computed, **other}


class LazySequence(Sequence[V_co]):
    """The sequence that `compute` returns; it is called once, at the first use."""

    def __init__(self, compute: Callable[[], Iterable[V_co]]) -> None:
        self._compute = compute

    @cached_property
    def _computed(self) -> tuple[V_co, ...]:
        return tuple(self._compute())

    def __getitem__(self, at: Any) -> Any:
        return self._computed[at]

    def __iter__(self) -> Iterator[V_co]:
        return iter(self._computed)

    def __len__(self) -> int:
        return len(self._computed)

    def __eq__(self, other: object) -> bool:
        return self._computed == (other._computed if isinstance(other, LazySequence) else other)

    def __hash__(self) -> int:
        return hash(self._computed)
