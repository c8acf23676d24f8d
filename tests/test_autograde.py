"""Tests rubrics, their checks, the feedback in two languages, and what platforms are given."""

import json
import os
import re
import string
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from command_line import refused, run, well

from adv_envs.registry import start_position
from agents.classroom import RubricError, Submission, autograde, check, read_rubric
from agents.classroom.assessment import Assessment
from agents.classroom.autograder import run_check, seed_of
from agents.classroom.course_packages import PACKAGES, write_package
from agents.classroom.import_checks import FORBIDDEN, findings
from agents.classroom.notebook_check import NotebookAgent
from agents.classroom.platforms import RESULT_FORMATS, gradescope_results
from agents.classroom.play_checks import lower_bound
from agents.classroom.rubric import CHECKS
from agents.classroom.rubric_words import all_words
from agents.classroom.students import NotebookStudent
from agents.cli.autograde_output import points_table
from agents.match_loop import match
from agents.simple import FunctionAgent, Random

pytestmark = pytest.mark.compiled

CLASSROOM = Path(__file__).parent.parent / "agents" / "classroom"

GOOD = """
from adv_envs.aima import alphabeta_search

def agent(position):
    return max(position.legal_actions(), key=lambda a: -value(position.play(a), -2, 2))

def value(position, alpha, beta):
    if position.is_terminal():
        return position.utility(position.to_move)
    for action in position.legal_actions():
        alpha = max(alpha, -value(position.play(action), -beta, -alpha))
        if alpha >= beta:
            break
    return alpha

def evaluate(position, player):
    return stones(position, player) - stones(position, 1 - player)

def stones(position, player):
    return sum(position.cell(row, column) == player for row in range(3) for column in range(3))

def alpha_beta_search(game, state):
    return alphabeta_search(game, state)
"""

POOR = """
import subprocess

def agent(position):
    print("thinking")
    return position.legal_actions()[0]

def evaluate(position, player):
    return 1 + player

def stones(position, player):
    return 1 // 0

def alpha_beta_search(game, state):
    def value(state):
        if game.is_terminal(state):
            return game.utility(state, "MAX")
        best = max if game.to_move(state) == "MAX" else min
        return best(value(game.result(state, move)) for move in game.actions(state))
    return value(state)
"""

RUBRIC = """
game = "tic_tac_toe"
title = "Noughts and crosses"
seconds = 5.0
seed = "2026"

[[check]]
kind = "loads"
points = 1
[[check]]
kind = "legal"
points = 2
games = 2
[[check]]
kind = "in_time"
points = 1
games = 2
[[check]]
kind = "keeps_value"
points = 5
positions = 12
[[check]]
kind = "beats"
opponent = "random"
games = 12
points = 3
hidden = true
[[check]]
kind = "repeats"
points = 1
positions = 3
[[check]]
kind = "counts_leaves"
function = "alpha_beta_search"
trees = ["fig52", [[3, 12, 8], [2, 4, 6], [14, 5, 2]]]
random = 1
points = 4
[[check]]
kind = "antisymmetric"
positions = 3
points = 1
[[check]]
kind = "returns"
function = "stones"
points = 2
cases = [
    {position = "moves=b2 a1", player = 0, expected = 1},
    {position = "", player = 1, expected = 0},
]
[[check]]
kind = "forbidden_imports"
points = -2
[[check]]
kind = "solver_like"
positions = 12
rivals = ["random"]
"""


def rubric_at(folder, text=RUBRIC):
    """Write a rubric, and read it."""
    path = folder / "rubric.toml"
    path.write_text(text, encoding="utf-8")
    return read_rubric(path)


def leaves(*trees):
    """A check that counts leaves, on these trees as TOML has them."""
    return f'[[check]]\nkind = "counts_leaves"\nfunction = "f"\ntrees = [{", ".join(trees)}]'


