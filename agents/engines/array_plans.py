"""Describes the arrays that a search works on, for JavaScript, which allocates them."""

from __future__ import annotations

from typing import Any

import numpy as np

KINDS_OF_NUMBERS = {"int64": "i64", "float64": "f64", "int32": "i32", "bool": "i8"}
"""What JavaScript calls the types of the elements of arrays."""


def arrays_told(arrays: Any) -> list[list[Any]]:
    """Returns the name, kind and shape of each array of a named tuple, and of those within.

    They come in the order in which a kernel gets them. Records have the kind "r" and their size.
    """
    found: list[list[Any]] = []
    for name, value in zip(arrays._fields, arrays, strict=True):
        if isinstance(value, np.ndarray):
            found.append([name, kind_of(value.dtype), *value.shape])
        else:
            found += arrays_told(value)
    return found


def kind_of(dtype: np.dtype[Any]) -> str:
    """Returns what JavaScript calls a type of elements."""
    return f"r{dtype.itemsize}" if dtype.names else KINDS_OF_NUMBERS[dtype.name]
