"""Checks by ``check_reading`` that replies of language models are read as what they say."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from adv_envs.position import CHANCE, IllegalMove, Position, checked
from adv_envs.random import chance_action
from adv_envs.registry import GAMES, start_position
from adv_envs.text import read_reply

WRAPPINGS = (
    "{}",
    " {}\n",
    "{}.",
    '"{}"',
    "**{}**",
    "`{}`",
    "***{}***",
    "- {}",
    "## {}",
    "> {}",
    "```\n{}\n```",
    "```text\n{}\n```\n",
    "[{}]",
    "I would block here.\n\n{}",
    "The centre matters, and so does time.\n\n**{}**",
    "I think `{}` is best.",
    "I think **{}** looks strong, because it keeps both threats.",
    "It is my turn, so: [{}]",
    "Final answer: {}",
    "**Final answer:** {}",
    "**Final answer: {}**",
    "### Final answer\n\n{}",
    "Answer: `{}`.",
    "My move is {}.",
    "My move: **{}**",
    "I play {}.",
    "I'll play {}, which keeps the initiative.",
    "I choose {} because it is safe.",
    "The best move is **{}**.",
    '{{"move": "{}"}}',
    '{{"reasoning": "Final answer: none of these, I play on", "move": "{}"}}',
    '```json\n{{"move": "{}"}}\n```',
    "{{'action': '{}'}}",
    "{{move: {}}}",
    'Here it is: {{"answer": "{}"}} and good luck!',
    '{{"name": "play", "arguments": {{"move": "{}"}}}}',
    '{{"function": {{"name": "play", "arguments": "{{\\"move\\": \\"{}\\"}}"}}}}',
    '<tool_call>\n{{"name": "play", "arguments": {{"move": "{}"}}}}\n</tool_call>',
    'play("{}")',
    "Action: play[{}]",
    "Final answer: {}\n\nIf you answer zz99, I play zz98 next.",
    "I'll go with **{}**.",
    "**Move:** {} (to keep the initiative)",
    "<answer>{}</answer>",
    "<move>\n{}\n</move>",
    "<answer>**{}**</answer>",
    "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$",
    "The answer is \\(\\boxed{{{}}}\\).",
    "<think>Is [zz99] good? Final answer: zz98, or not.</think>{}",
    "<thinking>\nI play zz99.\n</thinking>\n\nMy move: {}",
    "zz99 is too slow.</think>\n{}",
    "Final answer: zz99. No, I was wrong.\n\nFinal answer: {}",
)
"""Replies with a place for a move, each of which is accepted whatever the move is called."""

PROSE = (
    "",
    "I resign.",
    "What a difficult position! Every choice has its price.",
    "Let me think about what the other player wants, and about the centre.",
    "I am a language model and cannot play games.",
    "<think>I play {0}, final answer {0}, [{0}]",
    "<think>{0}</think>",
    "I could play {0} or {1}.",
    "Both `{0}` and `{1}` are possible.",
    "Final answer: {0} or {1}",
    '{{"comment": "nothing yet", "confidence": 0.5}}',
    '{{"move": null}}',
    "<answer></answer>",
    "\\boxed{{}}",
    "Final answer:",
    "My move is difficult to explain.",
    "I play for a win.",
)
"""Replies that name no move, or two different ones in the places 0 and 1."""

FULL_WIDTH = {i: 0xFEE0 + i for i in range(0x21, 0x7F)}
ALPHABET = "abcdefgh0123456789-/x"


class Read(NamedTuple):
    """Describes one reply and how it was read."""

    kind: str
    """"legal" for a move that must be found; else what the reply says in its place."""
    outcome: str
    right: bool
    problem: str
    """What was read, for errors."""


def check_reading(start: Position, replies: int = 2_000, seed: int = 0) -> None:
    """Holds the reading of replies to its law at a game's positions; AssertionError if it fails.

    Every legal action, in every accepted spelling and wrapping, is read as that action, and what
    names no legal move is never read as one. ``replies`` is how many are tried.
    """
    start = checked(start, whole=True)
    for read, _ in zip(read_replies(start, seed), range(replies), strict=False):
        assert read.right, read.problem


def read_replies(start: Position, seed: int) -> Iterator[Read]:
    """Yields readings of replies at random positions of random games from ``start``, without end.

    Half of them must be read as a legal action; the others, in equal parts, are names from other
    positions, changed names, moves of other games, and prose.
    """
    rng = random.Random(seed)
    foreign = _foreign_names(type(start), rng)
    pool: list[str] = []
    for position in _positions(start, rng):
        names = [position.name(action) for action in position.legal_actions()]
        pool = (pool + rng.sample(names, min(4, len(names))))[-400:]
        for _ in range(16):
            yield _legal_read(position, rng)
            kind = rng.choice(("elsewhere", "changed", "foreign", "prose"))
            name = {"elsewhere": rng.choice(pool), "foreign": rng.choice(foreign)}.get(kind)
            yield _wrong_read(position, kind, name or _changed(rng.choice(names), rng), rng)


def _positions(start: Position, rng: random.Random) -> Iterator[Position]:
    """Yields positions in which a player chooses, as that player sees them; ValueError if none."""
    if start.is_terminal():
        raise ValueError(f"there is nothing to reply to: {start!r} is over at the start")
    while True:
        position = start
        for _ in range(200):
            if position.is_terminal():
                break
            if position.to_move == CHANCE:
                position = position.play(chance_action(position, rng.random()))
                continue
            if rng.random() < 0.3:
                yield position.hidden(position.to_move)
            position = position.play(rng.choice(position.legal_actions()))


def _foreign_names(cls: type[Position], rng: random.Random) -> list[str]:
    """Returns names of moves of the other games."""
    names = ["e2e4", "pass", "42", "zz99"]
    for game in GAMES:
        position = start_position(game)
        if type(position) is not cls and position.to_move != CHANCE:
            actions = position.legal_actions()
            names += [position.name(action) for action in rng.sample(actions, min(5, len(actions)))]
    return names


def _legal_read(position: Position, rng: random.Random) -> Read:
    action = rng.choice(position.legal_actions())
    name = position.name(action)
    spelling = rng.choice([*spellings_of_name(name), *_other_cases(position, name)])
    reply = rng.choice(WRAPPINGS).format(spelling)
    reading = read_reply(position, reply)
    right = reading.action == action and reading.outcome == "legal"
    problem = f"{reply!r} was read as {reading}, not as action {action}, at {position!r}"
    return Read("legal", reading.outcome, right, problem)


def spellings_of_name(name: str) -> list[str]:
    """Returns a move's name as people may write it, all of which are accepted everywhere."""
    found = [name, name, name.translate(FULL_WIDTH)]
    if re.fullmatch(r"[a-z][0-9]+[a-z][0-9]+", name):
        found += [re.sub(r"(?<=[0-9])(?=[a-z])", mark, name) for mark in ("-", "\u2013", " to ")]
    if re.fullmatch(r"[0-9]+[-x/][0-9]+", name):
        found += [re.sub(r"[-x/]", mark, name) for mark in ("-", "\u2013", " - ", "/")]
    return found


