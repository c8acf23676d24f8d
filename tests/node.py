"""Node.js, for tests of what runs in it: the environment's, or the system's."""

import base64
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

CALLER = Path(__file__).with_name("js") / "call_module.js"


def find_node() -> str | None:
    """The program, if there is one."""
    own = Path(sys.executable).parent / "node"
    return str(own) if own.exists() else shutil.which("node")


class Trap(Exception):
    """A function of a module failed."""


def call_module(module: Path, calls: list[tuple[Any, ...]]) -> list[tuple[Any, list[Any]] | Trap]:
    """Calls functions of a WebAssembly module, each a name and its arguments: numbers and arrays.

    For each what it returned, as a float or None, and its arrays as they are afterwards; or a Trap.
    """
    told = {"module": str(module), "calls": [[name, *map(_passed, args)] for name, *args in calls]}
    done = subprocess.run(
        [find_node() or "node", CALLER],
        input=json.dumps(told),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=300,
    )
    answers = zip(json.loads(done.stdout), calls, strict=True)
    return [_answer(answer, args) for answer, (_, *args) in answers]


def _passed(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        data = base64.b64encode(argument.tobytes()).decode()
        return {"shape": argument.shape, "data": data}
    if isinstance(argument, float):  # JSON has no infinity
        return {"double": base64.b64encode(np.array([argument]).tobytes()).decode()}
    return argument


def _answer(answer: Any, args: list[Any]) -> tuple[Any, list[Any]] | Trap:
    if "trap" in answer:
        return Trap(answer["trap"])
    given = [argument for argument in args if isinstance(argument, np.ndarray)]
    left = [
        np.frombuffer(base64.b64decode(data), array.dtype).reshape(array.shape)
        for data, array in zip(answer["arrays"], given, strict=True)
    ]
    result = answer["result"]
    return result and float(np.frombuffer(base64.b64decode(result))[0]), left
