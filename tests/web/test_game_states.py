"""What a page is told of a position, and what it can never find out, however it asks."""

import json

import pytest

pytest.importorskip("starlette")

from hidden_games import STARTS, observed, random_game

import agents
from adv_envs import CHANCE
from adv_envs.notation import write_line
from adv_envs.registry import GAMES, parameters_of, start_position
from agents.cli.play import Screen
from agents.web.answers import ANSWERS, STATES, answer_position
from agents.web.game_states import BadRequest, GameState, GameStates, shown
from agents.web.python_jobs import JOBS

hint, move = JOBS["hint"], JOBS["move"]

SMALL = {"hex": {"size": 4}, "amazons": {"size": 6}, "go": {"size": 5}, "gomoku": {"height": 7}}


def as_played(states, name, parameters, player, actions):
    """The state that a page has got when it has seen these moves of one person and of agents."""
    game_state = states.read({"game": name, "parameters": parameters, "people": [player]})
    start, before, waiting = game_state.start, [], []
    position = start
    for action in actions:
        view, own = position.hidden(player), position.to_move == player
        dealt = position.to_move == CHANCE
        position = position.play(action)
        waiting.append(action)
        more = dealt and not position.is_terminal() and position.to_move == CHANCE
        if not more and (own or position.is_terminal() or position.hidden(player) != view):
            game_state, waiting = states.after(game_state, *waiting), []
            before.append(game_state)
    return shown(game_state), bool(waiting)


def visible(state):
    """A state as text, without the codes, which are always new."""
    return json.dumps({**state, "line": len(state["line"])}, sort_keys=True)


# ---- nothing hidden is sent


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
def test_the_state_depends_on_nothing_but_what_the_player_has_seen(name, parameters):
    start, states = start_position(name, **parameters), GameStates()
    told = {}
    repeated = 0
    for seed in range(40):
        actions = random_game(start, seed)
        for player in range(start.num_players):
            for ply in range(min(len(actions), 9)):
                seen = observed(start, actions[:ply], player)
                state, unfinished = as_played(states, name, parameters, player, actions[:ply])
                if unfinished or state["over"]:
                    continue
                repeated += (player, seen) in told
                assert told.setdefault((player, seen), visible(state)) == visible(state)
    assert repeated


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
def test_page_terminal_and_notebook_show_the_same(name, parameters):
    pytest.importorskip("anywidget")
    from adv_envs import widget

    start = start_position(name, **parameters)
    for seed in range(4):
        actions, player = random_game(start, seed)[:12], seed % start.num_players
        seats = [
            agents.Human() if i == player else agents.Random() for i in range(start.num_players)
        ]
        screen, notebook = Screen(start, [], seats), widget(start, agent="random", seat=player)
        notebook.session = screen.session
        for ply, action in enumerate(actions, 1):
            screen.on_move(screen.session.position.play(action), action)
            notebook._show("")
            page = GameState(start, actions[:ply], (player,), ends=tuple(range(1, ply + 1)))
            told = shown(page)
            assert page.view == screen.session.view
            assert [each["name"] for each in told["moves"] if each["name"]] == notebook.moves
            assert notebook.board.pop("turn") == ply
            assert notebook.board["shapes"] == told["board"]["shapes"]


def test_attempts_in_vain_cannot_be_counted():
    states = GameStates()
    start = start_position("phantom_tic_tac_toe")
    game_state = states.after(states.read({"game": "phantom_tic_tac_toe", "people": [0]}), 4)
    states = [shown(states.after(game_state, *tried)) for tried in ([0], [4, 0])]
    assert start.play(4).play(4).to_move == 1  # the second player tried b2 in vain
    assert visible(states[0]) == visible(states[1])
    assert len(states[0]["line"]) == len(states[1]["line"]) == 2


def test_agents_try_until_the_person_notices(monkeypatch):
    tries = iter([4, 0])
    monkeypatch.setattr("agents.web.play_jobs.ask", lambda agent, position: next(tries))
    start = start_position("phantom_tic_tac_toe")
    (message,) = move(GameState(start, (4,), people=(0,)), {"agent": "random"})
    assert message["played"] == [4, 0]
    assert set(message) == {"played", "said"}
    assert not message["said"]


