"""Technical terms with explanations: a button shows a sentence, which is also its tooltip."""

import re

from markupsafe import Markup

from puzzlemc.reports.output.plain import xml

TERMS = {
    "inductive invariant": "A set of states that has the start in it and that no action leaves. If no solved "
    "state is in it, none can ever be reached.",
    "proof": "What shows the answer without the search, and can be checked by other code.",
    "plain rules": "The rules of the puzzle once more, written so simply that one can read them. They share "
    "nothing with the search.",
    "reachable": "Some sequence of actions leads there from the start.",
    "dead": "No solved state can be reached any more, whatever one does.",
    "lose": "An action loses where the level can be solved before it, and no more after it.",
    "forced": "All shortest solutions begin with just these steps.",
    "frontier": "The states that are met at a depth for the first time.",
    "depth": "How much it takes at least to get there from the start.",
    "engine": "The kind of search: explicit looks at state after state, forward, backward and bidirectional at "
    "whole sets of states, sat and bmc ask a SAT solver.",
    "diagrams": "Decision diagrams (BDD, ZDD): sets of millions of states as small graphs. cudd and zdd are two "
    "packages for them.",
    "encoding": "How the level is written as bits for the search.",
    "layers": "What the search finds in one round is a layer. So many it went through.",
    "states of the search": "So many states the search has stored. It leaves out what cannot matter: there may be "
    "fewer than can be reached.",
}
# Other forms of these terms.
LIKE = {"loses": "lose", "losing": "lose"}

_FOUND = re.compile(r"\b(?:" + "|".join(sorted((*TERMS, *LIKE), key=len, reverse=True)) + r")\b")


class Terms:
    """The terms of a page, and those already explained on it."""

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
            # No line ends between a button and what follows it without a blank.
            end = found.end() + len(text[found.end() :]) - len(text[found.end() :].lstrip(",.;:!?)"))
            kept = f'<span class="kept">{_button(term, found[0])}{xml(text[found.end() : end])}</span>'
            parts += [xml(text[begin : found.start()]), kept]
            begin = end
        self._used |= seen
        return Markup("".join([*parts, xml(text[begin:])]))

    def used(self) -> list[tuple[str, str, str]]:
        """Of each term that was explained: its name on the page, the term, what it means."""
        return [(_name(term), term, meaning) for term, meaning in TERMS.items() if term in self._used]


def _button(term: str, word: str) -> str:
    return (
        f'<button type="button" class="term" popovertarget="{_name(term)}" title="{xml(TERMS[term])}">'
        f"{xml(word)}</button>"
    )


def _name(term: str) -> str:
    return "term-" + term.replace(" ", "-")
