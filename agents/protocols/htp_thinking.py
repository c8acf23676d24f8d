"""Commands of the Hex text protocol about the agent: its time, its parameters, what it thinks."""

from __future__ import annotations

import ast
import dataclasses

from adv_envs.formats.hex_setup import COLOURS

from .htp_analysis import ANALYSES
from .htp_arguments import HtpError, number_of, player_of
from .htp_clock import Clock
from .htp_game import HtpGame, over
from .htp_registry import Command, command


@command("MAIN_SECONDS PERIOD_SECONDS PERIOD_MOVES")
def time_settings(engine: HtpGame, main: str, period: str, moves: str) -> str:
    """The time of both players; no limit if all is 0, or if a period has seconds and no moves."""
    seconds = number_of(main, "a number of seconds", float)
    each = number_of(period, "a number of seconds", float)
    count = int(number_of(moves, "a number of moves"))
    engine.clocks = {}
    if (seconds or each) and (count or not each):
        for player in (0, 1):
            engine.clocks[player] = Clock(seconds, 0, (each, count))
            if not seconds:
                engine.clocks[player] = Clock(each, count, (each, count))
    return ""


@command("[COLOR] [SECONDS] [MOVES]")
def time_left(engine: HtpGame, color: str = "", seconds: str = "", moves: str = "0") -> str:
    """Set the time that a player has left, or, without SECONDS, tell it."""
    if not color:
        return ", ".join(f"{COLOURS[p]}: {time_left(engine, COLOURS[p])}" for p in (0, 1))
    player = player_of(color)
    clock = engine.clocks.get(player)
    if not seconds:
        return "no limit" if clock is None else f"{clock.seconds:.1f}"
    left = number_of(seconds, "a number of seconds", float)
    count = int(number_of(moves, "a number of moves"))
    engine.clocks[player] = Clock(left, count, clock.period if clock else (0.0, 0))
    return ""


@command("", "hexgui-analyze_commands")
def analyze_commands(engine: HtpGame) -> str:
    """What HexGui offers in its menu: type, label, command; %m stands for the colour to move."""
    lines = [f"{label}/{name} %m" for name, (label, _) in ANALYSES.items()]
    return "\n".join(
        [
            *lines,
            "param/Agent Parameters/param_agent",
            "var/Reg GenMove/reg_genmove %m",
            "plist/All Legal Moves/all_legal_moves %m",
            "string/Show Board/showboard",
            "string/Final Score/final_score",
        ]
    )


def analysis(name: str) -> Command:
    """The command of that analysis."""

    def run(engine: HtpGame, color: str = "") -> str:
        player = player_of(color) if color else engine.position.to_move
        position = engine.to_think(player)
        if position.is_terminal():
            raise HtpError(over(position))
        with engine.thinking(position):
            return ANALYSES[name][1](engine.agent, position)

    return run


for analysis_name in ANALYSES:
    command("[COLOR]", analysis_name)(analysis(analysis_name))


@command("[NAME] [VALUE]")
def param_agent(engine: HtpGame, name: str = "", value: str = "") -> str:
    """List the agent's parameters that can be typed, as HexGui reads them, or set one."""
    own = {field.name: getattr(engine.agent, field.name) for field in _typed(engine)}
    if not name:
        return "".join(
            f"\n[bool] {key} {int(known)}"
            if isinstance(known, bool)
            else f"\n[string] {key} {known}"
            for key, known in own.items()
        )
    if name not in own:
        raise HtpError(f"no parameter {name!r}; parameters: {', '.join(own) or 'none'}")
    if not value:
        return str(own[name])
    try:
        typed = ast.literal_eval(value)
        typed = bool(typed) if isinstance(own[name], bool) else typed
        agent = dataclasses.replace(engine.agent, **{name: typed})
    except (ValueError, TypeError, SyntaxError) as error:
        raise HtpError(f"{name} cannot be {value}: {error}") from None
    engine.agent = agent
    engine.agent.reset(engine.seed)
    return ""


def _typed(engine: HtpGame) -> list[dataclasses.Field[object]]:
    """The parameters that are numbers, truth values or nothing."""
    return [
        field
        for field in dataclasses.fields(engine.agent)
        if field.init and isinstance(getattr(engine.agent, field.name), int | float | None)
    ]
