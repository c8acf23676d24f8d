"""What students hand in as notebooks, and the points that our own checks give for it."""

import json

from agents.classroom import check, read_rubric
from agents.classroom.course_packages import checks_in_notebooks

RUBRIC = """
game = "tic_tac_toe"
seconds = 10.0
seed = "any"

[[check]]
kind = "legal"
points = 2
games = 2
[[check]]
kind = "keeps_value"
points = 5
positions = 12
[[check]]
kind = "repeats"
points = 1
positions = 3
[[check]]
kind = "counts_leaves"
function = "alpha_beta_search"
trees = ["fig52"]
random = 2
points = 3
[[check]]
kind = "returns"
function = "stones"
points = 2
hidden = true
cases = [
    {position = "moves=b2 a1", player = 0, expected = 1},
    {position = "", player = 1, expected = 0},
]
"""

GOOD = """
from adv_envs.aima import alphabeta_search

def agent(game, state):
    return alphabeta_search(game, state)[1]

def alpha_beta_search(game, state):
    return alphabeta_search(game, state)

def stones(position, player):
    return sum(position.cell(row, column) == player for row in range(3) for column in range(3))
"""

HALF = """
from adv_envs.aima import minimax_search as alpha_beta_search

def agent(position):
    return position.legal_actions()[0]

def stones(position, player):
    return 1
"""

PROGRAMS = {"good": GOOD, "half": HALF}


def solved(notebook, source):
    """The text of a notebook with a student's source in its cell for the solution."""
    data = json.loads(notebook)
    (cell,) = [cell for cell in data["cells"] if cell["id"] == "solution"]
    cell["source"] = source
    return json.dumps(data)


def points_here(path, source, partial):
    """The points of each check of a notebook, by its name, as they are in this process."""
    names, found = {}, {}
    exec(source, names)  # noqa: S102 - as a notebook does
    for number, name, _ in checks_in_notebooks(read_rubric(path)):
        try:
            found[name] = check(path, names, number, partial=partial)
        except AssertionError:
            found[name] = 0
    return found