def rubric_with(folder, checks, head='game = "tic_tac_toe"\nseconds = 5.0'):
    return rubric_at(folder, f"{head}\n{checks}")


def points_of(result):
    return {outcome.check.kind: outcome.points for outcome in result.outcomes}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A rubric and the files of two students."""
    made = tmp_path_factory.mktemp("handed_in")
    (made / "good.py").write_text(GOOD)
    (made / "poor.py").write_text(POOR)
    rubric_at(made)
    return made


@pytest.fixture(scope="module")
def good(folder):
    return autograde(read_rubric(folder / "rubric.toml"), Submission(str(folder / "good.py")))


@pytest.fixture(scope="module")
def poor(folder):
    return autograde(read_rubric(folder / "rubric.toml"), Submission(str(folder / "poor.py")))


# ---- whole rubrics


def test_a_good_program_gets_all_points(good):
    assert (good.points, good.rubric.most) == (20, 20)
    verdicts = {outcome.check.kind: outcome.passed for outcome in good.outcomes}
    assert verdicts.pop("solver_like") is None  # for a person to look at
    assert all(verdicts.values())


def test_a_poor_program_gets_what_it_earns_and_is_told_why(poor):
    points = points_of(poor)
    assert 0 <= points.pop("keeps_value") < 3
    assert points == {
        "loads": 1,
        "legal": 2,
        "in_time": 1,
        "beats": 0,
        "repeats": 1,
        "counts_leaves": 0,
        "antisymmetric": 0,
        "returns": 0,
        "forbidden_imports": -2,
        "solver_like": 0,
    }
    said = {outcome.check.kind: outcome.text for outcome in poor.outcomes}
    assert (
        "evaluated 9 leaves (3, 12, 8, 2, 4, 6, 14, 5, 2); alpha-beta evaluates 7"
        in (said["counts_leaves"])
    )
    assert "ZeroDivisionError" in said["returns"]
    assert "poor.py, line 12" in said["returns"]
    assert "1 for one side, 2 for the other" in said["antisymmetric"]
    assert "line 2: subprocess" in said["forbidden_imports"]
    assert "    1 " in said["keeps_value"]  # the board is drawn
    assert "thinking" in poor.printed


def test_each_student_has_positions_of_its_own(folder):
    rubric = read_rubric(folder / "rubric.toml")
    seeds = [seed_of(rubric, name) for name in ("ana", "luis")] + [seed_of(rubric, "ana", 7)]
    assert len(set(seeds)) == 3
    drawn = [Assessment(rubric, NotebookStudent(Random(), {}), seed).tests(12) for seed in seeds]
    assert len({tuple(test.position for test in tests) for tests in drawn}) == 3


def test_what_does_not_load_gets_nothing_and_its_own_traceback(tmp_path):
    (tmp_path / "broken.py").write_text("def agent(position):\n    return (\n")
    rubric = rubric_with(tmp_path, '[[check]]\nkind = "legal"\npoints = 2\n')
    result = autograde(rubric, Submission(str(tmp_path / "broken.py")))
    assert result.points == 0
    assert "SyntaxError" in result.outcomes[0].text
    assert "broken.py" in result.outcomes[0].text


def test_a_required_check_that_fails_takes_all_points(folder, tmp_path):
    checks = '[[check]]\nkind = "loads"\npoints = 3\n'
    checks += '[[check]]\nkind = "forbidden_imports"\nrequired = true\n'
    rubric = rubric_with(tmp_path, checks)
    result = autograde(rubric, Submission(str(folder / "poor.py")))
    assert result.points == 0
    assert "Allowed libraries only" in result.summary
    assert autograde(rubric, Submission(str(folder / "good.py"))).points == 3


def test_an_illegal_move_is_shown_with_its_position(tmp_path):
    (tmp_path / "stubborn.py").write_text("def agent(position):\n    return 4\n")
    result = autograde(
        rubric_with(
            tmp_path, '[[check]]\nkind = "legal"\ngames = 2\n[[check]]\nkind = "in_time"\ngames = 2'
        ),
        Submission(str(tmp_path / "stubborn.py")),
    )
    legal, in_time = result.outcomes
    assert legal.passed is False
    assert "4 is not a legal action" in legal.feedback
    assert legal.examples[0].position.cell(1, 1) is not None
    assert in_time.passed


def test_what_cannot_be_read_does_not_stop_the_others(tmp_path):
    (tmp_path / "fine.py").write_text(GOOD)
    (tmp_path / "huge.py").write_text("#" * 2_000_001)
    (tmp_path / "folder.py").mkdir()
    rubric = rubric_with(tmp_path, '[[check]]\nkind = "loads"\npoints = 1')
    answer = run("autograde", str(tmp_path), "--rubric", str(rubric.path), "--json")
    found = {each["name"]: each for each in json.loads(answer.out)["submissions"]}
    assert {name: each["points"] for name, each in found.items()} == {"fine": 1, "huge": 0}
    assert "more than 2 MB" in found["huge"]["checks"][0]["feedback"]


def test_a_late_answer_is_found(tmp_path):
    (tmp_path / "late.py").write_text(
        "import time\n\ndef agent(position):\n"
        "    time.sleep(60 if len(position.legal_actions()) < 9 else 0)\n"
        "    return position.legal_actions()[0]\n"
    )
    rubric = rubric_with(
        tmp_path,
        '[[check]]\nkind = "in_time"\ngames = 2\n[[check]]\nkind = "legal"\ngames = 2',
        'game = "tic_tac_toe"\nseconds = 0.2',
    )
    in_time, legal = autograde(rubric, Submission(str(tmp_path / "late.py"))).outcomes
    assert (in_time.passed, legal.passed) == (False, False)
    assert "0.2 s" in in_time.feedback
    assert "too late" in legal.feedback


def test_a_process_that_failed_does_not_cost_the_points_of_other_functions(tmp_path):
    (tmp_path / "exiting.py").write_text(
        "import os\n\ndef agent(position):\n"
        "    if position != position.start():\n        os._exit(1)\n"
        "    return position.legal_actions()[0]\n\n"
        "def evaluate(position, player):\n    return 1 - 2 * player\n"
    )
    checks = '[[check]]\nkind = "legal"\ngames = 2\n'
    checks += '[[check]]\nkind = "antisymmetric"\npositions = 2\npoints = 1\n'
    rubric = rubric_with(tmp_path, checks)
    legal, antisymmetric = autograde(rubric, Submission(str(tmp_path / "exiting.py"))).outcomes
    assert (legal.passed, antisymmetric.passed) == (False, True)


def test_what_a_hostile_process_sends_is_not_trusted(tmp_path):
    (tmp_path / "hostile.py").write_text(
        "from agents.classroom import questions, tree_checks\n"
        "tree_checks.search_tree_leaves = lambda *arguments: [3, [10**9]]\n"
        "questions.parameter_count = lambda *arguments: 'two'\n"
        "questions.imports_while_playing = lambda *arguments: None\n"
        "def agent(position):\n    return position.legal_actions()[0]\n"
    )
    checks = leaves('"fig52"') + '\n[[check]]\nkind = "antisymmetric"\npositions = 2\n'
    checks += '[[check]]\nkind = "forbidden_imports"'
    result = autograde(rubric_with(tmp_path, checks), Submission(str(tmp_path / "hostile.py")))
    assert [outcome.passed for outcome in result.outcomes] == [False] * 3
    assert all("no answer" in outcome.feedback for outcome in result.outcomes[:2])
    assert "line 1: agents.classroom.questions" in result.outcomes[2].feedback


# ---- rubrics that are wrong

LEGAL = '[[check]]\nkind = "legal"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game = ", "is not TOML"),
        ('game = "tic_tac_toe"', "no checks"),
        (LEGAL, "it needs a game"),
        (f'game = "chequers"\n{LEGAL}', "no game 'chequers'"),
        (f'game = "tic_tac_toe"\nsecond = 1\n{LEGAL}', "did you mean 'seconds'?"),
        (f'game = "tic_tac_toe"\nseconds = "1"\n{LEGAL}', "seconds must be a number"),
        (f'game = "tic_tac_toe"\nseconds = nan\n{LEGAL}', "seconds must be a number"),
        (f'game = "tic_tac_toe"\nseconds = -1\n{LEGAL}', "seconds must be more than 0"),
        (f'game = "tic_tac_toe"\nready = -1\n{LEGAL}', "ready must be more than 0"),
        (f'game = "tic_tac_toe"\nmemory = true\n{LEGAL}', "memory must be a whole number"),
        (f'game = "tic_tac_toe"\nlanguage = "de"\n{LEGAL}', 'languages: "en", "es"'),
        (f'game = "tic_tac_toe"\nparameters = {{wide = 3}}\n{LEGAL}', "parameters:"),
        ('game = "tic_tac_toe"\n[[check]]\npoints = 1', "check 1: it needs a kind"),
        ('game = "tic_tac_toe"\n[[check]]\nkind = "legale"', "did you mean 'legal'?"),
        (f'game = "tic_tac_toe"\n{LEGAL}point = 1', "check 1 (legal): unknown key 'point'"),
        (f'game = "tic_tac_toe"\n{LEGAL}games = 0', "games must be from 1 to 10000"),
        (f'game = "tic_tac_toe"\n{LEGAL}games = 1000000000', "games must be from 1 to 10000"),
        (f'game = "tic_tac_toe"\nmemory = 5\n{LEGAL}', "memory must be at least 64 MB"),
        (f'game = "tic_tac_toe"\n{LEGAL}points = "two"', "points must be a number"),
        ('game = "go"\n[[check]]\nkind = "keeps_value"', "there are no exact values of go"),
        ('game = "tic_tac_toe"\n[[check]]\nkind = "keeps_value"\nshare = 90', "at most 1"),
        ('game = "tic_tac_toe"\n[[check]]\nkind = "beats"', "check 1 (beats): it needs opponent"),
        ('game = "tic_tac_toe"\n[[check]]\nkind = "beats"\nopponent = "rand"', "no agent 'rand'"),
        ('game = "tic_tac_toe"\n[[check]]\nkind = "beats"\nopponent = "no.py"', "there is no file"),
        ('game = "tic_tac_toe"\n[[check]]\nkind = "beats"\nopponent = "human"', "people"),
        (
            'game = "tic_tac_toe"\n[[check]]\nkind = "beats"\nopponent = "random"\ngames = 7',
            "an even number",
        ),
        ('game = "fig52"\n[[check]]\nkind = "beats"\nopponent = "random"', "no opening of 2 plies"),
        (
            'game = "tic_tac_toe"\n' + leaves('"hex"'),
            "'hex' is not a tree",
        ),
        (
            'game = "tic_tac_toe"\n' + leaves('[1, "a"]'),
            "a leaf must be a number",
        ),
        (
            'game = "tic_tac_toe"\n[[check]]\nkind = "returns"\nfunction = "f"\n'
            'cases = [{position = "moves=z9", expected = 1}]',
            "case 1:",
        ),
        ('game = "tic_tac_toe"\n[[check]]\nkind = "solver_like"\npoints = 1', "earns no points"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_rubric_is_said_in_one_line(tmp_path, text, said):
    with pytest.raises(RubricError) as caught:
        rubric_at(tmp_path, text)
    assert said in str(caught.value)
    assert str(tmp_path / "rubric.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rubric_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(RubricError, match=r"cannot read .*none\.toml"):
        read_rubric(tmp_path / "none.toml")


# ---- words


def fields(sentence):
    return sorted(name for _, name, _, _ in string.Formatter().parse(sentence) if name)


def test_every_language_says_the_same_things():
    languages = all_words()
    assert set(languages) == {"en", "es"}
    for key, sentence in languages["en"].items():
        assert fields(sentence) == fields(languages["es"][key]), key
    assert languages["en"].keys() == languages["es"].keys()


def test_every_sentence_is_used():
    source = "".join(path.read_text("utf-8") for path in CLASSROOM.glob("*.py"))
    pages = CLASSROOM.parent / "reports" / "templates" / "autograde.html.j2"
    source += pages.read_text("utf-8")
    source += (CLASSROOM.parent / "reports" / "autograde_page.py").read_text("utf-8")
    source += (CLASSROOM.parent / "cli" / "autograde_output.py").read_text("utf-8")
    made = {f"title_{kind}" for kind in CHECKS} | {"forbidden_imports_spec"}
    made |= {"forbidden_imports_dynamic", "minimax", "alpha_beta"}
    for key in all_words()["en"]:
        assert key in made or f'"{key}"' in source, key
    assert made <= all_words()["en"].keys()


def test_feedback_in_spanish(folder, tmp_path):
    head = 'game = "tic_tac_toe"\nlanguage = "es"'
    rubric = rubric_with(tmp_path, '[[check]]\nkind = "loads"\npoints = 1', head)
    result = autograde(rubric, Submission(str(folder / "good.py")))
    assert result.summary == "Total: 1 de 1 puntos"
    assert result.outcomes[0].title == "El archivo se carga"


# ---- single checks


def outcome_of(folder, checks, **functions):
    """What comes out of the first check for functions that are defined here."""
    rubric = rubric_with(folder, checks)
    agent = NotebookAgent(functions, rubric.seconds)
    student = NotebookStudent(agent, functions)
    return run_check(rubric.checks[0], Assessment(rubric, student, 1))


def test_a_search_from_right_to_left_evaluates_other_leaves(tmp_path):
    from adv_envs.aima import alphabeta_search

    class Backwards:
        def __init__(self, game):
            self.game = game

        def __getattr__(self, name):
            return getattr(self.game, name)

        def actions(self, state):
            return list(self.game.actions(state))[::-1]

    text = leaves("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    found = outcome_of(
        tmp_path, text, f=lambda game, state: alphabeta_search(Backwards(game), state)
    )
    assert found.passed is False
    assert "evaluates 7" in found.feedback
    found = outcome_of(tmp_path, text, f=alphabeta_search)
    assert found.passed
    found = outcome_of(tmp_path, text, f=lambda state, game: alphabeta_search(game, state)[1])
    assert found.passed  # the order of the earlier editions, which returns the move
    found = outcome_of(tmp_path, text, f=lambda game, state: 5)
    assert "the value is 3, by the move a" in found.feedback


def test_an_evaluation_of_the_position_alone_needs_players_that_can_be_exchanged(tmp_path):
    text = '[[check]]\nkind = "antisymmetric"\npositions = 4'
    found = outcome_of(tmp_path, text, evaluate=lambda position: 0)
    assert "two parameters" in found.feedback
    rubric = rubric_with(tmp_path, text, 'game = "hex"\nparameters = {size = 4}')

    def judged(function):
        student = NotebookStudent(Random(), {"evaluate": function})
        return run_check(rubric.checks[0], Assessment(rubric, student, 1)).passed

    def stones(position):
        cells = [position.cell(r, c) for r in range(4) for c in range(4)]
        return (cells.count(0) - cells.count(1)) * (-1) ** position.to_move

    assert judged(stones)
    assert not judged(lambda position: position.to_move + 1)


@pytest.mark.parametrize(
    ("source", "found", "suspicious"),
    [
        ("import agents", ["agents"], []),
        ("import agents.spec as s", ["agents.spec"], []),
        ("from agents import make", ["agents.make"], []),
        ("def f():\n    from open_spiel.python import x", ["open_spiel.python.x"], []),
        ("import importlib\nimportlib.import_module('agents')", ["agents"], []),
        ("__import__('pyspiel')", ["pyspiel"], []),
        ("__import__('age' + 'nts')", [], ["__import__"]),
        ("exec('import agents')", [], ["exec"]),
        ("import sys\nsys.modules['agents']", [], ["modules"]),
        ("x = 'alpha_beta(depth=9)'", [], ["'alpha_beta(depth=9)'"]),
        ("x = 'perfect'", [], ["'perfect'"]),
        ("import random\nx = 'random'\nfrom adv_envs.aima import Game", [], []),
        ("def f(:", [], []),
    ],
)
def test_imports_are_found_in_the_text(source, found, suspicious):
    seen = list(findings(source, FORBIDDEN))
    assert [each.what for each in seen if not each.key] == found
    assert [each.what for each in seen if each.key] == suspicious


def test_a_part_of_a_module_can_be_forbidden():
    source = "import agents\nagents.make('random')\nagents.Agent"
    assert [each.what for each in findings(source, ["agents.make"])] == ["agents.make"]


def test_imports_are_found_while_a_program_runs(tmp_path):
    (tmp_path / "hidden.py").write_text(
        "def agent(position):\n    exec('import agents')\n    return position.legal_actions()[0]\n"
    )
    rubric = rubric_with(tmp_path, '[[check]]\nkind = "forbidden_imports"')
    (outcome,) = autograde(rubric, Submission(str(tmp_path / "hidden.py"))).outcomes
    assert outcome.passed is False
    assert "while it runs: agents" in outcome.feedback
    assert "line 2" in outcome.for_staff


def test_the_lower_bound_is_one_sided():
    start = start_position("tic_tac_toe")
    first = FunctionAgent(lambda position: position.legal_actions()[0])
    result = match(start, first, first, pairs=4, plies=0, seed=0)
    assert lower_bound(result, 0.95) == pytest.approx(0.5 * 0.05)  # one opening, played alike
    result = match(start, "alpha_beta()", "random", pairs=12, seed=0)
    assert 0.5 < lower_bound(result, 0.99) < lower_bound(result, 0.95) < 1


# ---- notebooks


def test_a_cell_of_a_notebook(folder):
    rubric, names = folder / "rubric.toml", {}
    exec(GOOD, names)  # noqa: S102 - as a notebook does
    assert check(rubric, names, "legal") == 2
    assert check(rubric, names["agent"], 2) == 2
    assert check(rubric, names["alpha_beta_search"], "counts_leaves") == 4
    with pytest.raises(AssertionError, match="there is no function evaluate"):
        check(rubric, names["agent"], "antisymmetric")
    exec(POOR, names)  # noqa: S102
    with pytest.raises(AssertionError, match="not enough"):
        check(rubric, names, "beats")
    with pytest.raises(ValueError, match="no check 'beat'; checks: 1 loads, 2 legal"):
        check(rubric, names, "beat")


def test_a_cell_can_give_a_part_of_the_points(folder):
    text = "def stones(position, player): return 1"
    names = {}
    exec(text, names)  # noqa: S102
    assert check(folder / "rubric.toml", names, "returns", partial=True) == 1
    with pytest.raises(AssertionError):
        check(folder / "rubric.toml", names, "returns")


# ---- platforms

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMATS = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
GRADESCOPE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["tests"],
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMATS,
        "test_output_format": FORMATS,
        "test_name_format": FORMATS,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": FORMATS,
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMATS,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": VISIBILITY,
                    "extra_data": {"type": "object"},
                },
            },
        },
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "value"],
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": ["number", "string"]},
                    "order": {"enum": ["asc", "desc"]},
                },
            },
        },
    },
}
"""The format of results.json, after Gradescope's Autograder Specifications."""


