"""Games of messages as environments of TextArena, played by its own ``make`` and loop."""

import copy
import random

import pytest
from adapters.reference import CASES, Script, models_of, record_of

import adv_envs
from adv_envs.registry import gymnasium_id

pytestmark = pytest.mark.needs("textarena")


def make(game, name=None, **options):
    import textarena

    import agents.integrations.text_arena  # noqa: F401 - registers the ids

    return textarena.make(gymnasium_id(name or game), **options, game=game)


def play(env, models, seed):
    """Plays a game by TextArena's loop; returns the infos of each player, rewards and game info."""
    env.reset(num_players=len(models), seed=seed)
    done, infos = False, [[] for _ in models]
    while not done:
        player, observation = env.get_observation()
        done, info = env.step(action=models[player](observation))
        infos[player].append(info)
    return infos, *env.close()


def outcomes_of(infos):
    return [info["reading"].outcome for info in infos]


def check_end(record, rewards, game_info, player):
    assert rewards[player] == (record.result or 0)
    assert game_info[player]["truncated"] == (record.result is None)
    assert game_info[player]["invalid_move"] == (record.failure == "forfeit")
    assert game_info[player]["turn_count"] == record.outcomes.count("legal")
    assert (game_info[player]["graded"], game_info[player]["kept"]) == record[4:6]


@pytest.mark.parametrize("variant", ["", "-train", "-raw"])
def test_the_same_games(same_games, variant):
    """Every seat is an agent of TextArena's, the opponents too."""
    import textarena

    def play_all_seats(case):
        env = textarena.make(gymnasium_id(case.game) + variant, **case.parameters, **case.options)
        models = models_of(case)
        if variant == "-raw":
            models = [raw(model) for model in models]
        infos, rewards, game_info = play(env, models, case.seed)
        record = record_of(env.game, case.seat, outcomes_of(infos[case.seat]))
        check_end(record, rewards, game_info, case.seat)
        return record

    make("pig")
    same_games(play_all_seats)


def raw(model):
    return lambda observation: model("\n".join(message for _, message, _ in observation) or "-")


def test_the_same_games_against_opponents_inside(same_games):
    def play_one_seat(case):
        arguments = case.arguments()
        env = make(case.game, **arguments)
        infos, rewards, game_info = play(env, [Script(case)], case.seed)
        record = record_of(env.game, case.seat, outcomes_of(infos[0]))
        check_end(record, rewards, game_info, 0)
        assert game_info[0]["seat"] == case.seat
        return record

    same_games(play_one_seat)


def test_the_global_generator_is_left_alone():
    env, case = make("pig", target=20, board="json"), CASES[20]
    random.seed(5)
    expected = random.getstate()
    for _ in range(2):
        play(env, models_of(case), seed=3)
    assert random.getstate() == expected


def test_the_next_game_has_nothing_of_the_last():
    env = make("kuhn")
    firsts = []
    for seed in (1, 2, 1):
        env.reset(num_players=2, seed=seed)
        firsts.append(env.get_observation())
        env.step(action="Final answer: zz")
    assert firsts[0] == firsts[2]
    assert firsts[1][1].count("You play the game") == 1


def test_no_observation_has_what_the_others_alone_know():
    seen = []
    for other in ("J", "K"):
        env = make(adv_envs.start_position("kuhn").after(f"Q {other}"), name="kuhn")
        env.reset(num_players=2, seed=1)
        observed = [env.get_observation()]
        env.step(action="My card is the queen. I check.")
        _, theirs = env.get_observation()
        assert "the queen" not in theirs
        env.step(action="I bet.")
        observed.append(env.get_observation())
        assert "My card is the queen" in observed[1][1]
        seen.append(observed)
    assert seen[0] == seen[1]


def test_copies_go_on_alike():
    env = make("leduc")
    env.reset(num_players=2, seed=1)
    env.get_observation()
    twin = copy.deepcopy(env)
    for each in (env, twin):
        each.step(action="call")
    assert env.get_observation() == twin.get_observation()


@pytest.mark.parametrize("variant", ["", "-train", "-raw"])
def test_a_game_that_is_over_before_the_first_turn_takes_one_step(variant):
    import textarena

    make("pig")
    options = {"num_players": 3, "limit": 5, "copies": 2, "seat": 2}
    env = textarena.make(gymnasium_id("thirty_one") + variant, **options, opponent=last_action)
    for _ in range(2):
        env.reset(num_players=1, seed=0)
        assert env.game.over
        _, observation = env.get_observation()
        assert "Your result: +0.5" in str(observation)
        done, info = env.step(action="Final answer: 1")
        assert (done, info["legal"], info["action"]) == (True, 0, None)
        with pytest.raises(ValueError, match="call reset"):
            env.step(action="Final answer: 1")
        rewards, game_info = env.close()
        assert rewards == {0: 0.5}
        assert "Your result: +0.5" in game_info[0]["reason"]
        assert (game_info[0]["turn_count"], game_info[0]["invalid_move"]) == (0, False)


def first_action(position):
    return position.legal_actions()[0]


def last_action(position):
    return position.legal_actions()[-1]


@pytest.mark.parametrize("memory", [None, 0, 1])
def test_an_observation_has_the_turns_that_are_remembered(memory):
    env = make("tic_tac_toe", memory=memory, seat="first", opponent=first_action)
    env.reset(num_players=1, seed=1)
    for move in ("zz", "e5", "b2", "zz", "c3"):
        _, observation = env.get_observation()
        messages = env.game.messages(0)
        end = 0
        for message in messages:  # in this order
            end = observation.index(message["content"], end) + len(message["content"])
        for what in ("It is your turn", "is not a legal move", "Moves so far", "You play the game"):
            assert observation.count(what) == str(messages).count(what)
        assert observation.count("[Player 0]") == str(messages).count("assistant")
        assert not env.step(action=f"Final answer: {move}")[0]


def test_who_may_play_is_said():
    env = make("thirty_one", num_players=3)
    for early in (env.get_observation, lambda: env.step(action="1")):
        with pytest.raises(ValueError, match=r"call reset\(\)"):
            early()
    for number in (2, 1.0, 3.0, True, "3", None):
        with pytest.raises(ValueError, match=rf"num_players must be 3, .* or 1, .* not {number!r}"):
            env.reset(num_players=number)
    with pytest.raises(TypeError, match=r"seat must be one of .* not 'all'"):
        make("pig", seat="all")
    with pytest.raises(ValueError, match="board must be one of"):
        make("pig", board="picture")
    env.reset(num_players=3, seed=1)
    with pytest.raises(TypeError, match="the reply of a model, not None"):
        env.step(action=None)
    done = False
    while not done:
        env.get_observation()
        done, _ = env.step(action="I do not know.")
    rewards, game_info = env.close()
    assert rewards == {0: -1.0, 1: 0.0, 2: 0.0}
    assert "forfeited" in game_info[0]["reason"]
    assert [game_info[player]["invalid_move"] for player in range(3)] == [True, False, False]
    with pytest.raises(ValueError, match="call reset"):
        env.step(action="1")


def test_a_game_of_ones_own(own_game):
    from agents.integrations.text_arena import register_text_arena, registration

    known = {*registration.ENV_REGISTRY}
    for _ in range(2):  # a second time says nothing
        register_text_arena(own_game)
    env = make(own_game)
    env.reset(num_players=2, seed=0)
    assert "You play the game own_game" in env.get_observation()[1]
    for each in {*registration.ENV_REGISTRY} - known:
        del registration.ENV_REGISTRY[each]
