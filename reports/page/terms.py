"""Technical terms with explanations: a button shows a sentence, which is also its tooltip."""

import re

from markupsafe import Markup

from puzzlemc.reports.output.plain import xml

TERMS = {
    "inductive invariant": "A set of states that contains the start and that no action leaves. If it contains no "
    "solved state, no solved state can be reached.",
    "proof": "Evidence for the answer, which other code can check without a search.",
    "plain rules": "A second, simple implementation of the puzzle's rules. It shares nothing with the search.",
    "reachable": "A sequence of actions leads from the start to this state.",
    "lost": "No sequence of actions leads from here to a solved state. Formulas call it dead.",
    "lose": "An action loses if the level can be solved before it, but not after it.",
    "forced": "All shortest solutions begin with these steps.",
    "frontier": "The states whose depth is this number.",
    "depth": "The least cost of a path from the start to the state.",
    "engine": "The kind of search. explicit expands single states; forward, backward and bidirectional compute "
    "with sets of states; sat and bmc use a SAT solver.",
    "diagrams": "Decision diagrams (BDD, ZDD): graphs that represent sets of millions of states. cudd and zdd are "
    "two packages for them.",
    "encoding": "The translation of the level into bits for the search.",
    "layers": "The number of rounds of the search. The states that one round finds are a layer.",
    "states of the search": "The number of states that the search has stored. It skips states that cannot matter, "
    "so this may be less than the number of reachable states.",
}
# Other forms of these terms.
LIKE = {"loses": "lose", "losing": "lose"}

_FOUND = re.compile(r"\b(?:" + "|".join(sorted((*TERMS, *LIKE), key=len, reverse=True)) + r")\b")


class Terms:
    """Explains the terms of a page, and remembers which ones occur on it."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def explained(self, text: str) -> Markup:
        """The text as markup in which terms have buttons with explanations."""
        parts, begin, seen = [], 0, set()
        for found in _FOUND.finditer(text):
            term = LIKE.get(found[0], found[0])
            if term in seen:
                continue
            seen.add(term)
            # No line break between a button and the punctuation after it.
            end = found.end() + len(text[found.end() :]) - len(text[found.end() :].lstrip(",.;:!?)"))
            kept = f'<span class="kept">{_button(term, found[0])}{xml(text[found.end() : end])}</span>'
            parts += [xml(text[begin : found.start()]), kept]
            begin = end
        self._used |= seen
        return Markup("".join([*parts, xml(text[begin:])]))

    def used(self) -> list[tuple[str, str, str]]:
        """The terms that occur: for each its id on the page, the term, and its meaning."""
        return [(_name(term), term, meaning) for term, meaning in TERMS.items() if term in self._used]


def _button(term: str, word: str) -> str:
    return (
        f'<button type="button" class="term" popovertarget="{_name(term)}" title="{xml(TERMS[term])}">'
        f"{xml(word)}</button>"
    )


def _name(term: str) -> str:
    return "term-" + term.replace(" ", "-")
