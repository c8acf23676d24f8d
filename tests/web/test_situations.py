"""What a page is told of a position, and what it can never find out, however it asks."""

import json
import random

import pytest

pytest.importorskip("starlette")

from adv_envs import CHANCE
from adv_envs.notation import write_line
from adv_envs.random import chance_action
from adv_envs.registry import GAMES, game, parameters_of, start_position
from agents.web import history
from agents.web.history import history_of, moves_seen
from agents.web.jobs import JOBS
from agents.web.play_jobs import hint, move
from agents.web.situations import BadRequest, Situation, Situations

SMALL = {"hex": {"size": 4}, "amazons": {"size": 6}, "go": {"size": 5}, "gomoku": {"height": 7}}
HIDDEN = [name for name in GAMES if not game(name)().perfect_information]
STARTS = [
    *((name, {}) for name in HIDDEN),
    ("kuhn", {"players": 3}),
    ("leduc", {"blinds": True}),
    ("liars_dice", {"dice": 2, "sides": 3}),
    ("goofspiel", {"cards": 4, "secret": True}),
    ("rock_paper_scissors", {"rounds": 3}),
    ("phantom_tic_tac_toe", {"abrupt": True}),
]
LONGEST = 60


def random_game(start, seed):
    """The actions of a random game, or of the beginning of a long one."""
    rng, position, actions = random.Random(seed), start, []
    while not position.is_terminal() and len(actions) < LONGEST:
        if position.to_move == CHANCE:
            action = chance_action(position, rng.random())
        else:
            action = rng.choice(position.legal_actions())
        actions.append(action)
        position = position.play(action)
    return actions


def history_for(start, actions, player):
    """All that ``player`` has seen and done: each new view, and the player's own moves."""
    position, views = start, [start.hidden(player)]
    for action in actions:
        own = action if position.to_move == player else None
        position = position.play(action)
        if own is not None or position.hidden(player) != views[-1]:
            views += [own, position.hidden(player)]
    return tuple(views)


def as_played(situations, name, parameters, player, actions):
    """The state that a page has got when it has seen these moves of one person and of agents."""
    situation = situations.read({"game": name, "parameters": parameters, "people": [player]})
    start, before, waiting = situation.start, [], []
    position = start
    for action in actions:
        view, own = position.hidden(player), position.to_move == player
        dealt = position.to_move == CHANCE
        position = position.play(action)
        waiting.append(action)
        more = dealt and not position.is_terminal() and position.to_move == CHANCE
        if not more and (own or position.is_terminal() or position.hidden(player) != view):
            situation, waiting = situations.after(situation, *waiting), []
            before.append(situation)
    return situations.state(situation), bool(waiting)


def visible(state):
    """A state as text, without the codes, which are always new."""
    return json.dumps({**state, "line": len(state["line"])}, sort_keys=True)


# ---- nothing hidden is sent


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
def test_the_state_depends_on_nothing_but_what_the_player_has_seen(name, parameters):
    start, situations = start_position(name, **parameters), Situations()
    told = {}
    repeated = 0
    for seed in range(40):
        actions = random_game(start, seed)
        for player in range(start.num_players):
            for ply in range(min(len(actions), 9)):
                seen = history_for(start, actions[:ply], player)
                state, unfinished = as_played(situations, name, parameters, player, actions[:ply])
                if unfinished or state["over"]:
                    continue
                repeated += (player, seen) in told
                assert told.setdefault((player, seen), visible(state)) == visible(state)
    assert repeated


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
def test_names_of_moves_are_right_or_unknown(name, parameters):
    start = start_position(name, **parameters)
    unknown = 0
    for seed in range(10):
        actions = random_game(start, seed)
        here = history_of(start, actions[:-1])
        for player in range(start.num_players):
            for ply, seen in zip(here.path(), moves_seen(here, player), strict=True):
                true = ply.before.name(ply.action)
                assert seen.name in (true, "?", "")
                assert (seen.action is None) == (seen.name in ("?", ""))
                assert seen.name == true or ply.player != player
                unknown += seen.name != true
    assert unknown


def test_a_choice_made_at_the_same_time_is_known_after_the_answer():
    start = start_position("rock_paper_scissors", rounds=2)
    first = start.play(0)
    here = history_of(start, [0, 1])
    assert [each.name for each in moves_seen(history_of(start, [0]), 1)] == ["?"]
    assert [each.name for each in moves_seen(here, 1)] == [start.name(0), first.name(1)]
    assert [each.name for each in moves_seen(here, 0)] == [start.name(0), first.name(1)]