def test_the_error_of_an_agent_does_not_tell_what_it_has_seen(monkeypatch):
    def fail(agent, position):
        raise ValueError(f"I cannot play {position!r}")

    monkeypatch.setattr("agents.web.play_jobs.ask", fail)
    game_state = GameState(start_position("kuhn"), (0, 2, 0), people=(0,))
    with pytest.raises(ValueError, match=r"^random has failed: ValueError$"):
        list(move(game_state, {"agent": "random"}))


def test_codes_do_not_repeat_and_say_nothing():
    states = GameStates()
    start = states.read({"game": "kuhn", "people": [0]})
    dealt = [states.after(start, 0, card).codes[-1] for card in (1, 2) for _ in range(50)]
    assert len(set(dealt)) == 100
    assert {len(code) for code in dealt} == {12}


def test_codes_of_one_game_do_not_open_another():
    states = GameStates()
    kuhn = {"game": "kuhn", "people": [0]}
    dealt = states.after(states.read(kuhn), 0, 2).codes[-1]
    other = states.after(states.read(kuhn), 1, 2).codes[-1]
    assert states.read({**kuhn, "line": [dealt]}).actions == [0, 2]
    for wrong in (
        {**kuhn, "line": [dealt, other]},
        {**kuhn, "line": [dealt, dealt]},
        {**kuhn, "line": [dealt], "parameters": {"players": 3}},
        {"game": "leduc", "line": [dealt]},
        {"game": "tic_tac_toe", "line": [dealt]},
    ):
        with pytest.raises(BadRequest):
            states.read(wrong)


@pytest.mark.parametrize("code", [0, True, None, [], {}, "", "x" * 12])
def test_actions_of_hidden_games_cannot_be_sent_in_a_line(code):
    with pytest.raises(BadRequest):
        GameStates().read({"game": "kuhn", "line": [code]})


def test_a_server_that_starts_again_says_that_the_game_is_gone():
    code = GameStates().after(GameStates().read({"game": "kuhn"}), 0).codes[-1]
    with pytest.raises(BadRequest, match="begin a new game"):
        GameStates().read({"game": "kuhn", "line": [code]})


def test_the_person_cannot_move_for_another():
    states = GameStates()
    game_state = states.after(states.read({"game": "kuhn", "people": [1]}), 0, 2)
    state = shown(game_state)
    assert state["to_move"] == 0
    assert state["board"]["actions"] == []
    for wanted in ({"action": 0}, {"name": "bet"}, {"chance": True}):
        with pytest.raises(BadRequest, match="turn"):
            states.played(game_state, wanted)
    with pytest.raises(ValueError, match="turn"):
        list(hint(state_of_job(game_state), {"agent": "random"}))


def state_of_job(game_state):
    """A game_state as the process of a search has it."""
    return GameState.from_plain(json.loads(json.dumps(game_state.plain)))


def test_everything_is_shown_when_the_owner_ends_the_game():
    states = GameStates()
    dealt = states.after(states.read({"game": "kuhn", "people": [1]}), 0, 2)
    later = states.after(dealt, 0)
    line = {"game": "kuhn", "people": [1], "line": list(later.codes)}
    assert shown(states.read(line))["moves"][0]["name"].startswith("? ")
    revealed = shown(states.played(states.read(line), {"reveal": True}))
    assert "?" not in revealed["moves"][0]["name"]
    assert revealed["viewer"] is None
    for codes in (line["line"], line["line"][:1]):  # and it is the end of all its variations
        ended = states.read({**line, "line": codes})
        assert shown(ended)["viewer"] is None
        with pytest.raises(BadRequest, match="over"):
            states.played(ended, {"action": 0})
        with pytest.raises(BadRequest, match="over"):
            states.after(ended, 0)


def test_everything_is_shown_when_the_game_is_over_by_its_rules():
    states = GameStates()
    dealt = states.after(states.read({"game": "kuhn", "people": [1]}), 0, 2)
    here = dealt
    while not here.position.is_terminal():
        here = states.after(here, here.position.legal_actions()[0])
    request = {"game": "kuhn", "people": [1], "line": list(here.codes)}
    assert shown(states.read(request))["viewer"] is None
    with pytest.raises(BadRequest, match="over"):  # what is known now is of no use in the game
        states.after(states.read({**request, "line": list(dealt.codes)}), 0)


