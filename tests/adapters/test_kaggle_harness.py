"""Games of messages as environments of Kaggle's, and its harness for language models in them."""

import pytest
from adapters.reference import models_of, record_of

import adv_envs
from adv_envs.text import read_reply

pytestmark = pytest.mark.needs("kaggle")


@pytest.fixture
def kaggle(monkeypatch):
    """The adapter. LiteLLM would fetch a table of prices from the network."""
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    from agents.integrations import kaggle_harness

    return kaggle_harness


def env_of(kaggle, game, parameters=None, seed=None, **configuration):
    given = {"options": parameters or {}, "seed": seed, **configuration}
    return kaggle.kaggle.make(kaggle.kaggle_name(game), configuration=given)


def seen_by(model):
    """An agent of Kaggle's that submits what a model says to the last message."""

    def agent(observation, configuration):
        said = [each["content"] for each in observation["messages"]]
        return {"submission": model("\n".join(said))}

    return agent


def outcomes_in(env, seat):
    found = [step[seat].info.get("outcome") for step in env.steps]
    return [outcome for outcome in found if outcome]


def check_end(env, case, record):
    state = env.state[case.seat]
    assert state.status == "DONE"
    assert state.reward == (record.result or 0)
    assert state.info["truncated"] == (record.result is None)
    assert (state.info["graded"], state.info["kept"]) == (record.graded, record.kept)


def test_the_same_games(kaggle, same_games):
    def play(case):
        env = env_of(kaggle, case.game, {**case.parameters, **case.options}, case.seed)
        env.run([seen_by(model) for model in models_of(case)])
        record = record_of(env.text_game, case.seat, outcomes_in(env, case.seat))
        check_end(env, case, record)
        return record

    same_games(play)


def harness_agent(kaggle, monkeypatch, model, **options):
    """An agent of Kaggle's own harness, whose model LiteLLM stands in for, with its stream."""
    import litellm

    complete = litellm.completion

    def completion(**arguments):
        reply = model(arguments["messages"][-1]["content"])
        # An empty reply is an error of the network to Kaggle's harness; this is as unreadable.
        return complete(**arguments, mock_response=reply or "I will not answer that.")

    monkeypatch.setattr(kaggle.core_harness.litellm, "completion", completion)
    override = ("openai/scripted", {"api_key": "none"})
    return kaggle.core_harness.create_agent_fn(
        kaggle.KaggleTextHarness(), model_override=override, **options
    )


def test_the_same_games_by_the_harness_for_language_models(kaggle, monkeypatch, same_games):
    def play(case):
        env = env_of(kaggle, case.game, {**case.parameters, **case.options}, case.seed)
        models = models_of(case)
        agents = [seen_by(model) for model in models]
        with monkeypatch.context() as patch:
            agents[case.seat] = harness_agent(kaggle, patch, models[case.seat], max_retries=1)
            env.run(agents)
        return record_of(env.text_game, case.seat, outcomes_in(env, case.seat))

    same_games(play)


class First:
    """Takes the first legal action."""

    def act(self, position):
        return position.legal_actions()[0]


class Last:
    """Takes the last legal action."""

    def act(self, position):
        return position.legal_actions()[-1]


def test_the_harness_may_read_the_replies_itself(kaggle, monkeypatch):
    """Then observations have legal actions, and the second attempts are Kaggle's."""
    replies = iter(["b2", "Final answer: c9", "c3", "I do not know.", "Final answer: zz"])
    prompts = []

    def model(prompt):
        prompts.append(prompt)
        return next(replies)

    env = env_of(kaggle, "tic_tac_toe", freeForm=False)
    agent = harness_agent(kaggle, monkeypatch, model, max_retries=2)
    env.run([agent, kaggle.KaggleAgent(First())])
    assert env.text_game.session.text() == "b2 a1 c3 b1"
    assert '"c9" is not a legal move here' in prompts[2]
    assert "No move was found" in prompts[4]
    assert "No move was found" not in prompts[3]
    assert [each.reward for each in env.state] == [-1.0, 0.0]
    assert env.state[0].info["failure"] == "forfeit"


@pytest.mark.parametrize("free_form", [True, False])
def test_only_what_the_environment_has_read_is_counted(kaggle, monkeypatch, free_form):
    env = env_of(kaggle, "tic_tac_toe", seed=1, freeForm=free_form)
    agent = harness_agent(kaggle, monkeypatch, lambda prompt: "Final answer: zz", max_retries=2)
    env.run([agent, kaggle.KaggleAgent(First())])
    info = env.state[0].info
    assert (info["legal"], info["failures"], info["failure"]) == (0, 1, "forfeit")
    read = {name: info[name] for name in ("illegal", "unreadable", "outcome") if name in info}
    assert read == ({"illegal": 3, "unreadable": 0, "outcome": "illegal"} if free_form else {})


@pytest.mark.parametrize("submission", [True, 1.0, float("nan"), [1], {"a1": 1}, 10**400, -2])
def test_what_is_neither_a_text_nor_a_number_is_no_legal_move(kaggle, submission):
    env = env_of(kaggle, "tic_tac_toe", seed=1)
    state = env.step([{"submission": submission}, None])
    assert (state[0].status, state[0].info["outcome"]) == ("ACTIVE", "illegal")
    assert not env.text_game.session.actions


