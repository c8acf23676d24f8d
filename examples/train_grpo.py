"""Trains a small language model to answer with legal moves of tic-tac-toe, by GRPO.

The model is SmolLM2-135M-Instruct of ``small_model.py``, which says how it is installed; TRL trains
a LoRA adapter of it. A prompt is a board with its legal moves, drawn at random; GRPO compares eight
answers to each. A legal move is worth 1, less an eighth for each point of utility that it loses, an
illegal one a fifth. Before and after, the model answers at positions that it was not trained on.

    pip install trl==1.16.0 peft
    python examples/train_grpo.py
    python examples/train_grpo.py --steps 100 --out adapter
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import random
import sys
import tempfile
import time
from collections import Counter
from typing import Any, NamedTuple

from small_model import load_small_model

from adv_envs import Position, TicTacToe
from adv_envs.text import read_json_board, read_reply, write_board
from agents.grading.move_grader import move_grader
from agents.statistics import Interval, share_interval

WORTH = {"legal": 1.0, "illegal": 0.2, "unreadable": 0.0}
"""What replies are worth, by how they are read: an answer is a step on the way to a legal one."""
TOKENS, ANSWERS, PROMPTS = 6, 8, 4
"""Tokens of an answer; answers that are compared; prompts of a step."""
MOST_POSITIONS = 3000
"""Positions that are drawn: there are some more, but they are rare."""
GRADE = move_grader("exact", TicTacToe())


def random_positions(count: int, seed: int) -> list[Position]:
    """Returns ``count`` different positions of random games, none of them over."""
    rng, found = random.Random(seed), dict[Position, None]()
    while len(found) < count:
        position: Position = TicTacToe()
        for _ in range(rng.randrange(8)):
            if not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal():
            found[position] = None
    return list(found)


def prompt_of(position: Position) -> list[dict[str, str]]:
    """Returns the messages that ask for a move."""
    names = ", ".join(position.name(action) for action in position.legal_actions())
    content = (
        f"{position}\n\nYou play {'XO'[position.to_move]}. Choose one of these moves: {names}\n"
        "Answer with one move and nothing else."
    )
    return [{"role": "user", "content": content}]


def reward_of(position: Position, reply: str) -> float:
    """Returns what a reply is worth, from 0 to 1."""
    reading = read_reply(position, reply)
    lost = GRADE(position, reading.action).regret if reading.action is not None else 0.0
    return WORTH[reading.outcome] - (lost or 0.0) / 8


def rewards(completions: list[Any], board: list[str], **_: Any) -> list[float]:
    """Returns the reward of each completion, as TRL asks for them."""
    replies = [completion[0]["content"] for completion in completions]
    return [reward_of(read_json_board(b), r) for b, r in zip(board, replies, strict=True)]


HEAD = f"{'legal':>22}{'illegal':>12}{'unreadable':>12}{'kept':>24}"


class Shares(NamedTuple):
    """Holds how a model has answered: shares of replies, kept of the legal ones."""

    outcomes: Counter[str]
    legal: Interval | None
    kept: Interval | None

    def __str__(self) -> str:
        counts = "".join(f"{self.outcomes[kind]:12}" for kind in ("illegal", "unreadable"))
        return f"{in_percent(self.legal):>22}{counts}{in_percent(self.kept):>24}"


def in_percent(share: Interval | None) -> str:
    """Writes "9% (5% to 16%)", a value with an interval of 95 %; "-" if nothing was counted."""
    if share is None:
        return "-"
    return f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})"


def measured(model: Any, tokenizer: Any, positions: list[Position], seed: int) -> Shares:
    """Returns how a model answers once at each of the positions, at temperature 1."""
    import torch

    torch.manual_seed(seed)
    outcomes, legal, kept = Counter[str](), list[bool](), list[bool]()
    for begin in range(0, len(positions), 32):
        batch = positions[begin : begin + 32]
        for position, reply in zip(batch, replies_of(model, tokenizer, batch), strict=True):
            reading = read_reply(position, reply)
            outcomes[reading.outcome] += 1
            legal.append(reading.action is not None)
            if reading.action is not None:
                kept.append(bool(GRADE(position, reading.action).kept))
    return Shares(outcomes, share_interval(legal), share_interval(kept))


def replies_of(model: Any, tokenizer: Any, positions: list[Position]) -> list[str]:
    """Returns a reply at each position, sampled."""
    import torch

    prompts = [prompt_of(position) for position in positions]
    form = {"add_generation_prompt": True, "return_tensors": "pt", "return_dict": True}
    asked = tokenizer.apply_chat_template(prompts, padding=True, **form)
    with torch.inference_mode():
        answered = model.generate(
            **asked, max_new_tokens=TOKENS, do_sample=True, temperature=1.0, top_k=0
        )
    new = answered[:, asked["input_ids"].shape[1] :]
    return list(tokenizer.batch_decode(new, skip_special_tokens=True))


def train(
    model: Any, tokenizer: Any, positions: list[Position], steps: int, seed: int, folder: str
) -> Any:
    """Returns the model with an adapter, trained at the positions for a number of steps."""
    import datasets
    import peft
    import trl

    rows = [
        {"prompt": prompt_of(position), "board": write_board(position, "json")}
        for position in positions
    ]
    arguments = trl.GRPOConfig(
        output_dir=folder,
        max_steps=steps,
        per_device_train_batch_size=PROMPTS * ANSWERS,
        num_generations=ANSWERS,
        max_completion_length=TOKENS,
        learning_rate=1e-3,
        lr_scheduler_type="constant",
        temperature=1.0,
        seed=seed,
        use_cpu=True,
        bf16=False,
        activation_checkpointing=False,
        logging_strategy="no",
        save_strategy="no",
        report_to="none",
    )
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=rewards,
        args=arguments,
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=tokenizer,
        peft_config=peft.LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"),
    )
    with contextlib.redirect_stdout(sys.stderr):  # its bar is there, and its summary follows it
        trainer.train()
    return trainer.model.eval()


def main() -> None:
    """Reads the options, measures, trains, and measures again."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=6, help="steps of training (6)")
    parser.add_argument("--test", type=int, default=128, help="positions to measure at (128)")
    parser.add_argument("--seed", type=int, default=1, help="of positions and answers (1)")
    parser.add_argument("--out", help="a folder for the adapter, which peft can load")
    options = parser.parse_args()
    try:
        for name in ("steps", "test"):
            if not 1 <= getattr(options, name) <= 1000:
                raise ValueError(f"--{name} must be 1 to 1000, not {getattr(options, name)}")
        if (count := options.test + PROMPTS * options.steps) > MOST_POSITIONS:
            raise ValueError(f"--test and --steps need {count} positions; {MOST_POSITIONS} at most")
        model, tokenizer = load_small_model()
        for package in ("trl", "peft", "datasets"):
            if importlib.util.find_spec(package) is None:
                raise ImportError(f"training needs {package}: pip install trl==1.16.0 peft")
        run(model, tokenizer, options)
    except (ValueError, ImportError, OSError) as error:  # they say what is wrong
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "\nstopped\n")


def run(model: Any, tokenizer: Any, options: argparse.Namespace) -> None:
    """Prints a table of how the model answers before and after the training."""
    import torch

    tokenizer.padding_side = "left"
    model = model.to(torch.bfloat16).eval()  # the adapter stays in 32 bits
    positions = random_positions(options.test + PROMPTS * options.steps, options.seed)
    test, shown = positions[: options.test], positions[options.test :]
    print(f"{f'{options.test} positions':14}{HEAD}")
    print(f"{'before':14}{measured(model, tokenizer, test, options.seed)}", flush=True)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        model = train(model, tokenizer, shown, options.steps, options.seed, scratch)
    seconds = (time.perf_counter() - began) / options.steps
    print(f"{'after':14}{measured(model, tokenizer, test, options.seed)}")
    print(f"{options.steps} steps of {PROMPTS * ANSWERS} answers, {seconds:.1f} s each")
    if options.out:
        model.save_pretrained(options.out)


if __name__ == "__main__":
    main()