def test_nothing_is_ended_where_nothing_is_hidden():
    states = GameStates()
    with pytest.raises(BadRequest, match="nothing is hidden"):
        states.played(states.read({"game": "tic_tac_toe"}), {"reveal": True})
    first = states.read({"game": "dark_hex", "people": [0]})
    assert states.played(first, {"reveal": True}) == first


def alike(name, parameters):
    """Two games of different actions in which the player has seen the same, ready for a page."""
    start, found = start_position(name, **parameters), {}
    for seed in range(400):
        actions = random_game(start, seed)
        player, ply = seed % start.num_players, 1 + seed // 3 % 6
        position = start.after(actions[:ply])
        if position.is_terminal() or position.to_move == CHANCE or ply > len(actions):
            continue
        seen = (player, observed(start, actions[:ply], player))
        other = found.setdefault(seen, actions[:ply])
        if other != actions[:ply] and position.to_move == start.after(other).to_move:
            return player, other, actions[:ply]
    raise AssertionError("there are no two games that look alike")


def claims(player, players):
    """What a page may claim about who looks and whether the game is over."""
    others = [seat for seat in range(players) if seat != player]
    for people in ([player], [], others, [player, *others], [*others, player]):
        for over in ({}, {"over": True}, {"over": "yes", "ended": True, "viewer": None}):
            yield {"people": people, **over}


def answers(request):
    """What a page is told of a game_state: the JSON of each answer, or the error."""
    found = []
    for find in ANSWERS.values():
        try:
            answered = find({**request, "text": "0"})
            found.append(visible(answered) if "line" in answered else json.dumps(answered))
        except BadRequest as error:
            found.append(str(error))
    return found


@pytest.mark.parametrize(("name", "parameters"), STARTS, ids=str)
def test_nothing_that_a_page_claims_shows_what_is_hidden(name, parameters):
    player, *games = alike(name, parameters)
    told = []
    for actions in games:
        request = {"game": name, "parameters": parameters, "people": [player]}
        here = STATES.after(STATES.read(request), *actions)
        request["line"] = list(here.codes)
        others = claims(player, here.start.num_players)
        told.append([answers({**request, **claim}) for claim in others])
        assert answer_position({**request, "people": [], "over": True})["viewer"] == player
        with pytest.raises(BadRequest, match="hidden from this page"):
            answer_position({**request, "people": [1 - min(player, 1)]})
    assert games[0] != games[1]
    assert told[0] == told[1]


def test_whoever_watches_agents_sees_everything():
    states = GameStates()
    watched = states.after(states.read({"game": "kuhn", "people": []}), 0, 2)
    request = {"game": "kuhn", "people": [], "line": list(watched.codes)}
    assert shown(states.read(request))["viewer"] is None
    assert shown(states.read({**request, "people": [0]}))["viewer"] == 0


def test_a_person_who_hands_the_seat_to_an_agent_sees_no_more_than_before():
    states = GameStates()
    dealt = states.after(states.read({"game": "kuhn", "people": [0, 1]}), 0, 2)
    request = {"game": "kuhn", "line": list(dealt.codes)}
    assert shown(states.read({**request, "people": [1]}))["viewer"] == 1
    assert shown(states.read({**request, "people": []}))["viewer"] == 0


def test_a_deck_is_shuffled_once():
    """Who asks for a card again and again would learn from its frequencies what others hold."""
    states = GameStates()
    dealt = states.played(states.read({"game": "leduc", "people": [0]}), {"chance": True})
    shown, held = set(), dealt.actions
    for _ in range(30):
        here = dealt
        while here.position.to_move != CHANCE:
            here = states.after(here, here.position.legal_actions()[1])
        shown.add(states.played(here, {"chance": True}).actions[len(here.actions)])
    assert len(shown) == 1
    decks = {
        tuple(states.played(states.read({"game": "leduc"}), {"chance": True}).actions)
        for _ in range(60)
    }
    assert len(decks) > 5
    assert len(held) == 2


