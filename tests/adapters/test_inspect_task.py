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
            check_scores(sample.scores, records[case])
    same_games(records.__getitem__)


def check_scores(scores, record):
    legal = record.outcomes.count("legal")
    expected = {
        "game_result": record.result,
        "legal_replies": legal / len(record.outcomes),
        "kept_moves": record.kept / record.graded if record.graded else None,
        "move_regret": record.mean_regret,
    }
    for name, score in scores.items():
        if expected[name] is None:
            assert math.isnan(score.value)
        else:
            assert score.value == pytest.approx(expected[name])
    assert ("kept_moves" in scores) == bool(record.graded)


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
    assert kept.metrics["mean"].value == 1.0


def test_a_game_of_ones_own(own_game):
    seen = []
    log = run(task_of(own_game, games=1), lambda seed, text: seen.append(text) or "b2")
    assert log.status == "success"
    assert "You play the game own_game" in seen[0]
