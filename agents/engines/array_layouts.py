"""Describes arrays as data, so that JavaScript allocates what Python would have made."""

from __future__ import annotations

from typing import Any

import numpy as np

Layout = list[Any]
"""What a kernel is given, in the order of its parameters: numbers as they are, and each array as
{"type", "shape", "fill", "but"}: its numbers, all of which are ``fill`` but for ``but``, pairs of
an index, as if the array were flat, and a number. Numbers of int64 arrays are texts."""

TYPES = {"int64": "i64", "float64": "f64", "int32": "i32"}
"""The names of types of arrays, by those of NumPy."""

MOST_EXCEPTIONS = 4096
"""The most numbers of an array that may differ from the first of them."""


def layout_of(arrays: Any) -> Layout:
    """Returns the layout of arrays, numbers and named tuples of them, one after the other.

    ValueError for arrays that are too irregular to be described.
    """
    if isinstance(arrays, tuple):
        return [part for element in arrays for part in layout_of(element)]
    if not isinstance(arrays, np.ndarray):
        return [arrays]
    kind = TYPES[str(arrays.dtype)]
    flat = arrays.reshape(-1)
    fill = flat[-1] if flat.size else arrays.dtype.type(0)
    others = np.flatnonzero(flat != fill)
    if len(others) > MOST_EXCEPTIONS:
        raise ValueError(f"an array with {len(others):,} different numbers is no layout")
    told = str if kind == "i64" else float
    exceptions = [[int(at), told(flat[at])] for at in others]
    return [{"type": kind, "shape": list(arrays.shape), "fill": told(fill), "but": exceptions}]
