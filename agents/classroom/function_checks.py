"""Checks functions of a student's file: evaluations, and any function by its results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from adv_envs import Position
from adv_envs.position import require_competitive
from adv_envs.registry import start_position
from agents.knowledge import knowledge_of

from .assessment import (
    STUDENT_FAILURES,
    Assessment,
    CheckOutcome,
    DrawnExample,
    RubricCheck,
    shown,
    view,
    why_of,
)
from .play_checks import random_positions
from .questions import (
    FunctionCall,
    call_result,
    parameter_count,
)
from .students import require_answer

if TYPE_CHECKING:
    from .rubric import Rubric

CLOSE = 1e-6
"""Numbers that differ by less are taken for the same, relative to their size."""


def same(found: Any, expected: Any) -> bool:
    """Returns whether a result is the expected one; numbers may differ by rounding."""
    numbers = [
        isinstance(each, int | float) and not isinstance(each, bool) for each in (found, expected)
    ]
    if all(numbers):
        return math.isclose(found, expected, rel_tol=CLOSE, abs_tol=CLOSE)
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    return type(found) is type(expected) and bool(found == expected)


@dataclass(frozen=True, kw_only=True)
class FunctionCheck(RubricCheck):
    """Represents a check of one function of the student's file."""

    function: str

    def named(self) -> dict[str, str]:
        """Returns the values that its title has."""
        return {"function": self.function}

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        if not self.function.isidentifier():
            raise ValueError(f"function must be the name of one, not {self.function!r}")


# ---- evaluations


@dataclass(frozen=True, kw_only=True)
class Antisymmetric(FunctionCheck):
    """Looks whether an evaluation gives to each side the opposite of what it gives to the other.

    ``evaluate(position, player)`` is asked for both players. ``evaluate(position)`` is asked at
    positions and the same with the players exchanged, in games where they can be: it must be the
    same for the player to move, or the opposite for the first one.
    """

    kind: ClassVar[str] = "antisymmetric"
    function: str = "evaluate"
    positions: int = 12

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        super().require(rubric)
        require_competitive(rubric.start, f"the check {self.kind!r}")
        if rubric.start.num_players != 2:
            raise ValueError(f"{rubric.name} has {rubric.start.num_players} players, not two")
        if self.positions < 1:
            raise ValueError(f"positions must be at least 1, not {self.positions}")

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, seed = assessment.words, assessment.seed_for("evaluation")
        exchange = knowledge_of(assessment.start).exchange
        parameters = assessment.student.ask(parameter_count, self.function)
        require_answer(type(parameters) is int)
        if parameters > 2 or (parameters < 2 and exchange is None):
            text = words("antisymmetric_cannot", function=self.function)
            return self.outcome(assessment, 0, text)
        positions = [view(p) for p in random_positions(assessment.start, self.positions, seed)]
        pairs = []
        for position in positions:
            calls: list[tuple[Any, ...]]
            if parameters == 2:
                calls = [(position, 0), (position, 1)]
            else:
                calls = [(position,), (exchange.image(position),)] if exchange else []
            if all(each[0] is not None for each in calls):
                pairs.append((position, *(self.value(assessment, each) for each in calls)))
        wrong = [pair for pair in pairs if not opposite(pair)]
        if parameters < 2 and wrong:  # for the player to move
            wrong = min(wrong, [pair for pair in pairs if not same(*pair[1:])], key=len)
        data = {"asked": len(pairs), "wrong": len(wrong)}
        values = {"asked": len(pairs), "function": self.function}
        if not wrong:
            return self.outcome(assessment, 1, words("antisymmetric_yes", **values), data=data)
        examples = [
            DrawnExample(
                p, words("antisymmetric_example", first=shown(first), second=shown(second))
            )
            for p, first, second in wrong
        ]
        text = words("antisymmetric_no", bad=len(wrong), **values)
        return self.outcome(assessment, 0, text, examples, data)

    def value(self, assessment: Assessment, arguments: tuple[Any, ...]) -> Any:
        """Returns what the student's function returns."""
        return assessment.student.ask(call_result, FunctionCall(self.function, arguments))


