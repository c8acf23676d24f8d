"""What a page offers for a game can play it, analyse it, and review all of its moves."""

import json
import random
import re

import pytest

pytest.importorskip("starlette")

from adv_envs import CHANCE
from adv_envs.notation import read_line
from adv_envs.random import chance_action
from adv_envs.registry import GAMES, start_position
from agents.knowledge import knowledge_of
from agents.web.catalogue import catalogue
from agents.web.game_form import html_of
from agents.web.game_states import GameState
from agents.web.pool import JOBS

PAWN = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


def messages(job, here, **options):
    """What a job of a page finds, as a process of searches has the position."""
    plain = json.loads(json.dumps(here.plain))
    return list(JOBS[job](GameState.from_plain(plain), options))


@pytest.mark.parametrize(
    ("game", "parameters", "set_up", "solver"),
    [
        ("chess", {}, "", None),
        ("chess", {}, PAWN, "chess_endings()"),
        ("backgammon", {}, "", None),
        ("kalah", {}, "", None),
        ("hex", {}, "", None),
        ("hex", {"size": 5}, "", "hex_solver()"),
        ("dots_and_boxes", {"rows": 2, "columns": 2}, "", "margin_solver()"),
    ],
)
def test_solvers_are_offered_where_they_play_the_start(game, parameters, set_up, solver):
    offered = catalogue(game, parameters, set_up)
    assert offered["solver"] == solver
    for kind in ("agents", "analysts"):
        labels = {spec: label for label, spec in offered[kind].items()}
        assert solver is None or solver in labels
        assert offered[kind].get("exact solver", solver) == solver


def test_policies_of_whole_games_are_offered_where_the_game_is_small():
    for parameters, number in (({}, 0), ({"cards": 4}, 3)):
        specs = catalogue("goofspiel", parameters)["agents"].values()
        assert sum(spec.startswith("cfr") for spec in specs) >= number
        assert number or not any(spec.startswith("cfr") for spec in specs)


def test_the_rules_of_the_game_are_told_as_html():
    rules = catalogue("hex", {"size": 4, "swap": True})["rules"]
    assert "<strong>Goal.</strong>" in rules
    assert "a rhombus of 4 rows" in rules
    assert "<code>swap</code>" in rules
    assert rules.count("<li>") == 7
    assert "swap" not in catalogue("hex", {"size": 4})["rules"].partition("Example.")[0]


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "<b>", "[here](javascript:alert(1))", "![](x.png)"]
)
def test_rules_bring_no_html_of_their_own(text):
    made = html_of(f"{text} `{text}`\n\n```text\n{text}\n```")
    assert {*re.findall(r"<(\w+)", made)} == {"p", "code", "pre"}
    assert "&lt;" in made or "<" not in text


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_agent_that_is_offered_plays_the_start(game):
    offered = catalogue(game)
    for spec in {*offered["agents"].values(), *offered["analysts"].values()}:
        assert "ready" in messages("warm", GameState(start_position(game)), agent=spec)[-1], spec


@pytest.mark.compiled
def test_a_search_whose_numbers_are_no_parameters_is_given_a_part_of_its_time():
    here = GameState(start_position("hex", size=3), (0,))
    found = messages("analyse", here, agent="hex_solver")
    assert any("lines" in message for message in found)


def random_line(start, plies):
    """The actions of a random game, or of the beginning of a long one."""
    rng, position, actions = random.Random(3), start, []
    while not position.is_terminal() and len(actions) < plies:
        if position.to_move == CHANCE:
            actions.append(chance_action(position, rng.random()))
        else:
            actions.append(rng.choice(position.legal_actions()))
        position = position.play(actions[-1])
    return tuple(actions)


def require_review(here, found):
    """All decisions are reviewed, in their order, or a sentence says why there is no review."""
    start, actions = here.start, here.actions
    if not start.perfect_information or start.num_players != 2:
        assert [*found[0]] == ["sorry"]
        return
    before = [start.after(actions[:i]) for i in range(len(actions))]
    decisions = [i for i, position in enumerate(before) if position.to_move != CHANCE]
    assert [each["ply"] for each in found] == decisions
    for each in found:
        position = before[each["ply"]]
        assert each["move"] == position.short_name(actions[each["ply"]])
        assert each["player"] == position.to_move
        assert -1 <= each["before"] <= 1
        assert -1 <= each["after"] <= 1
        better = each["before"] - each["after"]
        assert (better if each["player"] == 0 else -better) > -1e-6