def test_results_are_as_gradescope_reads_them(good, poor):
    for result in (good, poor):
        data = gradescope_results(result)
        jsonschema.validate(data, GRADESCOPE)
        seen = {test["tags"][0]: test["visibility"] for test in data["tests"]}
        assert seen["legal"] == "visible"
        assert seen["beats"] == "after_published"
        assert seen["solver_like"] == "hidden"
    data = gradescope_results(good)
    assert data["score"] == 20
    assert [each["name"] for each in data["leaderboard"]] == [
        "Points",
        "Good moves at test positions (%)",
    ]


SPY = """
seen = []
def agent(position):
    seen.append(position)
    print("asked", len(seen), position.start() == position)
    return position.legal_actions()[0]
def stones(position, player):
    return len(seen)
"""

HIDDEN_FIRST = """
[[check]]
kind = "legal"
games = 2
points = 2
hidden = true
[[check]]
kind = "returns"
function = "stones"
cases = [{position = "", player = 0, expected = 99}]
points = 1
[[check]]
kind = "loads"
points = 1
"""


def test_students_cannot_read_out_positions_of_hidden_checks(tmp_path):
    (tmp_path / "=spy.py").write_text(SPY)
    result = autograde(rubric_with(tmp_path, HIDDEN_FIRST), Submission(str(tmp_path / "=spy.py")))
    assert [outcome.check.kind for outcome in result.outcomes] == ["legal", "returns", "loads"]
    assert "asked 4" in result.printed
    data = gradescope_results(result)
    said, _, shown = data["output"].partition("\n\n")
    assert said == "Total: 1 of 2 points"  # those of the hidden check are not in it
    assert shown.split("\n")[1:] == ["asked 1 True"]  # to get ready, at the first position
    assert data["score"] == 3
    assert data["leaderboard"] == [{"name": "Points", "value": 1.0, "order": "desc"}]
    assert "returned 1; 99" in data["tests"][1]["output"]  # it has not seen hidden games then
    table = points_table(result.rubric, [result]).splitlines()
    assert table[1] == "'=spy,'=spy,3,2,0,1"  # no spreadsheet computes it


