"""``adv-envs htp``: an agent as a Hex program that other programs drive."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import agents
from agents.protocols.htp import HtpServer

from .console import Refusal, err, refusing

EXAMPLES = (
    "adv-envs htp",
    'adv-envs htp --agent "alpha_beta(seconds=5, evaluate=hex.two_distance)"',
    "printf 'boardsize 5\\nplay black c3\\ngenmove white\\nshowboard\\n' | adv-envs htp",
)

DEFAULT = "alpha_beta(seconds=5, evaluate=hex.two_distance, order=hex.centre)"

Spec = Annotated[str, typer.Option(metavar="SPEC", help="Who plays; see: adv-envs agents.")]
Size = Annotated[
    int, typer.Option(metavar="N", min=2, max=19, help="The board until boardsize is sent.")
]
Swap = Annotated[
    bool, typer.Option("--swap/--no-swap", help="Whether the agent may answer swap-pieces.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Repeat what chance decides.")]


def htp(agent: Spec = DEFAULT, size: Size = 11, swap: Swap = False, seed: Seed = None) -> None:
    """Speak the Hex text protocol (HTP, GTP), so that HexGui and other programs can drive an agent.

    Commands are read from standard input, answers written to standard output: "= answer" or
    "? what was wrong", then an empty line. Try: list_commands, boardsize 7, play black d4,
    genmove white, showboard, undo, quit. Black begins and joins top and bottom; a1 is top left.

    In HexGui: Program, New Program; the command is this one, with the full path of adv-envs.
    Analyses of the position (move values, best play, a heat map) then are in its Analyze window.

    To let another program play here: adv-envs match hex "engine(command='mohex')" random.
    """
    with refusing():
        player = agents.make(agent)
        if isinstance(player, agents.Human):
            raise Refusal("htp is for agents: a person would need the input that commands come on")
        engine = HtpServer(player, size, swap, seed)
    if sys.stdin.isatty():
        err().print(f"{player!r} listens: list_commands lists the commands, quit ends.")
    while engine.running and (line := sys.stdin.buffer.readline()):
        answer = engine.answer(line.decode("utf-8", "replace"))
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