def test_attempts_in_vain_cannot_be_counted():
    situations = Situations()
    start = start_position("phantom_tic_tac_toe")
    situation = situations.after(situations.read({"game": "phantom_tic_tac_toe", "people": [0]}), 4)
    states = [situations.state(situations.after(situation, *tried)) for tried in ([0], [4, 0])]
    assert start.play(4).play(4).to_move == 1  # the second player tried b2 in vain
    assert visible(states[0]) == visible(states[1])
    assert len(states[0]["line"]) == len(states[1]["line"]) == 2


def test_agents_try_until_the_person_notices(monkeypatch):
    tries = iter([4, 0])
    monkeypatch.setattr("agents.web.play_jobs.ask", lambda agent, position: next(tries))
    start = start_position("phantom_tic_tac_toe")
    (message,) = move(Situation(start, (4,), people=(0,)), {"agent": "random"})
    assert message["played"] == [4, 0]
    assert set(message) == {"played", "said"}
    assert not message["said"]


def test_the_error_of_an_agent_does_not_tell_what_it_has_seen(monkeypatch):
    def fail(agent, position):
        raise ValueError(f"I cannot play {position!r}")

    monkeypatch.setattr("agents.web.play_jobs.ask", fail)
    situation = Situation(start_position("kuhn"), (0, 2, 0), people=(0,))
    with pytest.raises(ValueError, match=r"^random has failed: ValueError$"):
        list(move(situation, {"agent": "random"}))


def test_codes_do_not_repeat_and_say_nothing():
    situations = Situations()
    start = situations.read({"game": "kuhn", "people": [0]})
    dealt = [situations.after(start, 0, card).codes[-1] for card in (1, 2) for _ in range(50)]
    assert len(set(dealt)) == 100
    assert {len(code) for code in dealt} == {12}


def test_codes_of_one_game_do_not_open_another():
    situations = Situations()
    kuhn = {"game": "kuhn", "people": [0]}
    dealt = situations.after(situations.read(kuhn), 0, 2).codes[-1]
    other = situations.after(situations.read(kuhn), 1, 2).codes[-1]
    assert situations.read({**kuhn, "line": [dealt]}).actions == (0, 2)
    for wrong in (
        {**kuhn, "line": [dealt, other]},
        {**kuhn, "line": [dealt, dealt]},
        {**kuhn, "line": [dealt], "parameters": {"players": 3}},
        {"game": "leduc", "line": [dealt]},
        {"game": "tic_tac_toe", "line": [dealt]},
    ):
        with pytest.raises(BadRequest):
            situations.read(wrong)


@pytest.mark.parametrize("code", [0, True, None, [], {}, "", "x" * 12])
def test_actions_of_hidden_games_cannot_be_sent_in_a_line(code):
    with pytest.raises(BadRequest):
        Situations().read({"game": "kuhn", "line": [code]})


def test_a_server_that_starts_again_says_that_the_game_is_gone():
    code = Situations().after(Situations().read({"game": "kuhn"}), 0).codes[-1]
    with pytest.raises(BadRequest, match="begin a new game"):
        Situations().read({"game": "kuhn", "line": [code]})


def test_the_person_cannot_move_for_another():
    situations = Situations()
    situation = situations.after(situations.read({"game": "kuhn", "people": [1]}), 0, 2)
    state = situations.state(situation)
    assert state["to_move"] == 0
    assert state["board"]["actions"] == []
    for wanted in ({"action": 0}, {"name": "bet"}, {"chance": True}):
        with pytest.raises(BadRequest, match="turn"):
            situations.played(situation, wanted)
    with pytest.raises(ValueError, match="turn"):
        list(hint(situation_of_job(situation), {"agent": "random"}))


def situation_of_job(situation):
    """A situation as the process of a search has it."""
    return Situation.from_plain(json.loads(json.dumps(situation.plain)))


def test_everything_is_shown_when_the_game_is_over():
    situations = Situations()
    situation = situations.after(situations.read({"game": "kuhn", "people": [1]}), 0, 2)
    line = {"game": "kuhn", "people": [1], "line": list(situation.codes)}
    assert situations.state(situations.read(line))["moves"][0]["name"].startswith("? ")
    revealed = situations.state(situations.read({**line, "over": True}))
    assert "?" not in revealed["moves"][0]["name"]
    assert revealed["viewer"] is None
    with pytest.raises(BadRequest, match="over"):
        situations.played(situations.read({**line, "over": True}), {"action": 0})


def test_all_hidden_cards_are_dealt_at_once():
    situations = Situations()
    situation = situations.played(situations.read({"game": "kuhn"}), {"chance": True})
    assert len(situation.actions) == 2
    assert len(situation.codes) == 1


