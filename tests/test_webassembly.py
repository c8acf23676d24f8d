"""Kernels as WebAssembly: in Node.js, the answers of plain Python; and refusals that say why."""

import math
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import wasm_kernels
from jit_games import OPERATORS, Sets
from node import Trap, call_module
from wasm_kernels import WIDTHS, Weights

from adv_envs.bits import num_words, words_of

pytestmark = [pytest.mark.compiled, pytest.mark.needs("wasm", "node")]

TESTS = Path(__file__).parent


def python(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own, as modules are made where nothing was compiled before."""
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    return subprocess.run(
        [sys.executable, *command],
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of ``wasm_kernels``."""
    made = tmp_path_factory.mktemp("modules")
    done = python(str(TESTS / "wasm_kernels.py"), str(made))
    assert done.returncode == 0, done.stderr
    return made


def flat(arguments: tuple[Any, ...]) -> list[Any]:
    """Named tuples are passed as their fields."""
    parts = [list(a) if isinstance(a, tuple) else [a] for a in arguments]
    return [int(a) if isinstance(a, bool) else a for part in parts for a in part]


def check(module: Path, calls: list[tuple[str, tuple[Any, ...]]], like: Any = None) -> None:
    """The calls give in Node.js what they give in plain Python, arrays and all."""
    found = call_module(module, [(name, *flat(args)) for name, args in calls])
    for (name, args), answer in zip(calls, found, strict=True):
        each, _, width = name.partition("_") if like is None else name.rpartition("_")
        kernel = getattr(wasm_kernels, name if like is None else each)
        bound = kernel if like is None else kernel.bind(LIKE=like(int(width)))
        says = f"{name}{tuple(a.tolist() if hasattr(a, 'tolist') else a for a in args)}"
        assert not isinstance(answer, Trap), f"{says}: {answer}"
        expected = bound.plain(*args)
        assert alike(answer[0], expected), f"{says}: {answer[0]}, not {expected}"
        arrays = [a for a in args if isinstance(a, np.ndarray)]
        for i, (left, wanted) in enumerate(zip(answer[1], arrays, strict=True)):
            same = np.array_equal(left, wanted)
            assert same, f"{says}: array {i} is {left.tolist()}, not {wanted.tolist()}"


def alike(found: float | None, expected: Any) -> bool:
    """Whether two numbers are the same to the last bit, zero's sign included."""
    if found is None or expected is None:
        return found is expected
    if math.isnan(expected):
        return math.isnan(found)
    return found == expected and math.copysign(1, found) == math.copysign(1, expected)


# ---- what is passed and returned

EDGES = [
    *(0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.0, -1.0),
    *(math.nextafter(1.0, 0.0), 1e308, 1.7976931348623157e308, math.inf, -math.inf, math.nan),
]


def test_the_next_float(folder: Path) -> None:
    rng = Random(1)
    numbers = EDGES + [rng.uniform(-1, 1) * 2.0 ** rng.randint(-1074, 1023) for _ in range(30)]
    with np.errstate(over="ignore"):  # what follows the largest one
        check(folder / "numbers.wasm", [("after", (x, y)) for x in numbers for y in numbers])


def test_numbers_tuples_and_truth_values(folder: Path) -> None:
    rng = Random(2)
    calls: list[tuple[str, tuple[Any, ...]]] = []
    for _ in range(50):
        weights = Weights(rng.randint(-(2**31), 2**31 - 1), rng.uniform(-9, 9), rng.random() < 0.5)
        times = rng.choice([0, -1, 2**31 - 1, -(2**31)])
        calls.append(("weigh", (weights, rng.uniform(-1e9, 1e9), times, rng.random() < 0.5)))
    pairs = [(a, b) for a in (-(2**31), -1, 0, 2**31 - 1) for b in (-(2**31), -1, 0, 2**31 - 1)]
    check(folder / "numbers.wasm", calls + [("larger", pair) for pair in pairs])


def test_arrays_of_one_and_two_axes(folder: Path) -> None:
    calls: list[tuple[str, tuple[Any, ...]]] = []
    draw = np.random.default_rng(3)
    for height, width in ((1, 1), (3, 5), (7, 2), (0, 3), (40, 300)):
        grid = draw.integers(-(2**40), 2**40, (height, width))
        rows = draw.random(width), draw.integers(-99, 99, (height, width), np.int8)
        calls.append(("spread", (grid, *rows)))
        calls.append(("sorted_copy", (grid.ravel()[:8000].copy(),)))
        bits = np.array([draw.integers(0, 16, width), 1 << draw.integers(0, 8, width)], np.uint8)
        words = draw.integers(-(2**63), 2**63 - 1, 2)
        calls.append(("unpacked", (words, bits, np.zeros(width, np.int8))))
    check(folder / "numbers.wasm", calls)


def test_functions_that_call_themselves_and_each_other(folder: Path) -> None:
    calls: list[tuple[str, tuple[Any, ...]]] = [("even", (n,)) for n in range(30)]
    check(folder / "numbers.wasm", [*calls, ("ackermann", (2, 9)), ("ackermann", (3, 4))])


def test_what_fails_traps_and_the_next_instance_answers(folder: Path) -> None:
    calls = [("refuse", 4), ("refuse", -1), ("refuse", 5), ("ackermann", 4, 2), ("refuse", 6)]
    found = call_module(folder / "numbers.wasm", calls)
    assert [isinstance(answer, Trap) for answer in found] == [False, True, False, True, False]
    assert found[0] == (5, [])
    assert found[4] == (7, [])
    assert str(found[1]) == "RuntimeError: unreachable"


# ---- sets of cells


def row_of(width: int, rng: Random) -> Any:
    """Words of two sets, of which each may be empty, full, sparse or both the same."""
    kinds = [
        rng.getrandbits(width),
        rng.getrandbits(width) & rng.getrandbits(width) & rng.getrandbits(width),
        *(0, 1, 2**width - 1, 1 << width - 1, 1 << rng.randrange(width)),
    ]
    a, b = rng.choice(kinds), rng.choice(kinds)
    number = rng.randint(-(2**63), 2**63 - 1)
    return Sets(width, a, rng.choice([a, b]), rng.random() < 0.5, number)


def words(position: Any) -> Any:
    return np.array(words_of(position), np.int64)


@pytest.mark.parametrize("width", WIDTHS)
def test_operators(width: int, folder: Path) -> None:
    rng, calls = Random(width), []
    for by in [*range(width + 70)] if width > 63 else [*range(64)]:
        position = row_of(width, rng)
        room = [np.zeros(n, np.int64) for n in (10, num_words(position), num_words(position))]
        for how in OPERATORS:
            if width < 64 and how == 3 and position.a << by >= 2**63:
                continue  # a plain word has no room for it
            calls.append((f"combined_{width}", (words(position), how, by, *map(np.copy, room))))
    check(folder / "sets.wasm", calls, Sets)


@pytest.mark.parametrize("width", [width for width in WIDTHS if width > 63])
def test_arithmetic_and_functions_of_sets(width: int, folder: Path) -> None:
    rng, calls = Random(width), list[tuple[str, tuple[Any, ...]]]()
    for _ in range(150):
        position = row_of(width, rng)
        rows = np.zeros((6, num_words(position)), np.int64)
        room = np.zeros(7, np.int64), np.zeros(width, np.int64), rows
        calls.append((f"computed_{width}", (words(position), rng.randrange(width + 9), *room)))
        wanted = rng.choice([position.a >> 64 * rng.randrange(width // 64), rng.getrandbits(63)])
        wanted = wanted & 2**63 - 1 or 1
        calls.append((f"found_in_{width}", (words(position), np.array([wanted]))))
    check(folder / "sets.wasm", calls, Sets)


@pytest.mark.parametrize("width", WIDTHS)
def test_planes_and_cells(width: int, folder: Path) -> None:
    rng, calls = Random(width), list[tuple[str, tuple[Any, ...]]]()
    for _ in range(60):
        stride, height = rng.randint(2, 12), rng.randint(1, 4)
        room, broad = stride * height, rng.randint(1, stride)
        number = 2 * rng.randint(0, width // room // 2) or 1
        position = row_of(width, rng)
        position = position._replace(a=position.a & (1 << number * room) - 1)
        planes = np.zeros((height, broad, number + 1), np.int8)
        swap = number > 1 and rng.random() < 0.5
        calls.append((f"drawn_{width}", (words(position), room, stride, number, swap, planes)))
        if width < 64 and position.a:
            nth = rng.randrange(position.a.bit_count())
            calls.append((f"one_of_{width}", (words(position), nth)))
    check(folder / "sets.wasm", calls, Sets)


# ---- refusals

BEFORE = """
import math
import numpy as np
from adv_envs.jit import kernel
from adv_envs.jit.webassembly import Export, module_of

@kernel
def half(x):
    return x / 2

@kernel
def logarithm(x):
    return math.log(x)

@kernel
def gamma(x):
    return math.gamma(x)

@kernel
def corner(xs):
    return xs[0, 0]

@kernel
def pair(x):
    return x, x

@kernel
def nothing(x):
    return 0

@kernel
def unknown(x):
    return {x: 1}

def show(make):
    try:
        print(make() and "made")
    except Exception as error:
        print(type(error).__name__, error)
"""


def says(*lines: str, **environment: str) -> list[str]:
    """What a program prints that begins as ``BEFORE``."""
    done = python("-c", "\n".join([BEFORE, *lines]), **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


REFUSALS = {
    "Export(gamma, (1.0,))": "the module cannot be linked: it needs numba_gamma; imports may only "
    "be clock, cos, exp, log, pow, sin, tanh",
    "Export(corner, (np.zeros((2, 3)).T,))": "arrays that are passed to WebAssembly are "
    "contiguous, in the order of C",
    "Export(pair, (1.0,))": "UniTuple(float64 x 2) cannot be passed to or from WebAssembly; "
    "numbers and arrays can",
    "Export(half, ('text',))": "cannot compile half: No implementation of function "
    "Function(<built-in function truediv>) found for signature:",
    "Export(nothing, ('text',))": "unicode_type cannot be passed to or from WebAssembly; "
    "numbers and arrays can",
    "Export(unknown, (1,))": "cannot compile unknown: it makes an array, a list, a dictionary or a "
    "text, and nothing is allocated",
    "Export(half, (1.0, 2.0))": "cannot compile half: Signature mismatch: 2 argument types given, "
    "but function takes 1 arguments",
}


def test_what_cannot_be_made_says_why_and_the_rest_can() -> None:
    made = ("Export(half, (1.0,))", "Export(logarithm, (1.0,))")
    exports = made[0], *REFUSALS, *made
    found = says(*(f"show(lambda: module_of({{'f': {export}}}))" for export in exports))
    assert found == ["made", *(f"CompileError {why}" for why in REFUSALS.values()), "made", "made"]


def test_a_process_that_has_compiled_makes_no_modules(tmp_path: Path) -> None:
    make = "show(lambda: module_of({'half': Export(half, (1.0,))}))"
    (found,) = says("half(1.0)", make, ADV_ENVS_CACHE=str(tmp_path))
    assert found == (
        "RuntimeError this process has compiled kernels for its own processor, and would use their "
        "parts again: make modules in a new process"
    )


def test_without_a_linker(tmp_path: Path) -> None:
    (found,) = says(
        "import sys",
        "sys.modules['ziglang'] = None",
        "show(lambda: module_of({'half': Export(half, (1.0,))}))",
        PATH=str(tmp_path),
    )
    assert found == (
        "CompileError there is no linker for WebAssembly: "
        "pip install 'adv-envs[wasm]', or install lld"
    )


def test_code_that_is_not_for_this_processor_is_kept_apart(tmp_path: Path) -> None:
    kept = "glob.glob(os.environ['ADV_ENVS_CACHE'] + '/*.kernel')"
    calls = "print(half(3.0))", f"import glob, os; print(len({kept}))"
    make = "module_of({'half': Export(half, (1.0,))})"
    assert says(make, *calls, ADV_ENVS_CACHE=str(tmp_path)) == ["1.5", "1"]
    assert says(*calls, ADV_ENVS_CACHE=str(tmp_path)) == ["1.5", "2"]