def test_an_agent_that_is_asked_again_plays_the_same_whatever_seed_is_sent():
    states = GameStates()
    played = set()
    for _ in range(20):
        dealt = states.after(states.read({"game": "liars_dice", "people": [0]}), 0, 1)
        here = states.after(dealt, 0)
        again = states.read({"game": "liars_dice", "people": [0], "line": list(here.codes)})
        options = {"agent": "random", "seed": 7}
        first, second = (list(move(state_of_job(each), options)) for each in (here, again))
        assert first == second
        played.add(json.dumps(first))
    assert len(played) > 3  # and the next game has another seed


def test_all_hidden_cards_are_dealt_at_once():
    states = GameStates()
    game_state = states.played(states.read({"game": "kuhn"}), {"chance": True})
    assert len(game_state.actions) == 2
    assert len(game_state.codes) == 1


# ---- what is said of positions


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_the_same_sent_move_by_move_or_at_once(name):
    states, parameters = GameStates(), SMALL.get(name, {})
    start = start_position(name, **parameters)
    actions = random_game(start, 1)[:20]
    game_state = states.read({"game": name, "parameters": parameters})
    for action in actions:
        game_state = states.after(game_state, action)
    state = shown(game_state)
    assert state == shown(states.read({**state, "line": state["line"]}))
    assert [each["player"] for each in state["moves"]] == [
        start.after(actions[:i]).to_move for i in range(len(actions))
    ]
    assert state["parameters"] == parameters_of(start)
    assert state["text"] == (write_line(start, actions) if start.perfect_information else "")
    json.dumps(state, allow_nan=False)


def test_illegal_moves_are_answered_by_what_is_legal():
    states = GameStates()
    start = states.read({"game": "tic_tac_toe", "line": [4]})
    with pytest.raises(BadRequest, match=r"'b2' is not a legal move; legal: a1, "):
        states.played(start, {"name": " b2 "})
    with pytest.raises(BadRequest, match="not legal"):
        states.played(start, {"action": 4})
    with pytest.raises(BadRequest, match="not chance's turn"):
        states.played(start, {"chance": True})
    with pytest.raises(BadRequest, match="move 2 is not legal"):
        states.read({"game": "tic_tac_toe", "line": [4, 4]})
    assert states.played(start, {"name": "A1"}).position == start.position.move("a1")


def test_chess_knows_a_bishop_from_a_pawn():
    states = GameStates()
    start = states.read({"game": "chess"})
    for name in ("e4", "a6", "Bc4"):
        start = states.played(start, {"name": name})
    assert start.position.name(start.actions[0])
    assert len(start.actions) == 3


# ---- agents that move


def test_an_agent_says_what_it_would_play_and_then_plays():
    *thoughts, last = move(
        GameState(start_position("tic_tac_toe"), (4,)), {"agent": "alpha_beta(depth=2)"}
    )
    assert thoughts
    assert thoughts[-1]["thought"]["action"] == last["played"][0]
    assert last["said"].startswith("alpha_beta sees itself")


def test_agents_keep_to_the_seconds_that_are_left():
    from agents.spec import make
    from agents.web.play_jobs import with_limit

    assert with_limit(make("alpha_beta(nodes=100)"), 2.5) == make(
        "alpha_beta(nodes=100, seconds=2.5)"
    )
    assert with_limit(make("alpha_beta(seconds=1)"), 2.5) == make("alpha_beta(seconds=1)")
    assert with_limit(make("random"), 2.5) == make("random")
    for nonsense in (None, True, "1", -1, float("nan")):
        assert with_limit(make("alpha_beta(depth=2)"), nonsense) == make("alpha_beta(depth=2)")


def test_a_hint_is_a_move_with_its_name():
    (message,) = hint(GameState(start_position("tic_tac_toe"), (4,)), {"agent": "perfect"})
    found = message["hint"]
    assert start_position("tic_tac_toe").after([4]).legal(found["action"])
    assert found["name"]
    assert found["said"]


@pytest.mark.parametrize("job", sorted(set(JOBS) - {"move"}))
def test_no_search_for_a_person_knows_what_is_hidden(job):
    found = []
    for dealt in ((0, 1), (0, 2)):  # the same card for the person, another for the opponent
        game_state = state_of_job(GameState(start_position("kuhn"), dealt, people=(0,)))
        options = {"agent": "ismcts(simulations=50)", "seed": 1, "action": 0}
        try:
            told = [without_times(message) for message in JOBS[job](game_state, options)]
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
