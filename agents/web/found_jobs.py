"""Puts what engines have found into the messages that a page gets of agents of Python.

An engine searches in the page; what its results mean is said here, by the jobs of ``play_jobs`` and
``analyse_jobs`` as they are. A job runs from its beginning with the results that the page has so
far, and where it needs one more, the answer says which search that is: so nothing is kept between
the requests. All that a page sends is checked, but whether it has searched well is its own affair.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from adv_envs import CHANCE, Position
from adv_envs.bits import words_of
from adv_envs.literals import call_of, expression
from agents.agent import LIMITS, SearchAgent, SearchResult, require_unfinished
from agents.knowledge import LISTED, ExactValues, MoveValue, NotGraded

from .analyse_jobs import Searchers, analyse, review
from .game_states import (
    BadRequest,
    GameState,
    GameStates,
    Message,
    UnfinishedJob,
    finite,
    shown_after,
)
from .play_jobs import hint, move, puzzle_move, puzzle_reply

LONGEST_PLAN = 4000
"""Characters of a plan."""
LONGEST_SPEC = 300
"""Characters of the spec of an agent."""
MOST_SEARCHES_OF_JOB = 2000
"""Searches of one job, and results of a search in one request."""
LONGEST_LINE = 1000
"""Moves of a line that a search has found."""
MOST_COUNTED = 2**53
"""Numbers of JavaScript are exact up to here."""

EngineJob = Callable[[GameState, Mapping[str, Any], Searchers], Iterator[Message]]

ENGINE_JOBS: dict[str, EngineJob] = {
    "move": move,
    "hint": hint,
    "analyse": analyse,
    "review": review,
    "puzzle_move": puzzle_move,
    "puzzle_reply": puzzle_reply,
}
"""The jobs that engines can do, by the names that pages use."""


def found_messages(
    states: GameStates, data: Mapping[str, Any], trusted: bool = False
) -> dict[str, Any]:
    """Returns what a job says of the results of engines, and the search that it needs next.

    ``data`` has the keys of a game state, "job" and "options" as over the WebSocket, "plan" (of the
    agent; None if the job needs none), "exact" (the plan by which exact values are found, or None),
    "found": for each search of the job so far its results, where of searches that have ended the
    last result is enough,
    "said": how many results of the last search were sent before, and "ended": whether that search
    has ended. The answer has "messages", those that are new; "search": None, or {"plan", "words",
    "want", "seed"} as engines want it; and "done". BadRequest says what is wrong, which it is of
    games of hidden information unless ``trusted``: the "search" goes past the page to an engine.
    """
    state, options = states.read(data), data.get("options") or {}
    job = data.get("job")
    if not isinstance(job, str) or job not in ENGINE_JOBS:
        raise BadRequest(f"engines do these jobs: {', '.join(ENGINE_JOBS)}")
    if not isinstance(options, dict):
        raise BadRequest("options are given by name")
    if not state.start.perfect_information and not trusted:
        raise BadRequest("in this game players do not see everything: the server searches")
    searchers = EngineSearchers(options, data, state.start.perfect_information)
    messages = list[Message]()
    answer: dict[str, Any] = {"search": None, "done": False}
    try:
        for message in ENGINE_JOBS[job](state, options, searchers):
            if searchers.replies.fresh:
                messages.append(shown_after(states, state, message))
        answer["done"] = True
    except SearchWanted as wanted:
        answer["search"] = wanted.search
    except StillSearching:
        pass
    except BadRequest:
        raise
    except (ValueError, RuntimeError) as error:
        raise BadRequest(str(error)) from None
    return {"messages": finite(messages), **answer}


class SearchWanted(UnfinishedJob):
    """Says which search a job needs that the page has not done yet."""

    def __init__(self, search: Message) -> None:
        super().__init__("a search is needed")
        self.search = search


class StillSearching(UnfinishedJob):
    """Says that a search that a job waits for still goes on."""


class Replies:
    """Holds the results of the searches of a job, in the order in which it asks for them."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        found, said = data.get("found", []), data.get("said", 0)
        if not is_list_of(list, found) or not all(is_list_of(dict, each) for each in found):
            raise BadRequest("found is a list with the results of each search")
        if type(said) is not int or said < 0:
            raise BadRequest("said is a number of results")
        self.searches: list[list[dict[str, Any]]] = found
        self.said, self.ended = said, data.get("ended") is True
        self.fresh = not found
        """Whether what the job says now was not said before."""
        self._next = 0

    def take(self, agent: FoundAgent, position: Position, want: str) -> Iterator[SearchResult]:
        """Yields the results of the next search of a job.

        Raises SearchWanted if it has not begun, and StillSearching where it has not ended.
        """
        if self._next == len(self.searches):
            raise SearchWanted(
                {
                    "plan": dict(agent.plan),
                    "words": [str(word) for word in words_of(position)],
                    "want": want,
                    "seed": agent.seed if (agent.seed or 0) < MOST_COUNTED else str(agent.seed),
                }
            )
        results = self.searches[self._next]
        self._next += 1
        is_last = self._next == len(self.searches)
        if not results and (self.ended or not is_last) and want == "best":
            raise BadRequest("a search has found nothing")
        for number, result in enumerate(results):
            self.fresh = self.fresh or (is_last and number >= self.said)
            yield read_result(position, result)
        if is_last and not self.ended:
            raise StillSearching
        self.fresh = self.fresh or is_last