KINDS = ("tic_tac_toe", "pig", "kalah", "goofspiel", "thirty_one", "backgammon")
"""Games of different kinds, reviewed by `make test-all`; the others by `make test-slow`."""


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "which"),
    [
        pytest.param(
            game,
            which,
            marks=pytest.mark.slow if which or game not in KINDS else pytest.mark.thorough,
        )
        for game in GAMES
        for which in (0, 1)
    ],
)
def test_every_game_is_reviewed(game, which):
    """By the usual analyst, and by every other agent that is offered."""
    start, offered = start_position(game), catalogue(game)
    here = GameState(start, random_line(start, 9), people=())
    others = [spec for spec in offered["analysts"].values() if spec != offered["analyst"]]
    for spec in others if which else [offered["analyst"]]:
        require_review(here, messages("review", here, agent=spec, seconds=0.05))


SMALLER = {
    "amazons": {"size": 5},
    "animal_shogi": {"max_plies": 16},
    "breakthrough": {"height": 5, "width": 5},
    "checkers": {"size": 6},
    "clobber": {"height": 2, "width": 4},
    "connect_four": {"height": 4, "width": 4},
    "domineering": {"height": 5, "width": 5},
    "dots_and_boxes": {"rows": 2, "columns": 2},
    "go": {"size": 5},
    "gomoku": {"height": 7, "width": 7},
    "havannah": {"size": 3},
    "hex": {"size": 5},
    "kalah": {"pits": 3, "seeds": 2},
    "lines_of_action": {"size": 4},
    "nine_mens_morris": {"men": 3, "draw_moves": 5},
    "othello": {"size": 6},
    "pig": {"target": 20},
    "quoridor": {"size": 3},
    "y": {"size": 4},
}
"""Sizes with which a whole game is reviewed as plain Python within a second."""
ANALYSTS = {
    "backgammon": "turn_search()",
    "chess": "alpha_beta(depth=1, evaluate=chess.material, quiescence=False)",
    "minichess": "alpha_beta(depth=1, evaluate=minichess.material, quiescence=False)",
    "ultimate_tic_tac_toe": "alpha_beta(depth=1, evaluate=ultimate_tic_tac_toe.boards)",
}


def quick_analyst(name, start):
    """An agent like the usual one, which looks a ply ahead."""
    usual = knowledge_of(start).default_evaluation
    search = "expectiminimax" if start.has_chance else "alpha_beta"
    evaluate = f", evaluate={name}.{usual}" if usual else ""
    return ANALYSTS.get(name, f"{search}(depth=1{evaluate})")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=pytest.mark.compiled if name == "backgammon" else pytest.mark.plain
        )
        for name in GAMES
    ],
)
def test_whole_games_are_reviewed(name):
    start = start_position(name, **SMALLER.get(name, {}))
    here = GameState(start, random_line(start, 10**6), people=())
    assert here.position.is_terminal()
    require_review(here, messages("review", here, agent=quick_analyst(name, start), seconds=0.05))


@pytest.mark.plain
def test_the_first_moves_of_openings_are_no_mistakes():
    """Odd depths of this evaluation find a third of a pawn more than even ones."""
    start = start_position("chess")
    line = ["e2e4", "e7e5", "g1f3", "b8c6"]
    here = GameState(start, read_line(start, " ".join(line)), people=())
    for depth in (1, 2):
        spec = f"alpha_beta(depth={depth}, evaluate=chess.pesto)"
        found = messages("review", here, agent=spec)
        assert [each["severity"] for each in found] == ["", "", "", ""]
        assert all(abs(each["before"] - each["after"]) < 0.03 for each in found)


@pytest.mark.compiled
def test_a_turn_in_another_order_is_no_other_line():
    start = start_position("backgammon")
    here = GameState(start, (start.action("31"),), people=())
    lines = messages("analyse", here, agent="turn_search()")[-1]["lines"]
    turns = [tuple(sorted(name for _, name, _ in line["moves"])) for line in lines]
    assert len({*turns}) == len(turns) == 3
