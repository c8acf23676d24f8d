"""The Hex text protocol (HTP), spoken by any agent: a command in, an answer out, no I/O.

HTP is the Go text protocol (GTP 2, Farneback 2002) with Hex's moves; HexGui and Benzene's programs
speak it. A command is a line: an optional number, a name, arguments; ``#`` starts a comment. The
answer is ``= text`` or ``? what was wrong``, with the number if there was one, and an empty line.

Black begins and joins top and bottom, ``a1`` is the top left. Stones may come in any order of
colours, as in set-ups: HexGui sends the stones of a position row by row.
"""

from __future__ import annotations

import re

from . import htp_commands, htp_thinking
from .htp_arguments import HtpError
from .htp_game import HtpGame
from .htp_registry import COMMANDS

__all__ = ["COMMANDS", "HtpEngine", "htp_commands", "htp_thinking"]  # which enter the commands


class HtpEngine(HtpGame):
    """A game that is driven by the commands of a controller, until ``running`` is False."""

    def answer(self, line: str) -> str:
        """The answer to a line of input, both newlines included; "" where none is due."""
        text = re.sub(r"[^\S\n]", " ", line.partition("#")[0])
        text = "".join(character for character in text if character.isprintable())
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdecimal() else ""
        try:
            sign, said = "=", self.obey(words)
        except HtpError as error:
            sign, said = "?", str(error)
        said = re.sub(r"\n\s*\n", "\n", said.rstrip())  # an empty line would end the answer
        return f"{sign}{number}{' ' * bool(said)}{said}\n\n"

    def obey(self, words: list[str]) -> str:
        """Do what a command says; HtpError if that is not possible."""
        if not words:
            raise HtpError("a number and no command")
        name, *arguments = words
        if name not in COMMANDS:
            raise HtpError(f"unknown command: {name} (list_commands lists those there are)")
        usage, function = COMMANDS[name]
        least = len(usage.partition("[")[0].split())
        if not least <= len(arguments) <= len(usage.split()):
            wanted = f"{name} {usage}" if usage else f"{name}, and nothing after it"
            raise HtpError(f"wrong number of arguments: write {wanted}")
        return function(self, *arguments)