def is_list_of(kind: type, value: Any) -> bool:
    """Returns whether a value is a list of that kind, not too long."""
    few = isinstance(value, list) and len(value) <= MOST_SEARCHES_OF_JOB
    return few and all(isinstance(each, kind) for each in value)


# ---- who searches


@dataclass(repr=False)
class FoundAgent(SearchAgent):
    """Searches by an engine of the page: its results come from ``replies``.

    ``plan`` says how the engine plays what ``spec`` says (see ``agents.engines``).
    """

    plan: Mapping[str, Any]
    spec: str
    replies: Replies
    seed: int | None = None
    most_seeds: ClassVar[int] = MOST_COUNTED

    def __post_init__(self) -> None:
        """Raises BadRequest for a plan that makes no sense."""
        require_plan(self.plan)

    @property
    def name(self) -> str:  # type: ignore[override]  # others have it in their class
        """Returns what the agent is called in sentences."""
        return str(self.plan["name"])

    @property
    def scale(self) -> float | None:
        """Returns the typical size of its evaluation; None where it has none."""
        return self.plan.get("scale")

    @property
    def weak(self) -> bool:
        """Returns whether it finds who wins only, not how soon."""
        return bool(self.plan.get("weak"))

    def reset(self, seed: int | None = None) -> None:
        """Draws from ``seed`` from now on; None: from new numbers each time."""
        if seed is not None and (type(seed) is not int or not 0 <= seed < self.most_seeds):
            raise BadRequest(f"a seed is a whole number from 0 to {self.most_seeds - 1}")
        self.seed = seed

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields what the engine has found."""
        yield from self.replies.take(self, require_unfinished(position), "best")

    def values(self, position: Position) -> dict[int, float]:
        """Returns the value of each action; empty where the game is over or nothing was found."""
        if position.is_terminal():
            return {}
        found = list(self.replies.take(self, position, "values"))[-1:]
        for result in found:
            if len(result.values) != len(position.legal_actions()):
                raise BadRequest("an engine has not valued every move")
            return dict(result.values)
        return {}

    def limits(self) -> dict[str, Any]:
        """Returns the limits of its plan by name."""
        return {name: self.plan[name] for name in LIMITS if name in self.plan}

    def limited(self, **limits: Any) -> FoundAgent:
        """Returns the same agent with other limits."""
        plan = {**self.plan, **limits}
        return dataclasses.replace(self, plan=plan, spec=limited_spec(self.spec, limits))

    def __repr__(self) -> str:
        return self.spec


class FoundViewAgent(FoundAgent):
    """Searches by an engine what the player to move sees, as agents for hidden information do.

    It may draw what it plays, and then analyses what it would play most often.
    """

    most_seeds: ClassVar[int] = 2**63
    values = SearchAgent.values

    @property
    def draws(self) -> bool:
        """Returns whether it draws what it plays."""
        return self.plan.get("search") == "policy" or self.plan.get("mixed") is True

    def act(self, position: Position) -> int:
        """Returns the action that the engine has drawn or chosen."""
        *_, last = self.replies.take(self, self.view(position), "best")
        return last.action

    def analysis(self, position: Position) -> Iterator[SearchResult]:
        """Yields what the engine has found; the action is the one that is played most often."""
        for found in self.replies.take(self, self.view(position), "best"):
            yield with_usual_action(found) if self.draws else found

    def view(self, position: Position) -> Position:
        """Returns what the player to move sees; ValueError if there is none."""
        position = require_unfinished(position)
        if position.to_move == CHANCE:
            raise ValueError(f"{self.name} chooses actions; here chance is to move")
        return position.hidden(position.to_move)


def with_usual_action(found: SearchResult) -> SearchResult:
    """Returns a result with the action that is played most often, in place of the one drawn."""
    shares, values = found.probabilities or found.visits, found.values
    if found.probabilities:
        action, value = max(shares, key=shares.__getitem__), found.value
    else:
        action = max(shares, key=lambda a: (shares[a], values.get(a, -math.inf)))
        value = values.get(action, 0.0)
    return dataclasses.replace(found, action=action, principal_variation=(action,), value=value)


def limited_spec(spec: str, limits: Mapping[str, Any]) -> str:
    """Returns a spec with other limits, None for none, in the order in which agents write them."""
    name, values = call_of(expression(spec))
    written = {key: ast.unparse(value) for key, value in values.items()}
    written |= {key: repr(limit) for key, limit in limits.items()}
    kept = {key: text for key, text in written.items() if text != "None"}
    order = sorted(kept, key=lambda key: LIMITS.index(key) if key in LIMITS else len(LIMITS))
    return f"{name}({', '.join(f'{key}={kept[key]}' for key in order)})"


class EngineSearchers:
    """Gives a job the engines of the page: the agent's, and the one that knows exact values."""

    def __init__(self, options: Mapping[str, Any], data: Mapping[str, Any], is_open: bool) -> None:
        self.replies = Replies(data)
        self._kind = FoundAgent if is_open else FoundViewAgent
        self._spec = options.get("agent", "")
        self._plan, self._exact = data.get("plan"), data.get("exact")

    def agent(self) -> FoundAgent:
        """Returns the engine's agent; BadRequest without a plan."""
        spec = self._spec
        if not isinstance(spec, str) or len(spec) > LONGEST_SPEC:
            raise BadRequest(f"an agent is named by its spec, of at most {LONGEST_SPEC} characters")
        return self._kind(require_plan(self._plan), spec, self.replies)

    def exact(self, start: Position) -> ExactValues:
        """Returns the exact values of an engine; NotGraded where no engine knows them."""
        if self._exact is None:
            raise NotGraded("no engine knows the exact values of this game")
        return FoundValues(start, require_plan(self._exact), self.replies)