def test_games_with_a_seed_are_the_same(kaggle):
    games = [env_of(kaggle, "tic_tac_toe", seed=seed) for seed in (1, 1, 2)]
    for env in games:  # as far as the first move, all at once
        env.reset()
    for env in (*games, games[0]):
        env.run(["random", "random"])
    first, second, third = (env.text_game.session.text() for env in games)
    assert first == second != third

    def played_by_agents(seed):
        env = env_of(kaggle, "tic_tac_toe", seed=1)
        env.run([kaggle.KaggleAgent("random", seed=seed), kaggle.KaggleAgent(First())])
        return env.text_game.session.text()

    assert played_by_agents(5) == played_by_agents(5) != played_by_agents(6)


def test_agents_do_not_see_how_often_others_have_tried(kaggle):
    def shown_after(*tries):
        """What the first player sees at its second turn, after the tries of the other."""
        replies, shown = {0: iter(["b2"]), 1: iter(tries)}, []

        def agent(observation, configuration):
            if observation.playerId == 0:
                shown.append(observation)
            move = next(replies[observation.playerId], "zz")
            return {"submission": f"Final answer: {move}"}

        env_of(kaggle, "phantom_tic_tac_toe", seed=1).run([agent, agent])
        return shown[1]

    plain = shown_after("a1")
    assert plain == shown_after("b2", "a1") == shown_after("zz", "a1")
    assert "step" not in plain


def test_a_game_may_be_over_before_an_agents_first_turn(kaggle):
    env = env_of(kaggle, "thirty_one", {"num_players": 3, "limit": 5, "copies": 2}, seed=0)

    def never(observation, configuration):
        raise AssertionError("asked")

    env.run([kaggle.KaggleAgent(Last()), kaggle.KaggleAgent(Last()), never])
    assert [each.status for each in env.state] == ["DONE"] * 3
    assert env.state[2].reward == 0.5
    assert (env.state[2].info["legal"], env.state[2].info["failures"]) == (0, 0)


def test_no_observation_has_what_the_others_alone_know(kaggle):
    """For the same card, what a player is shown is the same whatever the other one holds."""
    shown = {}
    for seed in range(30):
        env = env_of(kaggle, "kuhn", seed=seed)
        seen = {0: [], 1: []}

        def agent(observation, configuration, seen=seen):
            assert configuration["seed"] is None
            seen[observation.playerId].append(observation)
            return {"submission": "Final answer: check"}

        env.run([agent, agent])
        cards = [move.name for move in env.text_game.session.seen(None)][:2]
        for player, card in enumerate(cards):
            [told] = [(each.position, str(each.messages)) for each in seen[player]]
            shown.setdefault((player, card), {})[cards[1 - player]] = told
    assert len(shown) == 6
    for told in shown.values():
        assert len(told) == 2
        assert len(set(told.values())) == 1


def test_a_failing_agent_is_no_lost_game(kaggle):
    def failing(observation, configuration):
        raise OSError("no network")

    for agent, status in ((failing, "ERROR"), (lambda observation, configuration: "4", "INVALID")):
        env = env_of(kaggle, "tic_tac_toe")
        env.run([kaggle.KaggleAgent(First()), agent])
        assert [each.reward for each in env.state] == [None, None]
        assert [each.status for each in env.state] == ["DONE", status]


@pytest.mark.parametrize("name", adv_envs.GAMES)
def test_every_game_is_played_and_drawn(kaggle, name):
    env = env_of(kaggle, name, {"on_failure": "end", "retries": 0}, seed=1)
    players = len(env.state)

    def agent(observation, configuration):
        assert len(observation.messages) >= 2
        number = configuration.turns - len(env.steps)
        return random(observation, configuration) if number > 0 else {"submission": "no"}

    random = kaggle.KaggleAgent("random")
    env.configuration["turns"] = 12
    env.run([agent] * players)
    assert all(each.status == "DONE" for each in env.state)
    assert env.render(mode="ansi") == str(env.text_game.session.position)
    assert "<svg" in env.render(mode="html")
    assert env.toJSON()["info"]["seed"] == 1


def test_mistakes_are_said(kaggle):
    with pytest.raises(TypeError, match="unexpected keyword argument 'sise'"):
        env_of(kaggle, "hex", {"sise": 3})
    env = env_of(kaggle, "hex", {"size": 3})
    with pytest.raises(ValueError, match="adv_envs_hex has 2 players, not 3"):
        env.run([kaggle.KaggleAgent(First())] * 3)
    three = env_of(kaggle, "thirty_one", {"num_players": 3})
    three.run(["random"] * 3)
    assert sorted(each.reward for each in three.state) == [-1.0, 0.5, 0.5]
    with pytest.raises(ValueError, match=r"call reset\(\), or make a new one"):
        env_of(kaggle, "hex").clone().step([{"submission": "a1"}, None])


@pytest.mark.parametrize("name", adv_envs.GAMES)
def test_numbers_are_those_of_actions_and_never_names_of_moves(kaggle, name):
    env = env_of(kaggle, name, seed=1)
    game = env.text_game
    legal = game.session.position.legal_actions()
    for number in (max(legal) + 1, -2, 10**9):
        reply = kaggle._reply({"submission": number}, game)
        assert read_reply(game.session.position, reply).outcome == "illegal"
    for number in legal[:20]:
        reply = kaggle._reply({"submission": number}, game)
        assert read_reply(game.session.position, reply).action == number


def test_a_game_of_ones_own(kaggle, own_game):
    kaggle.register_kaggle(own_game)
    env = env_of(kaggle, own_game)
    env.run(["random", kaggle.KaggleAgent(First())])
    assert "You play the game own_game" in env.state[0].observation.messages[0].content
    del kaggle.kaggle.environments[kaggle.kaggle_name(own_game)]