def test_results_for_other_platforms(poor):
    github = RESULT_FORMATS["github"](poor, {})
    assert (github["version"], github["status"], github["max_score"]) == (1, "fail", 20)
    assert {test["status"] for test in github["tests"]} == {"pass", "fail"}
    assert len(github["tests"]) == 10  # what is for teachers is left out
    given = {"CLASSROOM": "class", "ASSIGNMENT": "one", "COMMIT_URL": "address"}
    found = RESULT_FORMATS["classroom50"](poor, given)
    assert found["schema"] == "classroom50/result/v1"
    assert (found["classroom"], found["review"]) == ("class", "address")
    assert all(type(test["score"]) is int for test in found["tests"])
    assert found["score"] == sum(test["score"] for test in found["tests"])


@pytest.mark.parametrize("platform", PACKAGES)
def test_packages_have_the_rubric_and_what_it_names(tmp_path, platform):
    (tmp_path / "staff").mkdir()
    (tmp_path / "staff" / "first.py").write_text(
        "def agent(position):\n    return position.legal_actions()[0]\n"
    )
    rubric = rubric_with(
        tmp_path, '[[check]]\nkind = "beats"\nopponent = "staff/first.py"\ngames = 2\npoints = 1'
    )
    written = write_package(rubric, tmp_path / "package", platform)
    names = {path.name for path in written}
    assert {"rubric.toml", "first.py"} < names
    text = "".join(path.read_text("utf-8") for path in written)
    assert "RUBRIC" not in re.sub(r"RUBRIC_RESULTS", "", text)
    again = [path.read_bytes() for path in write_package(rubric, tmp_path / "package", platform)]
    assert again == [path.read_bytes() for path in written]


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Gradescope runs Linux")
def test_the_script_for_gradescope_writes_results(tmp_path):
    rubric = rubric_with(tmp_path, '[[check]]\nkind = "loads"\npoints = 1')
    write_package(rubric, tmp_path / "source", "gradescope")
    for name in ("submission", "results"):
        (tmp_path / name).mkdir()
    users = {"users": [{"email": "b@example.com"}, {"email": "a@example.com"}]}
    (tmp_path / "submission_metadata.json").write_text(json.dumps(users))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def results():
        environment = os.environ | {"AUTOGRADER": str(tmp_path), "PATH": path}
        script = ["bash", str(tmp_path / "source" / "run_autograder")]
        subprocess.run(script, check=True, env=environment, capture_output=True, timeout=120)
        data = json.loads((tmp_path / "results" / "results.json").read_text("utf-8"))
        jsonschema.validate(data, GRADESCOPE)
        return data

    data = results()
    assert (data["score"], "you handed in 0" in data["tests"][0]["output"]) == (0, True)
    (tmp_path / "submission" / "mine.py").write_text(GOOD)
    data = results()
    assert (data["score"], data["extra_data"]["student"]) == (1, "a@example.com b@example.com")


