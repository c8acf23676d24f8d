"""Plays and grades a language model at any endpoint of OpenAI's chat completions.

Without a model, an endpoint on this computer stands in for one: it asks the agent that suits the
game, talks a lot, and needs no key. Answers are kept in --cache, where the same run finds them.

    python examples/language_model.py
    python examples/language_model.py gpt-5-mini --cache answers
    python examples/language_model.py llama3.2 --base-url http://localhost:11434/v1 --game nim
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack

import adv_envs
from adv_envs import Position
from adv_envs.testing import ChatEndpoint, ScriptedModel
from agents import LanguageModel, make, match
from agents.grading import Grader, NotGraded
from agents.knowledge import suitable_opponent
from agents.language import NoAnswer


def report(model: LanguageModel, start: Position, pairs: int, positions: int) -> None:
    """Prints how the model plays against random moves, how well it chooses, what it answered."""
    try:  # before anything is asked
        grader = Grader(start, model, positions, games=0, seed=1) if positions else None
    except NotGraded as error:
        grader = None
        print(f"moves are not graded: {error}")
    result = match(start, model, "random", pairs=pairs, seed=1)
    print(f"against random, {2 * pairs} games: {result.total}")
    for reason in filter(None, (game.reason for game in result.games)):
        print(f"  {reason}")
    if grader is not None:
        for _ in grader.run():
            pass
        kept = grader.card().overall.kept
        right = "none counts" if kept is None else f"{100 * kept.value:.0f} %"
        print(f"right moves in {positions} positions: {right}")
    read = model.counts
    print(f"replies: {read.legal} legal, {read.illegal} illegal, {read.unreadable} unreadable")
    print(f"tokens: {read.tokens_in} in, {read.tokens_out} out")


def main() -> None:
    """Reads the options, and starts the stand-in where no model is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", nargs="?", help="the model's name; a stand-in without it")
    parser.add_argument("--base-url", help="where it is served (OPENAI_BASE_URL, or OpenAI)")
    parser.add_argument("--game", default="tic_tac_toe", help=", ".join(adv_envs.GAMES))
    parser.add_argument("--pairs", type=int, default=2, help="games on each seat (2)")
    parser.add_argument("--positions", type=int, default=20, help="graded positions; 0: none (20)")
    parser.add_argument("--cache", help="a folder for its answers")
    options = parser.parse_args()
    name, url, board = options.model, options.base_url, "grid"
    try:
        with ExitStack() as stack:
            start = adv_envs.start_position(options.game)
            if name is None:
                scripted = ScriptedModel(make(suitable_opponent(start)).act, "chatty")
                url = stack.enter_context(ChatEndpoint(scripted)).base_url
                name, board = "scripted", "json"
            model = LanguageModel(name, url, board=board, cache=options.cache)
            report(model, start, options.pairs, options.positions)
    except (ValueError, TypeError, NoAnswer) as error:  # they say what is wrong
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "\nstopped\n")


if __name__ == "__main__":
    main()
