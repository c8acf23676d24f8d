"""Finds the explicit answers in a reply: JSON, tags, boxes, calls and phrases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple


class FoundAnswer(NamedTuple):
    """Holds an explicit answer in a reply; of several, the largest counts."""

    rank: int
    """1, or 0 for a phrase such as "I play", which may be about another moment."""
    end: int
    """Where it ends in the reply."""
    text: str
    certain: bool
    """Whether it is an answer whatever it says; others only if they name a move."""


KEYS = (
    "move", "action", "answer", "final_answer", "my_move", "final_move", "best_move", "next_move",
    "chosen_move", "selected_move", "choice", "play", "bid", "decision", "uci", "san", "column",
    "cell", "square", "card", "pit",
)  # fmt: skip
"""What an object of JSON calls an answer, the first of these that it has."""

TAGS = re.compile(
    r"<(final_answer|answer|move|action|choice|play|bid)>((?:(?!<\1>).)*?)(?:</\1>|\Z)", re.S | re.I
)
BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
CALL = re.compile(
    r"\b(?:play|move|make_move|play_move|submit_move|bid|answer)"
    r"(?:\(\s*(?:\w+\s*=\s*)?(?P<call>\"[^\"\n]*\"|'[^'\n]*'|[\w/-]+)\s*\)"
    r"|\[(?P<react>[^\[\]\n]{1,40})\])",
    re.I,
)
NOUN = r"(?:move|action|choice|answer|bid|play|decision|response)"
OWN_NOUN = (
    r"(?:my|the|our|final|chosen|selected|best)\s+"
    rf"(?:(?:final|next|best|chosen|selected|own)\s+)?{NOUN}"
)
LABEL = re.compile(
    rf"(?:^[\s>#*_`+\u2022-]*(?:final\s+)?{NOUN}|\b{OWN_NOUN})[*_`]*\s*[:=\uff1a]"
    rf"|^[\s>#*_]*(?:{OWN_NOUN}|answer)[*_\s]*$",
    re.I | re.M,
)
"""What stands before an answer: "Final answer:", or a heading "Final answer"."""
STATEMENT = re.compile(rf"\b{OWN_NOUN}\s+(?:is|will\s+be|would\s+be)\b\s*:?", re.I)
"""The same as a sentence: "My move is"."""
PHRASE = re.compile(
    r"\b(?:i|let's)(?:'ll|'d|\s+(?:will|shall|would|choose|chose|pick|select|play|bid|move|take|go"
    r"|decide|decided|am\s+going|respond|reply|answer|open|opt|drop|place|put|call|throw)"
    r"|(?='m\s+going)|(?=\s+[a-z]+\s*(?:[.!\n]|$)))"
    r"(?:'m\s+going)?(?:\s+(?:with|for|to|at|on|in|by)\b)?",
    re.I,
)
"""What may stand before a move in prose: "I'll play", "I choose", or "I" before a last word."""
CONDITIONS = frozenset((
    "after", "because", "before", "can", "could", "did", "had", "how", "if", "may", "might", "once",
    "should", "suppose", "that", "unless", "until", "when", "why", "would", "were",
))  # fmt: skip
"""Words before "I" after which no answer follows."""


def explicit_answers(text: str) -> Iterator[FoundAnswer]:
    """Yields every explicit answer in ``text``."""
    for begin, end, value in objects_in(text):
        values = list(dict.fromkeys(answers_in(value)))
        if values:
            yield FoundAnswer(1, end, " or ".join(values), True)
            text = text[:begin] + " " * (end - begin) + text[end:]
    for pattern in (TAGS, BOXED, CALL):
        for found in pattern.finditer(text):
            yield FoundAnswer(1, found.end(), found[found.lastindex or 0], True)
    straight = text.translate({0x2019: "'"})
    for rank, pattern in ((1, LABEL), (1, STATEMENT), (0, PHRASE)):
        for found in pattern.finditer(straight):
            before = (straight[: found.start()].split() or [""])[-1].lower()
            if rank or before not in CONDITIONS:
                content = _following(text, found.end())
                yield FoundAnswer(rank, found.end(), content, pattern is LABEL)


def _following(text: str, begin: int) -> str:
    """Returns the rest of a line, or the paragraph that follows, if that is empty."""
    first, _, rest = text[begin:].partition("\n")
    if not first.strip(MARKUP):
        first = re.split(r"\n\s*\n", rest.lstrip(MARKUP_LINES), maxsplit=1)[0]
    content = first.strip()
    return content.removeprefix("**").strip() if content.count("**") % 2 else content


MARKUP = " \t*_`:>#\r"
"""What says nothing in a line of Markdown."""
MARKUP_LINES = " \t\r\n:"


def objects_in(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yields where each outermost object of JSON in ``text`` begins and ends, and the object."""
    decoder, begin = json.JSONDecoder(), text.find("{")
    while begin >= 0:
        try:
            value, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            value, end = _loose_object(text, begin)
        if value is not None:
            yield begin, end, value
        begin = text.find("{", end)


def _loose_object(text: str, begin: int) -> tuple[Any, int]:
    """Returns a flat object that is nearly JSON, in single quotes or without any; and its end."""
    found = re.compile(r"\{([^{}]*)\}").match(text, begin)
    if found is None:
        return None, begin + 1
    pair = re.compile(r"""\s*['"]?(\w+)['"]?\s*:\s*(?:'([^']*)'|"([^"]*)"|([^,"']*?))\s*(?:,|$)""")
    pairs = {p[1]: p[2] or p[3] or p[4] or "" for p in pair.finditer(found[1])}
    return pairs or None, found.end()


def answers_in(value: Any) -> Iterator[str]:
    """Yields the answers in an object of JSON: its own, or else those of the objects in it."""
    if isinstance(value, list):
        for each in value:
            yield from answers_in(each)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        for _, _, inner in objects_in(value):
            yield from answers_in(inner)
    if not isinstance(value, dict):
        return
    named = {re.sub(r"[\s-]+", "_", str(key).strip().lower()): each for key, each in value.items()}
    own = next((named[key] for key in KEYS if not _is_empty(named.get(key))), None)
    if own is None or (isinstance(own, dict | list) and "from" not in own):
        for each in value.values() if own is None else (own,):
            yield from answers_in(each)
        if isinstance(own, dict) and isinstance(own.get("value"), str):
            yield own["value"]
        if isinstance(own, list) and all(isinstance(each, str) for each in own):
            yield " or ".join(own)
    elif isinstance(own, dict):
        yield f"{own.get('from')}-{own.get('to')}"
    else:
        yield str(own)


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)
