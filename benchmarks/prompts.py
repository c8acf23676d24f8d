"""Searches prompts of games of hidden information for what the player must not know.

Random games are played through ``text_env`` from all seats, by a program that knows the deal, with
boards as grids and as JSON, with and without a memory and the legal moves. Three searches:

- *deals*: another game is drawn that the player cannot tell from this one: each view is the same,
  and so are the player's own moves, while cards, dice and moves that the player does not see
  differ where they can. Messages of both must be equal, letter by letter;
- *names*: what the rules have not announced to the player is looked for in each message by its
  name, such as "Qh" or "b3", or in the row of the player who has it, where "?" must stand;
- *facts*: two prompts that are equal, letter by letter, must have equal facts, which servers of
  games send with them: ``agents.integrations.adapting.game_facts``.

    python benchmarks/prompts.py [--prompts 100000] [--seed 0]

Prints a line for each game: the prompts, the new messages in them, other deals that were compared,
hidden facts that were looked for, equal prompts, and leaks. The exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from adv_envs import CHANCE, GAMES, Position, start_position, text_env
from adv_envs.registry import title
from adv_envs.session import Session
from adv_envs.text import read_reply
from adv_envs.text.conversation import Conversation
from adv_envs.text.env import TextGame
from agents.integrations.adapting import game_facts

VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "kuhn": ({}, {"players": 3}),
    "gin_rummy": (
        {"ranks": 3, "hand_size": 1},
        {"variant": "simplified", "ranks": 4, "hand_size": 2},
    ),
    "leduc": ({}, {"blinds": True}),
    "liars_dice": ({}, {"dice": 2, "sides": 3}),
    "goofspiel": ({}, {"cards": 4, "secret": True}),
    "rock_paper_scissors": ({"rounds": 3},),
    "texas_holdem": ({}, {"rlcard": True}),
    "texas_holdem_no_limit": ({}, {"players": 3}),
    "phantom_tic_tac_toe": ({}, {"abrupt": True}),
    "dark_hex": ({"size": 3},),
    "hanabi": (
        {"colours": 1, "ranks": 2, "hand_size": 1},
        {"colours": 2, "ranks": 3, "hand_size": 2},
    ),
}
"""Parameters of games; without any where there are others."""
BY_NAME = "kuhn", "leduc", "phantom_tic_tac_toe", "dark_hex"
"""Games in which nothing else has the name of what is hidden. In others it is in a player's row:
in that of its owner, and in games where players do not see what they hold in their own."""
OWN_HIDDEN = ("hanabi",)
LONGEST, ATTEMPTS, RETRIES = 60, 4, 2
NONSENSE = "Final answer: zz99"
HEADS = "prompts", "messages", "deals", "facts", "equal", "leaks"


class Form(NamedTuple):
    """Describes how prompts are written."""

    board: str
    show_legal: bool
    memory: int | None


# ---- another deal


class OtherDeal:
    """Plays another game that a player cannot tell from the true one, as far as there is one."""

    def __init__(self, start: Position, seat: int, form: Form, rng: random.Random) -> None:
        self.seat, self.rng = seat, rng
        self.session = Session(start)
        self.talk = Conversation(start, seat, *form)

    def differs(self, true: Session) -> bool:
        """Returns whether something else has happened than in the true game."""
        return self.session.actions != true.actions[: len(self.session.actions)]

    def follow(self, true: Session) -> bool:
        """Plays until it is as long as the true game; False if that would be noticed."""
        while (ply := len(self.session.actions)) < len(true.actions):
            action, view = true.actions[ply], true.positions[ply + 1].hidden(self.seat)
            choices = list(self._unnoticed(true.positions[ply].to_move, action, view))
            if not choices:
                return False
            others = [choice for choice in choices if choice != action]
            self.session.play(self.rng.choice(others or choices))
        return True

    def _unnoticed(self, mover: int, action: int, view: Position) -> Iterator[int]:
        """Yields the actions after which the player sees ``view``."""
        here = self.session.position
        if here.is_terminal() or here.to_move != mover:
            return
        for choice in (action,) if mover == self.seat else here.legal_actions():
            possible = here.legal(choice) and (mover != CHANCE or here.probability(choice) > 0)
            if possible and here.play(choice).hidden(self.seat) == view:
                yield choice


class Player:
    """Holds what one seat was told and answered, and another deal in which it is told the same."""

    def __init__(self, start: Position, seat: int, form: Form, rng: random.Random) -> None:
        self.of = start, seat, form, rng
        self.turns: list[tuple[int, list[str]]] = []
        """After how many moves each turn began, and the replies in it."""
        self.other: OtherDeal | None = None
        self._told = 0

    def other_messages(self, true: Session) -> list[dict[str, str]] | None:
        """Returns the messages of another deal; None if none is found that differs."""
        for _ in range(ATTEMPTS):
            if self.other is None:
                self.other, self._told = OtherDeal(*self.of), 0
            if self._advance(true) and self.other.differs(true):
                return self.other.talk.messages()
            self.other = None
        return None

    def other_ending(self, true: Session) -> str | None:
        """Returns what another deal says at its end; None if none is found that differs."""
        for _ in range(ATTEMPTS):
            other = self.other = OtherDeal(*self.of)
            self._told = 0
            if self._advance(true) and other.follow(true) and other.differs(true):
                result = other.session.position.utility(self.of[1])
                other.talk.close(other.session, f"Your result: {result:+g}.")
                return other.talk.turns[-1][0]["content"]
        return None

    def _advance(self, true: Session) -> bool:
        """Tells the player of the other deal what has come since; False if it is another game."""
        other = self.other
        assert other is not None
        while self._told < len(self.turns):
            ply, replies = self.turns[self._told]
            if not other.follow(Session(true.start, true.actions[:ply])):
                return False
            if not other.talk.turns or len(other.talk.told) != ply:
                other.talk.ask(other.session)
            said = sum(message["role"] == "assistant" for message in other.talk.turns[-1])
            for reply in replies[said:]:
                other.talk.reply(reply)
                reading = read_reply(other.session.position.hidden(self.of[1]), reply)
                if reading.action is None:
                    other.talk.ask_again(reading, RETRIES)
            if self._told == len(self.turns) - 1:
                break
            self._told += 1
        return True


# ---- names


def hidden_facts(session: Session, seat: int) -> list[tuple[int, str]]:
    """Returns whose each unannounced move or card is, by its owner, and its name.

    A card that its owner has named since, such as one that was discarded, is no longer hidden.
    """
    found, moves = [], session.seen(seat)
    for number, move in enumerate(moves):
        before, action = session.positions[number], session.actions[number]
        if move.action is None:
            told = before.to_move == CHANCE and was_named(session, number, before.name(action))
            found += [] if told else [(owner(session, number), before.name(action))]
    return found


def was_named(session: Session, number: int, card: str) -> bool:
    """Returns whether a player has named a card in a later move."""
    later = zip(session.positions[number + 1 :], session.actions[number + 1 :], strict=False)
    return any(p.to_move != CHANCE and p.name(action) == card for p, action in later)


def owner(session: Session, number: int) -> int:
    """Returns the player to whom a move belongs; of dealt cards and dice, the one who sees them."""
    before, action = session.positions[number], session.actions[number]
    if before.to_move != CHANCE:
        return before.to_move
    players = range(before.num_players)
    return next((p for p in players if before.seen_after(p, action) == 0), CHANCE)


def named(game: TextGame, seat: int, name: str, form: Form) -> tuple[int, int]:
    """Returns how many hidden facts were looked for in the last turn of a seat, and found."""
    session, facts = game.session, hidden_facts(game.session, seat)
    said = game.conversations[seat].turns[-1]
    text = "\n".join(each["content"] for each in said if each["role"] == "user")
    own = {
        session.positions[i].name(action)
        for i, action in enumerate(session.actions)
        if session.positions[i].to_move == seat
    }
    if name in BY_NAME:
        if form.show_legal or form.board != "grid":
            return 0, 0
        words = {fact for _, fact in facts} - own
        found = [word for word in words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
        return len(words), len(found)
    if form.board != "grid":
        return 0, 0
    if name in OWN_HIDDEN:
        return own_cards(session.position, seat, text)
    wrong = 0
    for other in {player for player, _ in facts}:
        rows = re.findall(rf"^[> ] player {other}\b(.*)$", text, re.M)
        unknown = sum(player == other for player, _ in facts)
        wrong += max(0, unknown - sum(row.count("?") for row in rows[-1:]))
    return len(facts), wrong


def own_cards(position: Any, seat: int, text: str) -> tuple[int, int]:
    """Returns how many own cards a player holds, and how many are shown that nobody told of."""
    rows = re.findall(rf"^[> ] player {seat}\b(.*)$", text, re.M)
    cards = [word.partition(":")[0] for word in rows[-1].split()] if rows else []
    told = sum(position.slot(seat, place) >> 16 & 3 == 3 for place in range(len(cards)))
    return len(cards), max(0, sum("?" not in card for card in cards) - told)


# ---- the games


Known = dict[int, dict[str, Any]]
"""The facts that were first given with a prompt, by the hash of its messages."""


def search_game(
    name: str, start: Position, form: Form, rng: random.Random, known: Known
) -> Counter[str]:
    """Plays a random game; returns what was searched and what was found, by ``HEADS``."""
    counts, options = Counter[str](), form._asdict()
    game = text_env(start, seat="all", retries=RETRIES, **options)
    seats = range(start.num_players)
    players = [Player(start, seat, form, rng) for seat in seats]
    introductions = [Conversation(start, seat, *form).introduction() for seat in seats]
    seat, messages = game.reset(seed=rng.getrandbits(32))
    while seat is not None and len(game.session.actions) < LONGEST:
        player, ply = players[seat], len(game.session.actions)
        if not player.turns or player.turns[-1][0] != ply:
            player.turns.append((ply, []))
        searched, found = named(game, seat, name, form)
        others = player.other_messages(game.session)
        counts["prompts"] += 1
        counts["messages"] += 1 + (len(player.turns) == 1 and not player.turns[-1][1])
        counts["facts"] += searched
        counts["deals"] += others is not None
        differ = others not in (None, messages) or messages[0]["content"] != introductions[seat]
        counts["leaks"] += found + differ
        if form.memory is None:  # otherwise earlier replies, which are counted, are not told
            facts = game_facts(game, seat)
            same = known.setdefault(hash(str(messages)), facts)
            counts["equal"] += same is not facts
            counts["leaks"] += same != facts
        fails = not player.turns[-1][1] and rng.random() < 0.05
        move = rng.choice(game.session.position.hidden(seat).legal_actions())
        reply = NONSENSE if fails else f"Final answer: {game.session.position.name(move)}"
        player.turns[-1][1].append(reply)
        seat, messages = game.step(reply)
    for seat, player in enumerate(players) if game.over else ():
        ending = player.other_ending(game.session)
        counts["messages"] += 1
        counts["deals"] += ending is not None
        counts["leaks"] += ending not in (None, game.messages(seat)[-1]["content"])
    return counts


def search(name: str, prompts: int, seed: int) -> Counter[str]:
    """Plays games of one kind until there are as many prompts as asked; returns the counts."""
    rng, counts, number = random.Random(f"{seed} {name}"), Counter[str](), 0
    known: Known = {}
    starts = [start_position(name, **given) for given in VARIANTS.get(name, ({},))]
    while counts["prompts"] < prompts:
        form = Form(
            "json" if number % 4 == 3 else "grid", number % 3 == 2, (None, 0, 1)[number // 2 % 3]
        )
        counts += search_game(name, starts[number % len(starts)], form, rng, known)
        number += 1
    return counts


def line(name: str, counts: Counter[str]) -> str:
    """Returns a line of the table."""
    return f"{name:<24}" + "".join(f"{counts[head]:>10}" for head in HEADS)


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--prompts", type=int, default=10_000, help="of all games (10000)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.prompts < 1:
        parser.error(f"--prompts must be at least 1, not {options.prompts}")
    names = [name for name in GAMES if not start_position(name).perfect_information]
    print(f"{'game':<24}" + "".join(f"{head:>10}" for head in HEADS))
    total, began = Counter[str](), time.perf_counter()
    for name in names:
        counts = search(name, -(-options.prompts // len(names)), options.seed)
        print(line(title(start_position(name)), counts), flush=True)
        total += counts
    print(line("all", total))
    print(f"{time.perf_counter() - began:.0f} s")
    return int(total["leaks"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
