"""Games of messages as environments of TRL, whose ``GRPOTrainer`` calls their tools."""

import argparse
import importlib
import json
import re
from pathlib import Path

import pytest
from adapters.reference import CASES, OVER_AT_ONCE, Case, Script, record_of, shown_in

import agents
from adv_envs import TicTacToe
from adv_envs.testing import ScriptedModel
from adv_envs.text import write_board

pytestmark = pytest.mark.needs("trl")

EXAMPLES = Path(__file__).parents[2] / "examples"
LONGEST = 1 << 20
"""Tokens, which are bytes, of a whole game."""


@pytest.fixture(scope="module")
def tokenizer():
    """Every byte is a token; messages and calls of tools are written as for Qwen3."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast
    from trl.chat_template_utils import qwen3_chat_template

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(models.BPE({letter: i for i, letter in enumerate(letters)}, []))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=plain, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    made.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    made.chat_template = qwen3_chat_template
    return made


@pytest.fixture
def trainer_of(tokenizer, tmp_path, monkeypatch):
    """A function that makes a trainer of a tiny model for factories and the rows of a data set."""
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    import datasets
    import torch
    import trl
    from transformers import LlamaConfig, LlamaForCausalLM

    def make(factories, rows, **options):
        torch.manual_seed(1)
        config = LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            max_position_embeddings=LONGEST,
        )
        settings = {"max_completion_length": LONGEST, "num_generations": 2, "max_steps": 1}
        arguments = trl.GRPOConfig(
            output_dir=str(tmp_path),
            report_to="none",
            save_strategy="no",
            use_cpu=True,
            bf16=False,
            logging_steps=1,
            disable_tqdm=True,
            learning_rate=0.01,
            **(settings | options),
        )
        return trl.GRPOTrainer(
            model=LlamaForCausalLM(config),
            args=arguments,
            train_dataset=datasets.Dataset.from_list(rows),
            processing_class=tokenizer,
            environment_factory=factories,
        )

    return make


def factory(case):
    from agents.integrations import trl_environment_factory

    return trl_environment_factory(case.game, **case.arguments())


def row(case, **more):
    return {"prompt": [{"role": "user", "content": f"{case}.\n\n"}], "seed": case.seed, **more}


def call(move):
    """How a model calls the tool."""
    arguments = json.dumps({"name": "play", "arguments": {"move": move}})
    return f"<tool_call>\n{arguments}\n</tool_call><|im_end|>"


def let_answer(trainer, answer):
    """Lets ``answer(prompt, number)`` stand for the model, which is never asked."""
    tokenizer = trainer.processing_class

    def generate(prompt_ids, *arguments, **options):
        texts = [answer(tokenizer.decode(ids), i) for i, ids in enumerate(prompt_ids)]
        return [tokenizer(text)["input_ids"] for text in texts], None

    trainer._generate_single_turn = generate


def is_over(prompt):
    return "The game is over." in prompt.rpartition("<tool_response>")[2]


def test_the_same_games(same_games, trainer_of):
    """One batch of the trainer has all games at once, each with tools of its own."""
    rows = [row(case, environment=str(case)) for case in CASES]
    trainer = trainer_of({str(case): factory(case) for case in CASES}, rows)
    scripts = {str(case): Script(case) for case in CASES}

    def answer(prompt, number):
        (name,) = re.findall(r"<\|im_start\|>user\n([a-z_]+-\d+)\.\n\n", prompt)
        return "Well played.<|im_end|>" if is_over(prompt) else call(scripts[name](prompt))

    let_answer(trainer, answer)
    trainer._generate_and_score_completions(rows)  # what a step begins with
    played = dict(zip(CASES, trainer.environments, strict=True))

    def record(case):
        tools = played[case]
        outcomes = [reading.outcome for reading in tools.readings]
        found = record_of(tools.env.game, tools.env.seat, outcomes)
        assert tools.env.seat == case.seat
        assert len(scripts[str(case)].replies) == len(outcomes)
        expected = -1.0 if found.failure == "forfeit" else found.result or 0.0
        assert tools.get_reward() == expected
        return found

    same_games(record)


def test_a_step_of_training(trainer_of):
    """Of two answers to a prompt one plays well, and one gives up; the model learns from that."""
    case = Case("tic_tac_toe", 2)
    trainer = trainer_of(factory(case), [row(case)] * 4, per_device_train_batch_size=2)
    perfect = ScriptedModel(agents.make("alpha_beta").act)

    def answer(prompt, number):
        if is_over(prompt) or ("<tool_response>" not in prompt and number % 2):
            return "I have nothing to say.<|im_end|>"
        return call(perfect([{"role": "user", "content": write_board(shown_in(prompt), "json")}]))

    let_answer(trainer, answer)
    before = [weights.detach().clone() for weights in trainer.model.parameters()]
    trainer.train()
    changed = [
        not old.equal(new) for old, new in zip(before, trainer.model.parameters(), strict=True)
    ]
    assert all(changed)
    log = trainer.state.log_history[0]
    assert log["tools/call_frequency"] > 1
    assert log["tools/failure_frequency"] == 0
    assert -1 < log["rewards/TextGameTools/mean"] < 1
    good, bad = trainer.environments
    assert good.get_reward() >= 0 > bad.get_reward() == -1
    assert good.info["kept"] == good.info["graded"] > 0


def test_a_model_that_knows_nothing(trainer_of):
    """A real model, of random weights, makes no calls: every game counts as forfeited."""
    case = Case("hex", 0)
    trainer = trainer_of(
        factory(case),
        [row(case)] * 4,
        per_device_train_batch_size=2,
        max_completion_length=4,
    )
    trainer.train()
    assert trainer.state.log_history[0]["rewards/TextGameTools/mean"] == -1


def test_what_the_model_is_told(trainer_of):
    case = Case("kuhn", 1)
    trainer = trainer_of(factory(case), [row(case)] * 2)
    prompts = []

    def answer(prompt, number):
        prompts.append(prompt)
        return call("zz99") if len(prompts) < 3 else "I leave.<|im_end|>"

    let_answer(trainer, answer)
    trainer._generate_and_score_completions([row(case)] * 2)
    first, _, second, _ = prompts
    assert '"name": "play"' in first
    assert '"move": {"type": "string", "description": "Your move, written as the rules' in first
    assert "reset" not in first.partition("</tools>")[0]
    assert "Final answer" not in second
    assert second.endswith(
        '"zz99" is not a legal move here. Call the tool `play` with one move. You have 2 tries '
        "left.\n</tool_response><|im_end|>\n<|im_start|>assistant\n"
    )
    assert [tools.get_reward() for tools in trainer.environments] == [-1, -1]


def test_games_begin_anew(trainer_of):
    tools = factory(Case("tic_tac_toe", 0))()
    text = tools.reset(seed=1, prompt="not used")
    tools.play("b2")
    assert tools.info["legal"] == len(tools.readings) == 1
    assert tools.reset(seed=1) == text
    assert tools.info == {}
    assert tools.readings == []
    assert tools.get_reward() == -1
    for _ in range(3):
        tools.play("none")
    assert tools.get_reward() == -1
    with pytest.raises(ValueError, match="the game is over"):
        tools.play("b2")


@pytest.mark.parametrize("case", OVER_AT_ONCE, ids=lambda case: case["game"])
def test_a_game_that_others_have_ended_is_over_at_once(case):
    from agents.integrations import trl_environment_factory

    tools = trl_environment_factory(**case)()
    ended = 0
    for seed in range(30):
        text = tools.reset(seed=seed)
        if tools.env.game.over:
            ended += 1
            assert text.count("The game is over.") == 1
            assert tools.get_reward() == tools.env.game.utilities[case["seat"]] != 0
            assert (tools.readings, tools.info["failures"]) == ([], 0)
            with pytest.raises(ValueError, match="the game is over"):
                tools.play("hold")
    assert ended


def test_games_do_not_share_an_opponent_that_is_an_object():
    from agents.integrations import trl_environment_factory

    opponent = agents.make("mcts(simulations=5)")
    make = trl_environment_factory("connect_four", seat="first", opponent=opponent)

    def moves(number):
        each_tools = [make() for _ in range(number)]
        for tools in each_tools:
            tools.reset(seed=3)
        for move in "4567":
            for tools in each_tools:
                tools.play(move)
        return [tools.env.game.session.text() for tools in each_tools]

    assert moves(3) == moves(1) * 3


def test_without_seeds_games_differ():
    make = factory(Case("kuhn", 0))
    assert len({make().reset() for _ in range(20)}) > 1


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("shogi", {}, "no game 'shogi'"),
        ("hex", {"seat": "all"}, "seat must be one"),
        ("hex", {"opponent": "alphabeta"}, "did you mean 'alpha_beta'"),
        ("hex", {"reward": "grade"}, 'reward="grade" needs'),
    ],
)
def test_bad_options_are_refused_at_once(game, options, told):
    from agents.integrations import trl_environment_factory

    with pytest.raises(ValueError, match=told):
        trl_environment_factory(game, **options)


@pytest.fixture
def recipe(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("train_grpo")


@pytest.mark.filterwarnings("ignore")
def test_the_recipe(recipe, tokenizer, trainer_of, tmp_path, capsys):
    """Two steps of a tiny model: what it prints, and the adapter that it writes."""
    model = trainer_of(factory(Case("hex", 0)), [row(Case("hex", 0))] * 2).model
    options = argparse.Namespace(steps=2, test=5, seed=1, out=str(tmp_path / "adapter"))
    recipe.run(model, tokenizer, options)
    head, before, after, last = capsys.readouterr().out.splitlines()[-4:]
    assert head.split() == ["5", "positions", "legal", "illegal", "unreadable", "kept"]
    for line in (before, after):
        assert re.fullmatch(r"(before|after) +\d+% \(\d+% to \d+%\) +\d +\d +(-|\d+% .*)", line)
    assert re.fullmatch(r"2 steps of 32 answers, \d+\.\d s each", last)
    assert (tmp_path / "adapter/adapter_config.json").exists()


def test_the_rewards_of_the_recipe(recipe):
    position = TicTacToe().play(4)  # player 1 is to move, and loses by a side
    asked = recipe.prompt_of(position)[0]["content"]
    assert "You play O. Choose one of these moves: a1, b1, c1, a2, c2, a3, b3, c3" in asked
    replies = ["a1", "a2.", "b2", "I wonder."]
    completions = [[{"role": "assistant", "content": reply}] for reply in replies]
    board = [write_board(position, "json")] * 4
    assert recipe.rewards(completions, board) == [1.0, 0.875, 0.2, 0.0]


def test_the_recipe_is_tested_at_positions_of_its_own(recipe):
    positions = recipe.random_positions(300, seed=3)
    assert len(set(positions)) == 300
    assert positions == recipe.random_positions(300, seed=3)
    assert not any(position.is_terminal() for position in positions)
