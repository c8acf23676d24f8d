"""Recorded games: a game whose rules or observations change has a new version.

    python tests/test_versions.py --write

records games that are new here, and those whose rules file states another version than before. It
refuses to replace the games of a version that is recorded: what changed must raise ``version``.
"""

import hashlib
import json
import random
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest
from samples import SAMPLES
from small_games import Pile

import adv_envs
from adv_envs import CHANCE, register
from adv_envs.registry import GAMES, VERSIONS, game, start_position, versioned

pytestmark = pytest.mark.plain

FILE = Path(__file__).parent / "recorded_games.json"
MOST_PLIES = 60
PER_START = 2


def starts(name):
    """The usual start, and up to three other boards."""
    return list(dict.fromkeys([start_position(name), *SAMPLES[name].small[:3]]))


def random_game(start, seed):
    """The actions of a random game, or of its first plies."""
    position, rng, actions = start, random.Random(seed), []
    while not position.is_terminal() and len(actions) < MOST_PLIES:
        actions.append(rng.choice(position.legal_actions()))
        position = position.play(actions[-1])
    return actions


def facts_of(position):
    """What the rules say of a position."""
    if position.is_terminal():
        return ["over", [f"{position.utility(p):.9g}" for p in range(position.num_players)]]
    legal = position.legal_actions()
    if position.to_move != CHANCE:
        return [position.to_move, legal]
    return ["chance", legal, [f"{position.probability(action):.9g}" for action in legal]]


def views_of(position):
    """What each player observes, as bytes."""
    for player in range(position.num_players):
        planes = np.zeros(position.observation_shape, np.float64)
        position.hidden(player).observe(player, planes)
        yield planes.tobytes()


def digests(start, actions):
    """Digests of what rules and observations say along a game."""
    rules, views = hashlib.blake2b(digest_size=8), hashlib.blake2b(digest_size=8)
    about = [start.num_players, start.num_actions, list(start.observation_shape)]
    rules.update(json.dumps(about[:2]).encode())
    views.update(json.dumps(about[2:]).encode())
    position = start
    for action in [*actions, None]:
        rules.update(json.dumps(facts_of(position)).encode())
        for view in views_of(position):
            views.update(view)
        if action is not None:
            assert position.legal(action), f"{action} is no longer legal"
            position = position.play(action)
    return {"rules": rules.hexdigest(), "observations": views.hexdigest()}


def record_of(name):
    """The version of a game, and games with what its rules say along them."""
    return {
        "version": game(name).version,
        "games": [
            {"start": number, "actions": actions, **digests(start, actions)}
            for number, start in enumerate(starts(name))
            for actions in (random_game(start, seed) for seed in range(PER_START))
        ],
    }


@pytest.fixture(scope="module")
def recorded():
    return json.loads(FILE.read_text())


def test_every_game_is_recorded(recorded):
    assert set(recorded) == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_those_of_their_version(recorded, name):
    record, forms = recorded[name], starts(name)
    assert record["version"] == game(name).version, "record its games: see the head of this file"
    assert len(record["games"]) == PER_START * len(forms)
    for each in record["games"]:
        found = digests(forms[each["start"]], each["actions"])
        said = {kind: each[kind] for kind in found}
        assert found == said, f"{name} has changed: raise `version` in its rules file"


def test_a_changed_rule_is_noticed(monkeypatch):
    start, actions = start_position("tic_tac_toe"), [0, 3, 1, 4, 2]
    right = digests(start, actions)
    rules, observe = type(start), type(start).observe
    with monkeypatch.context() as changed:
        changed.setattr(rules, "utility", lambda position, player: 0)
        assert digests(start, actions)["rules"] != right["rules"]
    with monkeypatch.context() as changed:
        changed.setattr(rules, "observe", lambda self, player, out: observe(self, 1 - player, out))
        found = digests(start, actions)
        assert found["observations"] != right["observations"]
        assert found["rules"] == right["rules"]
    assert digests(start, actions) == right


@pytest.fixture
def registered():
    """Registers games for one test."""
    before = dict(GAMES), dict(VERSIONS)
    yield register
    for table, content in zip((GAMES, VERSIONS), before, strict=True):
        table.clear()
        table.update(content)


def test_names_follow_the_version(registered, monkeypatch):
    monkeypatch.setattr(Pile, "version", 3)
    registered("pile", Pile)
    assert str(pettingzoo.make("aec", "adv_envs/pile-v3")) == "pile_v3"
    assert str(adv_envs.env(Pile())) == "pile_v3"
    assert str(adv_envs.pile_v3.env()) == "pile_v3"
    assert "pile_v3" in dir(adv_envs)
    with pytest.raises(AttributeError, match="did you mean 'pile_v3'"):
        _ = adv_envs.pile_v0
    single = gymnasium.make("adv_envs/Pile-v3")
    batch = gymnasium.make_vec(
        "adv_envs/Pile-v3", num_envs=2, vectorization_mode="vector_entry_point"
    )
    assert single.unwrapped.metadata["name"] == batch.metadata["name"] == "pile_v3"
    with pytest.raises((gymnasium.error.Error, DeprecationWarning), match="v3"):
        gymnasium.make("adv_envs/Pile-v0")


def test_a_version_that_the_rules_do_not_state_is_refused(registered, monkeypatch):
    monkeypatch.setattr(Pile, "version", 3)
    with pytest.raises(ValueError, match="states version 3 of its rules, not 2"):
        registered("pile", Pile, 2)
    registered("heaps", "adv_envs.games.nim:Nim", 2)
    assert versioned("heaps") == "heaps_v2"
    with pytest.raises(ValueError, match=r"register.'heaps', 'adv_envs.games.nim:Nim', 0"):
        game("heaps")


def write():
    """Records what is new."""
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in GAMES:
        record = record_of(name)
        if name in known and known[name]["version"] == record["version"]:
            if known[name] != record:
                sys.exit(f"{name} has changed: raise `version` in its rules file")
            continue
        print(f"{name} v{record['version']}")
        known[name] = record
    lines = (f'"{name}":{json.dumps(known[name], separators=(",", ":"))}' for name in GAMES)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