def _other_cases(position: Position, name: str) -> list[str]:
    """Returns a move's name in capitals, where the game itself reads that as the same move."""
    found, action = [], position.action(name)
    for other in (name.upper(), name.capitalize()) if len(name) > 1 else ():
        try:
            found += [other] * (position.action(other) == action)
        except IllegalMove:  # the other cases are another move in a second notation
            continue
    return found


def _wrong_read(position: Position, kind: str, name: str, rng: random.Random) -> Read:
    if kind == "prose":
        two = [position.name(action) for action in position.legal_actions()][:2]
        reply = rng.choice(PROSE if len(two) > 1 else PROSE[:5]).format(*two)
        named = False
    else:
        reply = rng.choice(WRAPPINGS).format(name)
        named = is_named(position, name)
    reading = read_reply(position, reply)
    right = named or reading.outcome != "legal"
    problem = f"{reply!r} names no legal move, but was read as {reading}, at {position!r}"
    return Read("legal, by chance" if named else kind, reading.outcome, right, problem)


def _changed(name: str, rng: random.Random) -> str:
    """Returns a name with one or two characters replaced, left out, put in or exchanged."""
    for _ in range(rng.choice((1, 1, 2))):
        at, other = rng.randrange(len(name)), rng.choice(ALPHABET)
        name = rng.choice((
            name[:at] + other + name[at + 1 :],
            name[:at] + other + name[at:],
            name[:at] + name[at + 1 :] or other,
            name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
        ))  # fmt: skip
    return name


def is_named(position: Position, text: str) -> bool:
    """Returns whether ``text`` is a legal move as the game reads it, or has the same parts as one.

    Parts are runs of letters and of digits; an "x" between them is none.
    """
    try:
        position.action(text)
    except IllegalMove:
        parts = _parts(text)
        return any(_parts(position.name(action)) == parts for action in position.legal_actions())
    return True


def _parts(text: str) -> list[str]:
    apart = re.sub(r"(?<=[0-9])x(?=[a-z0-9])", " ", text.lower())
    return re.findall(r"[a-z]+|[0-9]+", apart)


def count_reads(start: Position, replies: int, seed: int) -> Counter[tuple[str, str]]:
    """Counts readings by kind and outcome; those that are wrong are counted as "wrong"."""
    counts: Counter[tuple[str, str]] = Counter()
    for read, _ in zip(read_replies(start, seed), range(replies), strict=False):
        counts[read.kind, read.outcome if read.right else "wrong"] += 1
    return counts