class FoundValues(ExactValues):
    """Holds exact values that an engine of the page has found.

    Its ``plan`` has the "unit" of the values and, where positions differ in how long they take,
    "quick" and "feasible", the limits of work above which the engine finds nothing.
    """

    def __init__(self, start: Position, plan: dict[str, Any], replies: Replies) -> None:
        if plan.get("unit") not in ("utilities", "scores", "amounts"):
            raise BadRequest("the unit of exact values is utilities, scores or amounts")
        self._engine = FoundAgent(plan, f"{plan['name']}()", replies)
        super().__init__(start, self._engine, unit=plan["unit"])
        self._known: dict[Position, Mapping[int, float]] = {}

    @property
    def source(self) -> str:
        """Returns where the values come from, in words."""
        return LISTED if self._engine.name == "retrograde" else self._engine.spec

    def is_quick(self, position: Position) -> bool:
        """Returns whether the engine finds the values within a second."""
        return self._finds(position, "quick")

    def is_feasible(self, position: Position) -> bool:
        """Returns whether the engine finds the values within some seconds."""
        return self._finds(position, "feasible")

    def move_values(self, position: Position) -> dict[int, MoveValue]:
        """Returns the value of each legal action; NotGraded where the engine finds none."""
        if position.is_terminal():
            return {}
        if not self.is_feasible(position):
            raise NotGraded("the engine does not find the exact values here")
        return self.in_unit(self._known[position])

    def _finds(self, position: Position, limit: str) -> bool:
        """Returns whether the engine has values; it does no more work than a limit of its plan."""
        if position not in self._known:
            most = {"feasible": self._engine.plan[limit]} if limit in self._engine.plan else {}
            self._known[position] = self._engine.limited(**most).values(position)
        return bool(self._known[position])


