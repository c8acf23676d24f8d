"""Games of messages as tasks of Inspect, run by its ``eval`` with its own mock of a model."""

import math

import pytest
from adapters.reference import CASES, GAMES, Record, Script, played_directly, text_of

pytestmark = pytest.mark.needs("inspect")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(monkeypatch, tmp_path):
    """Inspect writes logs, and says nothing meanwhile."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")


def run(task, reply, **options):
    """Runs a task with a mock that answers by ``reply(id of the sample, input)``.

    Returns the log. The mock counts no tokens, for which it would fetch a file from the network.
    """
    import inspect_ai
    from inspect_ai.log._samples import sample_active
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def answer(messages, tools, tool_choice, config):
        text = text_of({"content": message.text} for message in messages)
        output = ModelOutput.from_content("mockllm", reply(sample_active().sample.id, text))
        output.usage = ModelUsage()
        return output

    model = get_model("mockllm/model", custom_outputs=answer)
    [log] = inspect_ai.eval(task, model=model, **options)
    return log


def task_of(game, **options):
    from adv_envs.text.inspect_task import game_task

    return game_task(game, **options)


def record_in(sample):
    """The record of a game in the log, which has one wherever the game was not cut off."""
    found = sample.store["adv_envs_game"]
    regret = found["mean_regret"]
    return Record(
        tuple(found["moves"]),
        tuple(found["outcomes"]),
        found["utility"],
        found["failure"],
        found["graded"],
        found["kept"],
        None if regret is None else round(regret, 9),
    )


def test_the_same_games(same_games):
    records = {}
    for game in GAMES:
        cases = {case.seed: case for case in CASES if case.game == game}
        scripts = {seed: Script(case) for seed, case in cases.items()}
        shared = cases[0].arguments()
        del shared["seat"]  # they alternate
        log = run(
            task_of(game, games=5, **shared),
            lambda seed, text, scripts=scripts: scripts[seed](text),
            message_limit=None,
        )
        assert (log.status, len(log.samples)) == ("success", 5)
        for sample in log.samples:
            case = cases[sample.id]
            records[case] = record_in(sample)
            assert sample.store["adv_envs_game"]["seat"] == case.seat
            check_scores(sample.scores, records[case], sample.store["adv_envs_game"]["failures"])
    same_games(records.__getitem__)


def check_scores(scores, record, failures):
    legal, turns = record.outcomes.count("legal"), record.graded + failures
    expected = {
        "game_result": record.result,
        "legal_replies": legal / len(record.outcomes),
        "kept_moves": record.kept / turns if turns else None,
        "move_regret": record.mean_regret,
    }
    for name, score in scores.items():
        if expected[name] is None:
            assert math.isnan(score.value)
        else:
            assert score.value == pytest.approx(expected[name])
    assert bool(record.graded) <= ("kept_moves" in scores)


def test_means_are_those_of_the_games_that_have_a_number():
    cases = [case for case in CASES if case.game == "chess"]
    scripts = {case.seed: Script(case) for case in cases}
    arguments = cases[0].arguments()
    del arguments["seat"]
    log = run(task_of("chess", games=5, **arguments), lambda seed, text: scripts[seed](text))
    means = {each.name: each.metrics["mean"].value for each in log.results.scores}
    records = [played_directly(case) for case in cases]
    shares = [record.outcomes.count("legal") / len(record.outcomes) for record in records]
    assert means["legal_replies"] == pytest.approx(sum(shares) / 5)
    assert all(record.result is None for record in records)
    [results] = [each for each in log.results.scores if each.name == "game_result"]
    assert (results.scored_samples, results.unscored_samples) == (0, 5)


def test_a_model_is_told_what_a_player_sees_and_only_the_turns_it_may_remember():
    seen = []

    def reply(seed, text):
        seen.append(text)
        return "Final answer: 1"

    run(task_of("thirty_one", games=1, memory=1, limit=31, seat="first"), reply)
    assert [text.count("It is your turn") for text in seen[:4]] == [1, 2, 2, 2]
    assert all(text.count("You play the game") == 1 for text in seen)


def test_a_game_that_a_limit_has_ended_is_scored_by_its_replies():
    log = run(
        task_of("tic_tac_toe", games=1, seat="first", grade="exact"),
        lambda seed, text: "I do not know.",
        message_limit=4,
    )
    [sample] = log.samples
    assert sample.limit.type == "message"
    assert math.isnan(sample.scores["game_result"].value)
    assert sample.scores["legal_replies"].value == 0


def test_what_does_not_exist_is_said_before_anything_runs():
    for options, error in (
        ({"opponent": "alpha_beta(depht=2)"}, "depht"),
        ({"board": "picture"}, "board must be one of"),
        ({"games": 0}, "games must be 1 or more"),
        ({"games": 1.5}, r"games must be a whole number, not 1\.5"),
        ({"games": "abc"}, "games must be a whole number, not 'abc'"),
        ({"games": True}, "games must be a whole number, not True"),
        ({"seed": "abc"}, "seed must be a whole number, not 'abc'"),
        ({"size": 3}, "unexpected keyword argument 'size'"),
    ):
        with pytest.raises((TypeError, ValueError), match=error):
            task_of("tic_tac_toe", **options)


def test_the_tasks_are_found_by_name_where_the_package_is_installed():
    """As ``inspect eval adv_envs/hex -T size=3`` finds them."""
    arguments = {"size": 3, "games": 2, "grade": "exact", "seat": "first"}
    log = run("adv_envs/hex", lambda seed, text: "Final answer: b2", task_args=arguments)
    assert log.eval.task == "adv_envs/hex"
    assert log.eval.task_args["size"] == 3
    assert log.eval.dataset.name == "hex, size=3"
    [kept] = [each for each in log.results.scores if each.name == "kept_moves"]
    assert kept.metrics["mean"].value == 0.5  # the second b2 forfeits the game


def test_a_failed_turn_keeps_nothing():
    log = run(task_of("nim", games=2, grade="exact", retries=0), lambda seed, text: "I give up.")
    for sample in log.samples:
        assert sample.store["adv_envs_game"]["failures"] == 1
        assert sample.scores["kept_moves"].value == 0
        assert math.isnan(sample.scores["move_regret"].value)


def test_a_game_that_is_over_before_its_first_turn_asks_nobody():
    def reply(seed, text):
        raise AssertionError("the model was asked")

    class Told:
        """Plays the last legal action, and hears of results."""

        results = ()

        def act(self, position):
            return position.legal_actions()[-1]

        def report_result(self, points, first):
            self.results = (*self.results, points)

    told = Told()
    start = {"num_players": 3, "limit": 5, "copies": 2, "seat": 2, "opponent": told}
    log = run(task_of("thirty_one", games=1, **start), reply)
    assert log.status == "success"
    [sample] = log.samples
    record = sample.store["adv_envs_game"]
    assert (record["outcomes"], record["legal"], record["seat"]) == ([], 0, 2)
    assert sample.scores["game_result"].value == record["utility"] == 0.5
    assert math.isnan(sample.scores["legal_replies"].value)
    assert told.results


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mcts(simulations=5, c=1.0)", "mcts(simulations=5, c=1.0)"),
        ("random,mcts(simulations=5,c=1.0)", ["random", "mcts(simulations=5,c=1.0)"]),
        ("random,greedy", ["random", "greedy"]),
        ("[random]", ["random"]),
        ("[[random, 1], [greedy, 2]]", [["random", 1], ["greedy", 2]]),
        ("alpha_beta(depth=2)", "alpha_beta(depth=2)"),
        (
            "llm(model='x', base_url='http://localhost:1/v1')",
            "llm(model='x', base_url='http://localhost:1/v1')",
        ),
        ("league((random, greedy), seed=1)", "league((random, greedy), seed=1)"),
    ],
)
def test_specs_with_commas_may_be_typed(typed, meant):
    from inspect_ai._cli.util import parse_cli_args

    from adv_envs.text.inspect_task import whole_specs

    assert whole_specs(parse_cli_args((f"opponent={typed}",))["opponent"]) == meant


def test_a_game_against_a_spec_with_commas():
    from inspect_ai._cli.util import parse_cli_args

    spec = "mcts(simulations=5, exploration=1.0)"
    typed = (f"opponent={spec}", f"grade={spec}", "games=1")
    arguments = parse_cli_args(typed)
    assert isinstance(arguments["opponent"], list)
    log = run("adv_envs/nim", lambda seed, text: "no", task_args=arguments)
    assert (log.status, len(log.samples)) == ("success", 1)


def test_a_game_of_ones_own(own_game):
    seen = []
    log = run(task_of(own_game, games=1), lambda seed, text: seen.append(text) or "b2")
    assert log.status == "success"
    assert "You play the game own_game" in seen[0]
