"""Changes of valid texts and files: of words, numbers, brackets, characters and bytes."""

from __future__ import annotations

import random
import re

NUMBERS = (
    *("0", "-1", "1", "2", "3", "7", "20", "64", "255", "-0", "1.5", "1e400", "nan", "-inf", "1_0"),
    *("9" * 25, "9" * 400, "9" * 5000, f"1{'0' * 400}.0", f"0x{'f' * 3000}", f"-{'9' * 400}"),
    *("٣", "²", "½", "1j", "1e-400", "2147483648", "9223372036854775808", "18446744073709551616"),
)
VALUES = (
    *("None", "True", "False", "[]", "()", "{}", "{[]: 1}", "''", "b''", "lambda: 0", "*", "**{}"),
    *(
        "-" * 3000,
        "." * 3000,
        "(" * 3000,
        "[" * 3000,
        "~" * 200,
        "a" * 5000,
        "a.b" * 1000,
        "x=" * 50,
    ),
    *("os.system", "hex.two_distance", "__import__", "random", "null", '"', "'", "\\", "\\u0000"),
)
CHARACTERS = (
    "\0\ud800\udcff\ufeff\u200b\u2028é围ﬀ𝔸\x1b\x7f\r\n\t ()[]{}<>;:,./\\|'\"#%$*+-=!?@~`^&_aZ09"
)
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def mutated(text: str, others: list[str], rng: random.Random) -> str:
    """Returns ``text`` after some changes; parts of ``others`` may come into it."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5, 8))):
        text = rng.choice(CHANGES)(text, others, rng)
    return text[:50_000]


def _span(length: int, rng: random.Random) -> tuple[int, int]:
    begin = rng.randint(0, length)
    return begin, min(length, begin + rng.choice((1, 1, 2, 3, 5, 10, 40)))


def character(text: str, others: list[str], rng: random.Random) -> str:
    """Replaces, inserts or removes characters."""
    begin, end = _span(len(text), rng)
    new = "".join(rng.choices(CHARACTERS, k=rng.choice((0, 1, 1, 2))))
    return text[:begin] + new + text[rng.choice((begin, end)) :]


def token(text: str, others: list[str], rng: random.Random) -> str:
    """Removes, repeats, exchanges or replaces words and signs."""
    tokens = TOKEN.findall(text) or [""]
    i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    match rng.randrange(5):
        case 0:
            del tokens[i]
        case 1:
            tokens[i] *= rng.choice((2, 3, 50))
        case 2:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        case 3:
            tokens[i] = rng.choice(TOKEN.findall(rng.choice(others)) or [""])
        case _:
            tokens[i] = rng.choice(VALUES)
    return "".join(tokens)


def number(text: str, others: list[str], rng: random.Random) -> str:
    """Replaces a number by an odd one, or by one nearby."""
    found = list(NUMBER.finditer(text))
    if not found:
        return character(text, others, rng)
    at = rng.choice(found)
    near = str(int(float(at[0])) + rng.choice((-1, 1))) if len(at[0]) < 15 else "1"
    return text[: at.start()] + rng.choice((near, rng.choice(NUMBERS))) + text[at.end() :]


def span(text: str, others: list[str], rng: random.Random) -> str:
    """Removes, repeats or moves a part, or cuts the text off."""
    begin, end = _span(len(text), rng)
    part = text[begin:end]
    match rng.randrange(4):
        case 0:
            return text[:begin] + text[end:]
        case 1:
            return text[:begin] + part * rng.choice((2, 3, 200)) + text[end:]
        case 2:
            at = rng.randint(0, len(text))
            return text[:at] + part + text[at:]
        case _:
            return rng.choice((text[:begin], text[begin:]))


def splice(text: str, others: list[str], rng: random.Random) -> str:
    """Goes on with the rest of another text."""
    other = rng.choice(others)
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


CHANGES = (character, token, token, number, number, span, splice)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Returns a file after changes of bytes: single ones, parts, its end."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        begin = rng.randrange(len(found) + 1)
        if rng.random() < 0.5:  # files keep their descriptions at their beginning
            begin = min(begin, rng.randrange(400))
        end = min(len(found), begin + rng.choice((1, 1, 2, 8, 64)))
        match rng.randrange(5):
            case 0:
                found[begin:end] = rng.randbytes(end - begin)
            case 1:
                del found[begin:end]
            case 2:
                found[begin:begin] = found[begin:end]
            case 3:
                found[begin:end] = bytes([rng.choice((0, 1, 127, 128, 255))]) * (end - begin)
            case _:
                del found[rng.choice((begin, len(found))) :]
    return bytes(found)
