"""A small real model goes through every game by way of an endpoint, and comes out graded."""

import importlib
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from adapters.environments import COUNTS

from adv_envs import GAMES, TicTacToe, text_env
from adv_envs.testing import ChatEndpoint
from adv_envs.text.grades import grade_totals
from agents import LanguageModel, match

pytestmark = pytest.mark.needs("smollm2")

EXAMPLES = Path(__file__).parents[2] / "examples"
REPLIES = 2
"""In each game."""


@pytest.fixture(scope="module")
def example():
    sys.path.insert(0, str(EXAMPLES))
    yield importlib.import_module("small_model")
    sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="module")
def model(example):
    return example.SmallModel()


def played_again(name, replies):
    """The outcomes and grades of replies that are given to ``text_env`` directly."""
    env = text_env(name, seat="first", retries=1, on_failure="random", grade="analyst")
    outcomes, grades, over, seed = Counter(), [], True, 0
    for reply in replies:
        if over:
            env.reset(seed=seed)
            seed += 1
        _, _, terminated, truncated, info = env.step(reply)
        over = terminated or truncated
        outcomes[info["reading"].outcome] += 1
        if info["grade"] is not None:
            grades.append(info["grade"])
    return outcomes, grades


def test_every_game(example, model, record_property, capsys):
    """What it answers comes out the same, whether it goes through the endpoint or not."""
    replies, rows = [], []

    def answer(messages):
        replies.append(model(messages))
        return replies[-1]

    same = 0
    with ChatEndpoint(answer) as served:
        for name in GAMES:
            replies.clear()
            row = example.play_game(name, example.Endpoint(served.base_url), REPLIES)
            rows.append(row)
            outcomes, grades = played_again(name, replies)
            assert row.outcomes.total() == len(replies) == REPLIES
            assert len(row.grades) == row.outcomes["legal"]
            same += outcomes == row.outcomes and len(grades) == len(row.grades)
    with capsys.disabled():
        print("", example.HEAD, *rows, sep="\n")
    every = Counter()
    for row in rows:
        every.update(row.outcomes)
    assert every["illegal"] > 0  # how many are legal is for the processor to round
    assert sum(grade_totals(row.grades)["graded"] for row in rows) <= every["legal"]
    for name, count in zip(COUNTS, (len(rows), same, same, same), strict=True):
        record_property(name, count)
    assert same == len(GAMES)


def test_it_speaks_english(model, monkeypatch):
    monkeypatch.setattr(model.model.generation_config, "do_sample", False)  # the likeliest words
    question = {"role": "user", "content": "What is the capital of France?"}
    assert "Paris" in model([question])


def test_the_same_seed_and_messages_give_the_same_replies(example):
    env = text_env("nim", seat="first")
    messages = env.reset(seed=1)
    one, other = (example.SmallModel(seed=5)(messages) for _ in range(2))
    assert one == other
    assert one.startswith("Final answer:")


def test_as_an_agent(model):
    with ChatEndpoint(model) as served:
        agent = LanguageModel("smollm2", served.base_url, attempts=2, on_failure="random")
        result = match(TicTacToe(), agent, "random", pairs=1, seed=1)
    counts = agent.counts
    assert len(result.games) == 2
    assert not any(game.reason for game in result.games)
    assert counts.legal + counts.illegal + counts.unreadable == counts.requests > 4


def test_the_script(example, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["small_model.py", "nim", "pig", "--replies", "2"])
    example.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == example.HEAD
    assert [line.split()[0] for line in lines[1:]] == ["nim", "pig", "all"]
    assert re.fullmatch(r"all +4( +\d+){3} .* \d+ s", lines[-1])