# ---- the command


def test_the_command_writes_the_same_results_again(folder, tmp_path, good):
    rubric = str(folder / "rubric.toml")
    out, page = tmp_path / "results.json", tmp_path / "page.html"
    answer = run(
        "autograde",
        str(folder / "good.py"),
        "--rubric",
        rubric,
        "--out",
        str(out),
        "--html",
        str(page),
    )
    assert answer.code == 0
    assert "Total: 20 of 20 points" in answer.out
    assert json.loads(out.read_text("utf-8")) == gradescope_results(good)
    text = page.read_text("utf-8")
    assert "Noughts and crosses" in text
    assert "Moves that only a solver finds" not in text  # for teachers


def test_the_command_grades_a_folder(folder, tmp_path):
    small = rubric_with(tmp_path, '[[check]]\nkind = "loads"\npoints = 1')
    answer = run(
        "autograde", str(folder), "--rubric", str(small.path),
        "--csv", str(tmp_path / "points.csv"), "--html", str(tmp_path / "pages"), "--json",
    )  # fmt: skip
    assert answer.code == 0
    data = json.loads(answer.out)
    assert [each["name"] for each in data["submissions"]] == ["good", "poor"]
    assert (tmp_path / "points.csv").read_text("utf-8").splitlines() == [
        "name,student,points,The file loads",
        "good,good,1,1",
        "poor,poor,1,1",
    ]
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == [
        "good.html",
        "poor.html",
    ]