def opposite(pair: tuple[Position, Any, Any]) -> bool:
    """Returns whether the values of a pair are numbers that add up to 0."""
    _, first, second = pair
    numbers = [isinstance(each, int | float) for each in (first, second)]
    return all(numbers) and same(first, -second)


# ---- any other function

CASE_KEYS = "position", "player", "arguments", "expected"


@dataclass(frozen=True, kw_only=True)
class Returns(FunctionCheck):
    """Calls a function, and compares what it returns; each case earns the same part of the points.

    A case has ``expected``, and what the function is called with: a ``position`` as text, such as
    "size=5; moves=a1 b2", a ``player``, and more ``arguments``, in this order.
    """

    kind: ClassVar[str] = "returns"
    cases: tuple[Any, ...]

    def require(self, rubric: Rubric) -> None:
        """Raises ValueError where it cannot be held; see ``RubricCheck.require``."""
        super().require(rubric)
        if not self.cases:
            raise ValueError(
                "cases must have one at least, such as {arguments = [1, 2], expected = 3}"
            )
        for number, case in enumerate(self.cases, 1):
            if not isinstance(case, Mapping) or "expected" not in case:
                raise ValueError(f"case {number} must be a table with expected, not {case!r}")
            if unknown := sorted(set(case) - set(CASE_KEYS)):
                raise ValueError(
                    f"case {number} has an unknown key {unknown[0]!r}; keys: {', '.join(CASE_KEYS)}"
                )
            try:
                self.arguments(rubric, case)
            except (ValueError, TypeError) as error:
                raise ValueError(f"case {number}: {error}") from None

    def arguments(self, rubric: Rubric, case: Mapping[str, Any]) -> tuple[Any, ...]:
        """Returns what the function is called with in a case."""
        position = [position_in(rubric, case["position"])] if "position" in case else []
        player = [case["player"]] if "player" in case else []
        return (*position, *player, *case.get("arguments", ()))

    def run(self, assessment: Assessment) -> CheckOutcome:
        """Runs it; see ``RubricCheck.run``."""
        words, said = assessment.words, list[DrawnExample | str]()
        for case in self.cases:
            said += self.fault(assessment, case)
        number = len(self.cases)
        data = {"cases": number, "wrong": len(said)}
        if not said:
            text = words("returns_yes", function=self.function, cases=number)
            return self.outcome(assessment, 1, text, data=data)
        texts = [words("returns_no", function=self.function, bad=len(said), cases=number)]
        texts += [each for each in said if isinstance(each, str)][:3]
        examples = [each for each in said if isinstance(each, DrawnExample)]
        return self.outcome(assessment, 1 - len(said) / number, "\n".join(texts), examples, data)

    def fault(
        self, assessment: Assessment, case: Mapping[str, Any]
    ) -> Iterator[DrawnExample | str]:
        """Yields what is wrong with a case, if anything is."""
        words, arguments = assessment.words, self.arguments(assessment.rubric, case)
        given = ("position" if isinstance(each, Position) else shown(each) for each in arguments)
        values = {"call": f"{self.function}({', '.join(given)})"}
        try:
            question = FunctionCall(self.function, arguments)
            found = assessment.student.ask(call_result, question)
            if same(found, case["expected"]):
                return
            text = words(
                "returns_example", found=shown(found), expected=shown(case["expected"]), **values
            )
        except STUDENT_FAILURES as error:
            text = words("returns_failed", why=why_of(error), **values)
        if arguments and isinstance(arguments[0], Position):
            yield DrawnExample(arguments[0], text)
        else:
            yield text


def position_in(rubric: Rubric, text: Any) -> Position:
    """Returns the position of a text: parameters of the game, and moves after "moves="."""
    if not isinstance(text, str):
        raise TypeError(f'a position is a text such as "moves=a1 b2", not {text!r}')
    values = dict(rubric.parameters)
    moves = ""
    for part in filter(None, (part.strip() for part in text.split(";"))):
        key, equals, value = (each.strip() for each in part.partition("="))
        if not equals:
            raise ValueError(f"{part!r} is not written as key=value, such as moves=a1 b2")
        if key == "moves":
            moves = value
        else:
            values[key] = int(value) if value.lstrip("-").isdigit() else value
    return start_position(rubric.game, **values).after(moves)
