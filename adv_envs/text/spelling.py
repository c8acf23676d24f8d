"""Reads moves as people and language models write them: "e2-e4", "Column 4.", "**[b3]**", "1. d4".

Every game has one notation, ``Position.name`` with ``Position.alias``, and what it says exactly is
never read otherwise. Only what is nothing there is read leniently, and only where one legal move
can be meant. Nothing here knows a game.
"""

from __future__ import annotations

import functools
import re

from adv_envs.position import CHANCE, IllegalMove, Position

LONGEST = 60
"""Characters of the longest text that may be one move, with all that is around it."""

TYPOGRAPHY = {
    **{0xFF00 + i: 0x20 + i for i in range(1, 0x5F)},  # full-width forms of ASCII
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\u2192"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb\u2033"), '"'),
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2009\u200a\u202f\u3000"), " "),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"), None),
    0xD7: "x",
}
"""What typography makes of plain characters, and the plain ones."""

PAIRS = ("()", "[]", "{}", "<>", '""', "''", "``", "**", "__", "~~", "$$")
"""What may stand around a move: both characters, as often as they are there."""

LATEX = re.compile(r"\\(?:text|mathrm|mathbf|mathit|texttt|textbf|textit|boxed)\s*\{(.*)\}", re.S)
DELIMITERS = re.compile(r"\\\((.*)\\\)|\\\[(.*)\\\]", re.S)
BEFORE = re.compile(
    r"(?:[-*+>#\u2022]+\s+|\*\*|__|`|[:=,;.]+\s*|\d+(?:\.+|\))\s*(?=[A-Za-z]|\d+[-/x]\d))"
)
"""Bullets, headings, quotes, punctuation and the numbers of moves, "1." or "12...", before them."""

AFTER = re.compile(r"[\s.,;:!?*_`]+$")

FILLERS = re.compile(
    r"(?:i|we|i'll|will|would|shall|should|am|going|to|play|choose|bid|move|the|my|is|place|put|"
    r"drop|take|select|pick|open|start|throw|call|respond|reply|answer|at|on|in|into|column|pit|"
    r"square|cell|point|card|number|action|go|with|for|a|an|stone|piece|disc|disk|mark|token|from|"
    r"edge|heap|house)\s+",
    re.IGNORECASE,
)
"""Words that may stand before a move and say no more than that it is one."""

BETWEEN = re.compile(
    r"\s+to\s+|\s*(?:-{1,2}>?|=>|/|:)\s*|(?<=\d)\s*x\s*(?=[a-z]?\d)|\s+", re.IGNORECASE
)
"""What may stand between the parts of a move, such as the squares from and to."""

JOINT = re.compile(r"(?<=[0-9])-(?=[A-Za-z])|(?<=[A-Za-z])-(?=[0-9])")


def plain(text: str) -> str:
    """Returns ``text`` in plain characters: dashes, quotes, spaces and full-width forms."""
    return text.translate(TYPOGRAPHY)


def key_of(text: str) -> str:
    """Returns ``text`` with one separator between its parts, none where letters meet digits."""
    closed = re.sub(r"\s+\(", "(", text.strip())
    return JOINT.sub("", BETWEEN.sub("-", closed))


def shape_of(name: str) -> str:
    """Returns the form of a name: "a9a9" of "e2e4", "9-9" of "11x18"."""
    return re.sub(r"[0-9]+", "9", re.sub(r"[a-z]", "a", key_of(name).lower()))


def layers(text: str) -> list[str]:
    """Returns ``text``, and what is left of it as layers around it are taken off, one by one."""
    found = [text.strip()]
    for start in (text, plain(text)):
        current: str | None = start.strip()
        while current:
            if current not in found:
                found.append(current)
            current = _without_layer(current)
    return found


def _without_layer(text: str) -> str | None:
    """Returns ``text`` without what is around it; None if there is nothing around it."""
    if len(text) > 1 and text[0] + text[-1] in PAIRS:
        return text[1:-1].strip()
    latex = LATEX.fullmatch(text) or DELIMITERS.fullmatch(text)
    if latex is not None:
        return str(next(group for group in latex.groups() if group is not None)).strip()
    shorter = AFTER.sub("", text)
    if shorter == text:
        shorter = BEFORE.sub("", text, count=1) if BEFORE.match(text) else text
    return shorter if shorter != text else None


class Spellings:
    """Reads the moves of one position, whose player is to choose.

    ValueError where the game is over or chance moves.
    """

    def __init__(self, position: Position) -> None:
        if position.is_terminal() or position.to_move == CHANCE:
            state = "the game is over" if position.is_terminal() else "chance is to move"
            raise ValueError(f"no player chooses a move here: {state}")
        self.position = position
        self.names = {position.name(action): action for action in position.legal_actions()}
        self.lower_names = {name.lower() for name in self.names}
        self._has_second_notation = type(position).alias is not Position.alias
        self._keys: dict[str, set[int]] = {}
        for name, action in self.names.items():
            for key in {key_of(name), key_of(name).lower()}:
                self._keys.setdefault(key, set()).add(action)
        self._shapes = {shape_of(name) for name in self.names if any(map(str.isdigit, name))}

    def action(self, text: str) -> int | None:
        """Returns the legal action that ``text`` names, all of it; None if it names none."""
        if len(text) > LONGEST:
            return None
        spellings = layers(text)
        for spelling in spellings:
            if (found := self._exact(spelling)) is not None:
                return found
        refused = any(map(self._is_refused, spellings))
        for spelling in spellings:
            key = key_of(spelling).rstrip("*!?+#")
            fits = self._keys.get(key if refused else key.lower(), ())
            if len(fits) == 1:
                return next(iter(fits))
        return None

    def action_after_fillers(self, text: str) -> int | None:
        """Returns the same, where words such as "I play column" may stand before the move."""
        found = self.action(text)
        rest = plain(text).strip()
        while found is None and (filler := FILLERS.match(rest)):
            rest = rest[filler.end() :]
            found = self.action(rest)
        return found

    def has_form(self, text: str) -> bool:
        """Returns whether ``text`` looks like a move, legal or not, and not like a word."""
        if len(text) > LONGEST:
            return False
        spellings = layers(text)
        last = spellings[-1]
        return shape_of(last) in self._shapes or any(map(self._is_refused, spellings))

    def _exact(self, text: str) -> int | None:
        """Returns the action of a name, of one in a second notation, or of one in other cases."""
        if text in self.names:
            return self.names[text]
        if text.lower() not in self.lower_names and not self._has_second_notation:
            return None  # as the game would answer, after naming every move
        try:
            return self.position.action(text)
        except IllegalMove:
            return None

    def _is_refused(self, text: str) -> bool:
        """Returns whether ``text`` is a move in the second notation, but not a legal one."""
        try:
            self.position.alias(text)
        except IllegalMove:
            return True
        return False


@functools.lru_cache(maxsize=64)
def spellings_of(position: Position) -> Spellings:
    """Returns the spellings of the moves of ``position``; those of the latest ones are kept."""
    return Spellings(position)