def test_the_command_says_what_is_missing(folder, tmp_path):
    rubric = str(folder / "rubric.toml")
    file = str(folder / "good.py")
    assert "--rubric" in refused("autograde", file)
    assert "which files?" in refused("autograde", "--rubric", rubric)
    assert "several files are called good" in refused("autograde", file, file, "--rubric", rubric)
    assert "cannot read" in refused("autograde", file, "--rubric", str(tmp_path / "no.toml"))
    assert "cannot read" in refused("autograde", str(tmp_path / "no.py"), "--rubric", rubric)
    assert "no format 'moodle'" in refused(
        "autograde", file, "--rubric", rubric, "--format", "moodle"
    )
    assert "no files of Python" in refused("autograde", str(tmp_path), "--rubric", rubric)
    assert "--student is for one file" in refused(
        "autograde", str(folder), "--rubric", rubric, "--student", "a"
    )
    assert "grades nothing" in refused("autograde", file, "--rubric", rubric, "--package", "x")


def test_the_command_writes_packages(folder, tmp_path):
    printed = well(
        "autograde",
        "--rubric",
        str(folder / "rubric.toml"),
        "--package",
        str(tmp_path / "p"),
        "--format",
        "otter",
    )
    assert "legal.py" in printed
    assert "no platform 'moodle'" in refused(
        "autograde",
        "--rubric",
        str(folder / "rubric.toml"),
        "--package",
        str(tmp_path / "p"),
        "--format",
        "moodle",
    )
