"""Describes the arrays that a search works on, and its seed, for JavaScript."""

from __future__ import annotations

from typing import Any

import numpy as np

KINDS_OF_NUMBERS = {"int64": "i64", "float64": "f64", "int32": "i32", "bool": "i8"}
"""What JavaScript calls the types of the elements of arrays."""

MOST_NUMBERS = 100
"""How many numbers of an array may be something else than 0 at first."""


def arrays_told(arrays: Any) -> list[list[Any]]:
    """Returns the name, kind and shape of each array of a named tuple, and of those within.

    They come in the order in which a kernel gets them. Records have the kind "r" and their size,
    and what is a number in place of an array has the kind "number", and what it is.
    """
    found: list[list[Any]] = []
    for name, value in zip(arrays._fields, arrays, strict=True):
        if isinstance(value, np.ndarray):
            found.append([name, kind_of(value.dtype), *value.shape])
        elif isinstance(value, tuple):
            found += arrays_told(value)
        else:
            found.append([name, "number", value])
    return found


def numbers_told(arrays: Any) -> dict[str, list[list[Any]]]:
    """Returns the numbers of arrays of a named tuple that are not 0, by the names of the arrays.

    They are pairs of an index, as if the array were flat, and a number, whole ones as texts.
    ValueError for more than ``MOST_NUMBERS``.
    """
    found: dict[str, list[list[Any]]] = {}
    for name, value in zip(arrays._fields, arrays, strict=True):
        if isinstance(value, np.ndarray):
            flat = value.reshape(-1)
            others = np.flatnonzero(flat).tolist()
            if len(others) > MOST_NUMBERS:
                raise ValueError(f"{name} has {len(others):,} numbers that are not 0: too many")
            kind = float if value.dtype == np.float64 else str
            found |= {name: [[i, kind(flat[i])] for i in others]} if others else {}
        elif isinstance(value, tuple):
            found |= numbers_told(value)
    return found


def seed_told(seed: int | None) -> str | None:
    """Returns a seed as text, as the numbers of JavaScript are exact up to 2**53; None for None."""
    return None if seed is None else str(seed)


def kind_of(dtype: np.dtype[Any]) -> str:
    """Returns what JavaScript calls a type of elements."""
    return f"r{dtype.itemsize}" if dtype.names else KINDS_OF_NUMBERS[dtype.name]