# ---- what is said of positions


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_the_same_sent_move_by_move_or_at_once(name):
    situations, parameters = Situations(), SMALL.get(name, {})
    start = start_position(name, **parameters)
    actions = random_game(start, 1)[:20]
    situation = situations.read({"game": name, "parameters": parameters})
    for action in actions:
        situation = situations.after(situation, action)
    state = situations.state(situation)
    assert state == situations.state(situations.read({**state, "line": state["line"]}))
    assert [each["player"] for each in state["moves"]] == [
        start.after(actions[:i]).to_move for i in range(len(actions))
    ]
    assert state["parameters"] == parameters_of(start)
    assert state["text"] == (write_line(start, actions) if start.perfect_information else "")
    json.dumps(state, allow_nan=False)


def test_illegal_moves_are_answered_by_what_is_legal():
    situations = Situations()
    start = situations.read({"game": "tic_tac_toe", "line": [4]})
    with pytest.raises(BadRequest, match=r"'b2' is not a legal move; legal: a1, "):
        situations.played(start, {"name": " b2 "})
    with pytest.raises(BadRequest, match="not legal"):
        situations.played(start, {"action": 4})
    with pytest.raises(BadRequest, match="not chance's turn"):
        situations.played(start, {"chance": True})
    with pytest.raises(BadRequest, match="move 2 is not legal"):
        situations.read({"game": "tic_tac_toe", "line": [4, 4]})
    assert situations.played(start, {"name": "A1"}).position == start.position.move("a1")


def test_chess_knows_a_bishop_from_a_pawn():
    situations = Situations()
    start = situations.read({"game": "chess"})
    for name in ("e4", "a6", "Bc4"):
        start = situations.played(start, {"name": name})
    assert start.position.name(start.actions[0])
    assert len(start.actions) == 3


def test_long_games_are_not_played_again_at_every_request(monkeypatch):
    situations = Situations()
    start = start_position("go", size=19)
    actions = random_game(start, 1)
    request = {"game": "go", "parameters": {"size": 19}, "line": actions}
    situations.state(situations.read(request))
    played, make = [], history.History
    monkeypatch.setattr(history, "History", lambda *given: played.append(given) or make(*given))
    assert len(situations.state(situations.read(request))["moves"]) == len(actions)
    assert not played
    longer = start.after(actions).legal_actions()[0]
    situations.state(situations.read({**request, "line": [*actions, longer]}))
    assert len(played) == 1


def test_no_more_positions_are_kept_than_allowed(monkeypatch):
    monkeypatch.setattr(history, "MOST_POSITIONS", 10)
    monkeypatch.setattr(history, "_histories", history.OrderedDict())
    start = start_position("othello")
    actions = random_game(start, 1)[:30]
    assert history_of(start, actions).position == start.after(actions)
    assert len(history._histories) == 10
    assert history_of(start, actions[:25]).position == start.after(actions[:25])


# ---- agents that move


def test_an_agent_says_what_it_would_play_and_then_plays():
    *thoughts, last = move(
        Situation(start_position("tic_tac_toe"), (4,)), {"agent": "alpha_beta(depth=2)"}
    )
    assert thoughts
    assert thoughts[-1]["thought"]["action"] == last["played"][0]
    assert last["said"].startswith("alpha_beta sees itself")


def test_agents_keep_to_the_seconds_that_are_left():
    from agents.spec import make
    from agents.web.play_jobs import limited

    assert limited(make("alpha_beta(nodes=100)"), 2.5) == make("alpha_beta(nodes=100, seconds=2.5)")
    assert limited(make("alpha_beta(seconds=1)"), 2.5) == make("alpha_beta(seconds=1)")
    assert limited(make("random"), 2.5) == make("random")
    for nonsense in (None, True, "1", -1, float("nan")):
        assert limited(make("alpha_beta(depth=2)"), nonsense) == make("alpha_beta(depth=2)")


def test_a_hint_is_a_move_with_its_name():
    (message,) = hint(Situation(start_position("tic_tac_toe"), (4,)), {"agent": "perfect"})
    found = message["hint"]
    assert start_position("tic_tac_toe").after([4]).legal(found["action"])
    assert found["name"]
    assert found["said"]


@pytest.mark.parametrize("job", sorted(set(JOBS) - {"move"}))
def test_no_search_for_a_person_knows_what_is_hidden(job):
    found = []
    for dealt in ((0, 1), (0, 2)):  # the same card for the person, another for the opponent
        situation = situation_of_job(Situation(start_position("kuhn"), dealt, people=(0,)))
        options = {"agent": "ismcts(simulations=50)", "seed": 1, "action": 0}
        try:
            told = [without_times(message) for message in JOBS[job](situation, options)]
        except ValueError as error:
            told = str(error)
        found.append(told)
    assert found[0] == found[1]


def without_times(data):
    """Messages without what the clock says."""
    if isinstance(data, dict):
        timed = ("seconds", "rate", "ready")
        return {key: without_times(each) for key, each in data.items() if key not in timed}
    return [without_times(each) for each in data] if isinstance(data, list) else data