# ---- reading what a page sends


def require_plan(plan: Any) -> dict[str, Any]:
    """Returns the plan of an engine that a page has sent; BadRequest if it makes no sense."""
    if not isinstance(plan, dict) or len(repr(plan)) > LONGEST_PLAN:
        raise BadRequest("an engine needs a plan, as the catalogue has it")
    name, scale = plan.get("name"), plan.get("scale")
    if not isinstance(name, str) or not name.isidentifier() or len(name) > 40:
        raise BadRequest("the name in a plan is that of an agent")
    if scale is not None and not (is_finite(scale) and scale > 0):
        raise BadRequest("the scale in a plan is a number above 0, or null")
    for each in LIMITS:
        if plan.get(each) is not None and not (is_finite(plan[each]) and plan[each] >= 0):
            raise BadRequest(f"{each} in a plan is a number from 0 on, or null")
    return plan


def read_result(position: Position, data: Mapping[str, Any]) -> SearchResult:
    """Returns what an engine says that it has found at a position; BadRequest for nonsense."""
    action = data.get("action")
    if type(action) is not int or not position.legal(action):
        raise BadRequest(f"{str(action)[:40]!r} is not a legal action")
    value: Any = data.get("value")
    seconds: Any = data.get("seconds", 0.0)
    if not is_finite(value) or not is_finite(seconds) or seconds < 0:
        raise BadRequest("the value and the seconds of a search are numbers")
    return SearchResult(
        action,
        float(value) + 0.0,
        read_line_found(position, data.get("line", [])),
        seconds=float(seconds),
        proven=data.get("proven") is True,
        values={a: float(v) + 0.0 for a, v in by_action(position, data.get("values", {})).items()},
        visits={a: int(v) for a, v in shares(position, data, "visits").items()},
        probabilities=shares(position, data, "probabilities"),
        nodes=limit(data, "nodes"),
        leaves=limit(data, "leaves"),
        depth=limit(data, "depth"),
    )


def limit(data: Mapping[str, Any], name: str) -> int:
    """Returns a whole number from 0 on that data have by a name, 0 without it; BadRequest."""
    value = data.get(name, 0)
    if type(value) is not int or not 0 <= value <= MOST_COUNTED:
        raise BadRequest(f"{name} is a whole number from 0 on")
    return value


def is_finite(value: Any) -> bool:
    """Returns whether a value is a finite number."""
    return type(value) in (int, float) and abs(value) <= 1e300 and math.isfinite(value)


def read_line_found(position: Position, line: Any) -> tuple[int, ...]:
    """Returns a line of moves from a position; BadRequest unless all are legal."""
    if not isinstance(line, list) or len(line) > LONGEST_LINE:
        raise BadRequest("the line of a search is a list of actions")
    for action in line:
        if type(action) is not int or position.is_terminal() or not position.legal(action):
            raise BadRequest("a move of the line of a search is not legal")
        position = position.play(action)
    return tuple(line)


def shares(position: Position, data: Mapping[str, Any], name: str) -> dict[int, float]:
    """Returns numbers from 0 on by action that data have by a name; BadRequest for others."""
    found = by_action(position, data.get(name, {}))
    if any(number < 0 for number in found.values()):
        raise BadRequest(f"{name} are numbers from 0 on")
    return found


def by_action(position: Position, numbers: Any) -> dict[int, float]:
    """Returns numbers by action, which JSON writes as text; BadRequest unless actions are legal."""
    if not isinstance(numbers, dict) or len(numbers) > position.num_actions:
        raise BadRequest("values and visits are numbers by action")
    found = {}
    for text, number in numbers.items():
        if not (text.isascii() and text.isdigit() and len(text) < 10 and is_finite(number)):
            raise BadRequest("values and visits are numbers by action")
        if not position.legal(int(text)):
            raise BadRequest(f"{text} is not a legal action")
        found[int(text)] = number
    return dict(sorted(found.items()))
