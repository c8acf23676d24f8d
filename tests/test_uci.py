"""UCI: our agents as programs that controllers drive, and other programs as agents."""

import dataclasses
import logging
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random as RandomNumbers
from typing import Any, ClassVar

import pytest
from children import LONGEST, wait_for
from command_line import refused, run
from hypothesis import given
from hypothesis import strategies as st

import agents
from adv_envs import ConnectFour, Hex, Position, TicTacToe
from adv_envs.registry import GAMES, game, start_position
from adv_envs.testing import check_agent
from agents import AlphaBeta, Engine, EngineError, Random, Resign, knowledge, make, play_game
from agents.faults import CannotPlay, require_player
from agents.protocols.uci import UciServer, seconds_for
from agents.search.limits import Stopper

pytestmark = pytest.mark.plain


@pytest.fixture(autouse=True)
def tictactoe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of tic-tac-toe with UCI, here and in programs that are started."""
    monkeypatch.setattr(knowledge, "_records", knowledge._records.copy())
    from uci_games import TICTACTOE

    own = dataclasses.replace(knowledge.knowledge_of(TicTacToe()), uci=TICTACTOE)
    knowledge.register_knowledge(TicTacToe, own)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=":")


US = f"{sys.executable} -m adv_envs --import uci_games uci tic_tac_toe"


class Controller:
    """A server, and what it has said."""

    def __init__(self, agent: Any = "random(seed=1)", start: Position | None = None) -> None:
        self.said: list[str] = []
        self.server = UciServer(make(agent), start or TicTacToe(), self.said.append, 1)

    def ask(self, *lines: str) -> list[str]:
        """What is said after these lines, when a search has ended."""
        self.said.clear()
        for line in lines:
            self.server.receive(line)
        self.server.wait()
        return self.said

    def error(self, line: str) -> str:
        """The message about a line that changes nothing, or leaves no position."""
        before = None if line.startswith("position") else self.server.position
        (said,) = self.ask(line)
        assert self.server.position == before
        return said.removeprefix("info string ")


@dataclass(repr=False)
class Odd(agents.Agent):
    """Does what it is told."""

    does: Any = 0
    seconds: float | None = None
    name: ClassVar[str] = "odd"

    def act(self, position: Position) -> int:
        self.thought = self.seconds
        if isinstance(self.does, BaseException):
            raise self.does
        print("thinking aloud")
        return self.does  # type: ignore[no-any-return]


# ---- our agents as programs


def test_who_it_is() -> None:
    said = Controller("alpha_beta(depth=3)").ask("uci")
    assert said[0].startswith("id name adv-envs alpha_beta ")
    assert said[1].startswith("id author ")
    assert "option name UCI_Variant type combo default tictactoe var tictactoe" in said
    assert "option name depth type string default 3" in said
    assert "option name killers type check default true" in said
    assert said[-1] == "uciok"
    assert Controller().ask("isready", "isready") == ["readyok", "readyok"]


def test_an_agent_is_compiled_when_it_is_asked_whether_it_is_ready() -> None:
    agent = Odd(0)
    one = Controller(agent)
    assert one.ask("uci")[-1] == "uciok"
    assert not hasattr(agent, "thought")
    assert one.ask("isready") == ["readyok"]
    assert agent.thought == 0.01
    failing = Controller(Odd(RuntimeError("no"))).ask("isready")
    assert [line.partition(" failed")[0] for line in failing] == [
        "info string odd(does=RuntimeError('no'))",
        "readyok",
    ]


def test_a_move() -> None:
    one = Controller("alpha_beta()")
    said = one.ask("position startpos moves @a1 @b1", "go")
    assert said[-1] in ("bestmove @a2", "bestmove @a3", "bestmove @b2", "bestmove @c3")
    pattern = r"info depth \d+ score (cp -?\d+|mate -?\d+) nodes \d+ nps \d+ time \d+ pv( @\w\d)+"
    assert all(re.fullmatch(pattern, line) for line in said[:-1])
    assert " score mate 3 " in said[-2]
    assert one.server.position == TicTacToe().after("a1 b1")


def test_a_lost_and_a_drawn_position() -> None:
    one = Controller("alpha_beta()")
    assert " score mate -1 " in one.ask("position fen X1X/1O1/O1X b - - 0 3", "go")[-2]
    assert " score cp 0 " in one.ask("position startpos", "go")[-2]


def test_positions_as_text() -> None:
    one = Controller()
    assert one.ask("position fen 1X1/3/3 b - - 0 1 moves @a1") == []
    assert one.server.position == TicTacToe().after("b1 a1")
    assert one.ask("d")[-1] == "info string fen OX1/3/3 w - - 0 2"
    one.ask("position startpos")
    assert one.server.position == TicTacToe()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("position", "write position startpos, or position fen"),
        ("position fen 9 w", "'9 w' is not a position of tic-tac-toe"),
        ("position startpos moves @a1 @a1", "'a1' is not a legal move"),
        ("position startpos moves e2e4", "write @b2"),
        ("setoption name tea value 1", "no parameter 'tea'; parameters: seed"),
        ("setoption name UCI_Variant value chess", "this program plays tictactoe, not chess"),
        ("tea", "unknown command: tea; commands: uci, isready"),
    ],
)
def test_errors_say_what_is_wrong(line: str, why: str) -> None:
    assert why in Controller().error(line)


@pytest.mark.parametrize("name", ["depth", "DEPTH", "Depth"])
def test_options_are_the_parameters_of_the_agent(name: str) -> None:
    one = Controller("alpha_beta(depth=2)")
    line = f"setoption NAME {name} Value 4"
    assert one.ask(line, "setoption name killers value false") == []
    assert one.server.agent == AlphaBeta(depth=4, killers=False)
    assert one.ask("setoption name UCI_Variant value tictactoe") == []
    assert one.ask("setoption name UCI_VARIANT value TicTacToe") == []
    assert "depth cannot be -1" in one.error("setoption name depth value -1")


def test_options_of_uci_are_what_the_agent_can_do() -> None:
    one = Controller("alpha_beta(table_mb=8)")
    said = one.ask("uci")
    assert "option name Hash type spin default 8 min 1 max 1024" in said
    assert "option name Clear Hash type button" in said
    assert "option name MultiPV type spin default 1 min 1 max 500" in said
    assert "option name Threads type spin default 1 min 1 max 1" in said
    assert not any("table_mb" in line for line in said)
    assert one.ask("setoption name Threads value 1") == []
    assert one.ask("setoption name hAsH value 32", "setoption name CLEAR HASH") == []
    assert one.server.agent == AlphaBeta(table_mb=32)
    for line, why in [
        ("setoption name Hash value 0", "hash must be 1 to 1024, not '0'"),
        ("setoption name Hash value big", "hash must be 1 to 1024, not 'big'"),
        ("setoption name Hash", "hash must be 1 to 1024, not ''"),
        ("setoption name MultiPV value -1", "multipv must be 1 to 500"),
        ("setoption name Ponder value perhaps", "ponder must be true or false"),
        ("setoption name Threads value 2", "threads must be 1 to 1, not '2'"),
        ("setoption name Threads value x", "threads must be 1 to 1, not 'x'"),
        ("setoption Hash 3", "write setoption name NAME value VALUE"),
        ("setoption", "write setoption name NAME value VALUE"),
    ]:
        assert why in one.error(line)
    assert one.server.agent == AlphaBeta(table_mb=32)
    said = Controller("random").ask("uci")
    assert not any(word in line for line in said for word in ("Hash", "MultiPV", "Ponder"))
    assert "random() has no table" in Controller("random").error("setoption name Hash value 16")
    assert "no parameter 'MultiPV'" in Controller("random").error("setoption name MultiPV value 2")


def test_threads_and_hash_are_those_of_the_agent() -> None:
    one = Controller("mcts(threads=2, table_mb=4, simulations=50)")
    said = one.ask("uci")
    assert "option name Threads type spin default 2 min 1 max 64" in said
    assert not any("option name threads" in line for line in said)
    assert one.ask("setoption name Threads value 3", "setoption name Hash value 7") == []
    assert one.server.agent == make("mcts(threads=3, table_mb=7, simulations=50)")
    assert "threads must be 1 to 64" in one.error("setoption name Threads value 65")


def test_the_strongest_agent_has_the_time_that_go_gives() -> None:
    said: list[str] = []
    agent = Odd(0)
    server = UciServer(agent, TicTacToe(), said.append, usual=3.0)
    for go, seconds in [("", 3.0), ("movetime 9000", 9.0), ("depth 2", None), ("nodes 3", None)]:
        server.receive(f"go {go}")
        server.wait()
        assert agent.thought == seconds


def test_limits_of_time_of_an_agent_are_said() -> None:
    one = Controller("alpha_beta(seconds=0.5, depth=1)")
    for go in ("infinite", "movetime 600", "wtime 900000"):
        said = one.ask(f"go {go}")
        assert said[0] == "info string the search ends at the agent's own seconds=0.5"
    assert not any("own" in line for line in one.ask("go movetime 400"))


def test_it_is_said_that_something_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(self: Odd, position: Position) -> int:
        for number in (1, 2):
            logging.getLogger("adv_envs.jit").info("compiling %s", number)
        return 0

    monkeypatch.setattr(Odd, "act", act)
    said = ["info string compiling, which takes some time, but only once"]
    one = Controller(Odd())
    assert one.ask("isready") == [*said, "readyok"]
    assert one.ask("isready") == ["readyok"]
    assert one.ask("go") == [*said, "bestmove @a1"]
    assert logging.getLogger("adv_envs.jit").handlers == []


def test_it_is_said_once_that_searches_begin_in_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agents.protocols.uci.waiting_search", lambda: True)
    one = Controller("alpha_beta(depth=1)")
    said = "info string compiling in the background; until then searches are slower and less deep"
    assert one.ask("isready") == [said, "readyok"]
    assert said not in one.ask("go")
    assert one.server.agent == AlphaBeta(depth=1)
    other = Controller("alpha_beta(depth=1)")
    assert other.ask("go")[0] == said


def test_nothing_old_is_searched_after_a_position_that_is_rejected() -> None:
    one = Controller("alpha_beta()")
    for wrong in ("position fen 9 w", "position startpos moves @b2 @b2", "position"):
        one.ask("position startpos moves @a1 @b1", wrong)
        none = "there is no position: the last one could not be understood"
        assert one.ask("go") == [f"info string {none}", "bestmove (none)"]
        assert one.ask("d") == [f"info string {none}"]
        assert one.ask("go infinite", "stop")[-1] == "bestmove (none)"
    assert one.ask("position startpos", "go depth 1")[-1].startswith("bestmove @")


@pytest.mark.parametrize(
    "agent", ["alpha_beta(depth=4)", "mcts(simulations=200, seed=1)", "perfect()"]
)
def test_a_search_of_some_moves(agent: str) -> None:
    one = Controller(agent)
    assert one.ask("go searchmoves @c3 depth 3")[-1] == "bestmove @c3"
    one.ask("position startpos moves @a1 @b1 @a2 @b2")
    assert one.ask("go")[-1] == "bestmove @a3"
    assert one.ask("go searchmoves @c2 @b3 @c3")[-1] == "bestmove @b3"  # the others lose
    said = one.ask("go searchmoves @a1 @c2")
    assert "not a legal move" in said[0]
    assert said[-1] == "bestmove (none)"


def test_several_best_moves() -> None:
    one = Controller("alpha_beta(depth=9)")
    one.ask("setoption name MultiPV value 3", "position startpos moves @a1 @b1 @a2 @b2")
    said = one.ask("go")
    last = [line for line in said if line.startswith("info")][-3:]
    firsts = [re.findall(r"multipv (\d+) score (\S+ \S+) .* pv (@\w+)", line)[0] for line in last]
    assert firsts[:2] == [("1", "mate 1", "@a3"), ("2", "cp 0", "@b3")]
    assert firsts[2][0] == "3"
    assert said[-1] == "bestmove @a3"
    assert one.server.agent.depth == 9
    said = one.ask("setoption name MultiPV value 1", "go")
    assert not any("multipv" in line for line in said)


@pytest.mark.parametrize(
    ("agent", "go", "told"),
    [
        ("random", "depth 3 nodes 5 wtime 1", "cannot be limited by depth or nodes or wtime"),
        ("random", "searchmoves @a1 @b2", "chooses from all moves: searchmoves is refused"),
        ("alpha_beta()", "depth 2 perft 3", "go does not know perft 3"),
        ("alpha_beta(depth=2)", "depth 3", "the search ends at the agent's own depth=2"),
        ("mcts(simulations=5)", "nodes 6", "the search ends at the agent's own simulations=5"),
    ],
)
def test_what_a_search_cannot_do_is_said(agent: str, go: str, told: str) -> None:
    said = Controller(agent).ask(f"go {go}")
    assert said[0] == f"info string {'random() ' if agent == 'random' else ''}{told}"
    if "refused" in told:
        assert said[1:] == ["bestmove (none)"]
    else:
        assert said[-1].startswith("bestmove @")
    assert " depth 3 " not in " ".join(said)
    assert not any("own" in line for line in Controller("alpha_beta(depth=2)").ask("go depth 2"))


@pytest.mark.parametrize(
    "words", ["depth", "depth x", "nodes 2.5", "searchmoves", "searchmoves depth 1"]
)
def test_every_go_is_answered(words: str) -> None:
    said = Controller("random").ask(f"go {words}")
    assert "needed" in said[0]
    assert said[1:] == ["bestmove (none)"]


def test_a_search_for_a_mate_looks_no_further() -> None:
    one = Controller("alpha_beta()")
    one.ask("position startpos moves @a1 @b1 @a2 @b2")
    assert " depth 1 score mate 1 " in one.ask("go mate 1")[-2]
    assert max(int(d) for d in re.findall(r"depth (\d+)", " ".join(one.ask("go mate 2")))) <= 3


def test_pondering_ends_with_ponderhit_or_stop() -> None:
    one = Controller("alpha_beta()")
    one.ask("setoption name Ponder value true", "position startpos moves @a1")
    for end in ("ponderhit", "stop"):
        one.said.clear()
        one.server.receive("go ponder movetime 20")
        one.server.receive("isready")
        assert not any(line.startswith("bestmove") for line in one.said)
        one.server.receive(end)
        one.server.wait()
        assert re.match(r"bestmove @\w\d", one.said[-1])
    assert re.fullmatch(r"bestmove @\w\d ponder @\w\d", one.ask("go depth 3")[-1])
    assert "ponderhit comes after go ponder" in one.error("ponderhit")
    assert one.ask("go ponder", "position startpos moves @b2")[-1].startswith("bestmove @")


def test_an_unknown_word_does_not_hide_a_command() -> None:
    said = Controller().ask("joho position startpos moves @a1", "d")
    assert "unknown command: joho" in said[0]
    assert said[-1] == "info string fen X2/3/3 b - - 0 1"


def test_chess_goes_on_after_draws_that_nobody_has_claimed() -> None:
    dance = "g1f3 g8f6 f3g1 f6g8 "
    one = Controller("alpha_beta(depth=1, evaluate=chess.material)", start_position("chess"))
    for times in (2, 4, 40):
        one.ask(f"position startpos moves {dance * times}")
        assert re.match("bestmove [a-h][1-8]", one.ask("go")[-1])
    one.ask(f"position startpos moves {dance * 2} e2e4")
    chess = start_position("chess")
    after = chess.after(dance * 2)._replace(draws=1).play(chess.action("e2e4"))
    assert one.server.position == after._replace(draws=0)
    for fen in ("4k3/8/8/8/8/8/8/R3K3 w Q - 120 90", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        one.ask(f"position fen {fen}")
        assert re.match("bestmove [a-h][1-8]", one.ask("go")[-1])
    over = ["info string the game is over", "bestmove (none)"]
    assert one.ask("position startpos moves f2f3 e7e5 g2g4 d8h4", "go") == over
    assert Controller().ask("position startpos moves @a1 @b1 @a2 @b2 @a3", "go") == over


def test_a_search_is_bounded() -> None:
    one = Controller("alpha_beta()", TicTacToe())
    assert " depth 2 " in one.ask("position startpos", "go depth 2")[-2]
    nodes = one.ask("go nodes 50")[-2]
    assert int(re.findall(r"nodes (\d+)", nodes)[0]) < 200
    assert one.server.agent == AlphaBeta()
    assert "nodes 20 " in Controller("mcts(seed=1)").ask("go nodes 20")[-2]


def test_the_time_of_a_move() -> None:
    agent = Odd(0)
    one = Controller(agent)
    for go, seconds in [
        ("movetime 250", 0.25),
        ("wtime 50000 btime 9", 50 / 25 - 0.05),
        ("wtime 50000 winc 1000", 50 / 25 - 0.05 + 1),
        ("wtime 1000 winc 10000", 0.95),
        ("wtime 8000 movestogo 4", 1.95),
        ("wtime -20", 0.01),
        ("btime 5000", None),
        ("", None),
    ]:
        assert one.ask(f"go {go}")[-1] == "bestmove @a1"
        assert agent.thought == (None if seconds is None else pytest.approx(seconds))
        assert agent.seconds is None
    assert seconds_for(1, {"btime": 25_000}) == pytest.approx(0.95)


@pytest.mark.parametrize(
    "agent", ["alpha_beta()", "mcts(seed=1)", "proof_number()", "expectiminimax()", "minimax()"]
)
def test_an_infinite_search_ends_when_it_is_stopped(agent: str) -> None:
    from uci_games import TICTACTOE

    large = dataclasses.replace(TICTACTOE, variant=lambda position: "tictactoe")
    own = dataclasses.replace(knowledge.knowledge_of(TicTacToe()), uci=large)
    knowledge.register_knowledge(TicTacToe, own)
    start = TicTacToe(5, 5, 5) if agent != "minimax()" else TicTacToe()
    one = Controller(agent, start)
    one.server.receive("go infinite")
    if agent != "proof_number()":  # which says nothing before its end
        wait_for(lambda: any(line.startswith("info depth") for line in one.said))
    one.server.receive("isready")
    assert "readyok" in one.said
    assert not any(line.startswith("bestmove") for line in one.said)
    one.server.receive("stop")
    word = one.said[-1].split()[1].removeprefix("@")
    assert start.action(word) in start.legal_actions()


def test_searches_that_begin_after_a_stop_are_stopped() -> None:
    with Stopper() as stopper:
        stopper.stop()
        assert AlphaBeta(seconds=60).analyse(ConnectFour()).depth <= 2
    assert AlphaBeta(depth=4).analyse(ConnectFour()).depth == 4


@pytest.mark.parametrize(
    ("does", "why"),
    [
        (RuntimeError("no\n\nidea"), "failed: RuntimeError: no idea"),
        (99, "failed: ValueError: it answers 99, which is not legal"),
        (Resign(), "resigns"),
    ],
)
def test_agents_that_fail(does: Any, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = Controller(Odd(does)).ask("go")
    assert why in said[0]
    assert said[-1] == "bestmove (none)"
    assert capsys.readouterr().out == ""


IN_UCI = [name for name in GAMES if knowledge.knowledge_of_class(game(name)).uci is not None]


@pytest.mark.parametrize("name", IN_UCI)
def test_positions_and_moves_are_read_as_they_are_written(name: str) -> None:
    position = start = start_position(name)
    uci, rng = knowledge.knowledge_of(start).uci, RandomNumbers(1)
    assert uci is not None
    while not position.is_terminal():
        again = uci.from_fen(start, uci.fen(position))
        assert uci.fen(again) == uci.fen(position)
        actions = position.legal_actions()
        assert again.legal_actions() == actions
        action = rng.choice(actions)
        assert uci.action(position, uci.move(position, action).lower()) == action
        position = position.play(action)
    for text in ("", "8/8/8/8/8/8/8/8", "x w - - 0 1", re.sub("[PC]", "Z", uci.fen(start))):
        with pytest.raises(ValueError, match=r"FEN|board|king"):
            uci.from_fen(start, text)


BOARDS = st.text("pPkKqQrRnNbB12345678/ -w", max_size=80)
FENS = st.one_of(st.text(max_size=60), BOARDS, BOARDS.map(lambda board: f"{board} w - - 0 1"))


@pytest.mark.parametrize("name", IN_UCI)
@given(any_text=FENS)
def test_text_that_is_no_position(name: str, any_text: str) -> None:
    start = start_position(name)
    server = UciServer(make("random"), start, lambda line: None)
    server.receive(f"position fen {any_text}")
    if server.position is not None:
        server.position.check()


def test_games_without_uci() -> None:
    with pytest.raises(ValueError, match="hex is not a game of UCI"):
        Controller(start=Hex(3))
    with pytest.raises(ValueError, match="on 3 x 3 only"):
        Controller(start=TicTacToe(4))


SAID = """uci isready ucinewgame position startpos fen moves @a1 @b2 3/3/3 w - 0 1 go depth nodes
movetime infinite ponder searchmoves mate wtime 2 -1 stop setoption name value MultiPV Hash Clear
seed d debug on register ponderhit tea"""
WORDS = st.sampled_from([*SAID.split(), "\x00", "é"])


@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join) | st.text(), max_size=20))
def test_no_line_is_the_end(lines: list[str]) -> None:
    one = Controller()
    for line in lines:
        one.server.receive(line)
    said = one.ask("isready", "position startpos", "go")
    assert said[-1].startswith("bestmove @")
    assert "readyok" in said


# ---- other programs as agents

HEAD = """
import os, sys, time

def say(text):
    print(text, flush=True)

LOG = open(sys.argv[1], "a")
for line in sys.stdin:
    print(line.strip(), file=LOG, flush=True)
    MOVES = line.split() if line.startswith("position") else globals().get("MOVES")
    if line.startswith("ucinewgame") or line.startswith("set") or line.startswith("pos"):
        pass
    elif line.startswith("uci"):
        say("id name Fake\\nid author nobody")
        say("option name Skill Level type spin default 20 min 0 max 20")
        say("option name UCI_Variant type combo default chess var chess var tictactoe\\nuciok")
    elif line.startswith("isready"):
        say("readyok")
    elif line.startswith("quit"):
        break
    else:
"""
"""A program that obeys, as far as ``go``; what that does is indented twice below."""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., Engine]]:
    """Makes an engine of a program from what it does at go."""
    made: list[Engine] = []

    def make_program(body: str, head: str = HEAD, **more: Any) -> Engine:
        file, log = tmp_path / f"program{len(made)}.py", tmp_path / f"log{len(made)}"
        lines = ["        " + line for line in body.strip("\n").split("\n")]
        file.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
        options = {"seconds": 1, "protocol": "uci", **more}
        made.append(Engine(f"{sys.executable} {file} {log}", **options))
        made[-1].log = log  # type: ignore[attr-defined]
        return made[-1]

    yield make_program
    for engine in made:
        engine.close()


def started(engine: Engine) -> Any:
    """The client of an engine's program, which has said that it is ready."""
    engine._client = engine._start()
    return engine._client


def heard(engine: Engine) -> list[str]:
    """Every command that the program of ``engine`` has read."""
    text: str = engine.log.read_text()  # type: ignore[attr-defined]
    return text.split("\n")[:-1]


def test_what_it_hears(program: Callable[..., Engine]) -> None:
    body = "say('info depth 1 pv @b2')\nsay('bestmove @' + ('a3' if '@a1' in MOVES else 'b2'))"
    engine = program(body, options="skill level=3", go="nodes 100")
    position = TicTacToe()
    position = position.play(engine.act(position)).move("a1")
    position = position.play(engine.act(position))
    engine.reset()
    engine.act(TicTacToe().after("a1"))
    assert heard(engine) == [
        *["uci", "setoption name Skill Level value 3", "isready"],
        *["setoption name UCI_Variant value tictactoe", "ucinewgame", "isready"],
        *["position startpos", "go nodes 100"],
        *["position startpos moves @b2 @a1", "go nodes 100"],
        *["ucinewgame", "isready", "position fen X2/3/3 b - - 0 1", "go nodes 100"],
    ]


def test_it_is_told_the_time(program: Callable[..., Engine]) -> None:
    engine = program("say('bestmove @a1 ponder @b2')", seconds=0.25)
    assert engine.act(TicTacToe()) == 0
    assert heard(engine)[-1] == "go movetime 250"


FAILURES = {
    "hangs": ("time.sleep(60)", "did not answer 'go movetime 1000' within 0.5 s"),
    "dies": ("sys.exit(3)", "ended with exit status 3 when asked 'go movetime 1000'"),
    "raises": ("raise OSError('no net')", "ended with exit status 1.*it said: .*OSError: no net"),
    "has no move": ("say('bestmove (none)')", r"answered go with an illegal move: '\(none\)'"),
    "says nothing": ("say('bestmove')", "answered go with an illegal move: ''"),
    "plays on a stone": ("say('bestmove @b2')", "illegal move: 'b2'"),
    "plays another game": ("say('bestmove e2e4')", "illegal move: 'e2e4'"),
    "talks for ever": ("while True: say('info depth 1')", "did not answer"),
    "talks GTP": ("say('= a1\\n')", "did not answer"),
}


@pytest.mark.parametrize("how", FAILURES)
def test_failures_are_errors_and_no_hang(program: Callable[..., Engine], how: str) -> None:
    body, why = FAILURES[how]
    engine = program(body, timeout=LONGEST)
    started(engine).limit = 0.5 if "did not" in why else LONGEST
    with pytest.raises(EngineError, match=rf"(?s)program0.py.*({why})"):
        engine.act(TicTacToe().after("b2 a1"))
    assert engine._client is None


def test_it_may_resign(program: Callable[..., Engine]) -> None:
    with pytest.raises(Resign):
        program("say('bestmove resign')").act(TicTacToe())


@pytest.mark.parametrize(
    ("head", "more", "why"),
    [
        (HEAD.replace("var tictactoe", "var duck"), {}, "play tictactoe: it plays chess, duck"),
        (HEAD.replace("name UCI_Variant", "name Other"), {}, "play tictactoe: it plays chess"),
        (HEAD, {"options": "Skil=1"}, "has no option 'Skil'; options: skill level, uci_variant"),
    ],
)
def test_it_cannot_play(program: Callable[..., Engine], head: str, more: Any, why: str) -> None:
    engine = program("say('bestmove @a1')", head=head, **more)
    with pytest.raises(CannotPlay, match=why):
        require_player(engine, TicTacToe())


def test_whole_games_against_our_own_program() -> None:
    engine = make(f'engine(command="{US} random --seed 1", protocol="uci", go="nodes 10")')
    assert isinstance(engine, Engine)
    check_agent(engine, TicTacToe(), games=2, make=make)
    for seats in ([engine, Random(2)], [Random(3), engine]):
        assert play_game(TicTacToe(), seats, seed=4).reason == ""
    engine.close()


# ---- python-chess, which controls programs as graphical boards do


def test_python_chess_analyses_and_plays() -> None:
    chess = pytest.importorskip("chess")
    engines = pytest.importorskip("chess.engine")
    spec = "alpha_beta(depth=2, evaluate=chess.material)"
    command = [sys.executable, "-m", "adv_envs", "uci", "chess", spec]
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    with engines.SimpleEngine.popen_uci(command, timeout=LONGEST) as engine:
        engine.configure({"Hash": 2, "Threads": 1})
        lines = engine.analyse(board, engines.Limit(depth=2), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        assert lines[0]["pv"][0].uci() == "h5f7"
        assert lines[0]["score"].white() == engines.Mate(1)
        scores = [line["score"].white() for line in lines]
        assert scores == sorted(scores, reverse=True)
        assert len({line["pv"][0] for line in lines}) == 3
        board = chess.Board()
        for _ in range(3):
            found = engine.play(board, engines.Limit(depth=2), ponder=True)
            assert found.move in board.legal_moves
            board.push(found.move)
            assert found.ponder in board.legal_moves
            board.push(found.ponder)  # so that the next one is a ponderhit


# ---- the command


def test_a_session() -> None:
    typed = "uci\nposition startpos moves @b2\ngo depth 9\n"
    lines = run("uci", "tic_tac_toe", "alpha_beta()", typed=typed).out.split("\n")
    assert "uciok" in lines
    assert any(line.startswith("info depth ") for line in lines)
    assert lines[-2] in ("bestmove @a1", "bestmove @c1", "bestmove @a3", "bestmove @c3")
    assert run("uci", "tic_tac_toe", "random", typed=b"\xff\xfe\ngo infinite\n").code == 0


def test_the_controller_decides_about_the_time_of_the_strongest_agent() -> None:
    said = run("uci", "breakthrough", typed="uci\ngo movetime 50\n").out
    assert "option name seconds type string default None" in said
    assert "the search ends at the agent's own" not in said
    given = run(
        "uci", "breakthrough", "alpha_beta(seconds=0.02)", typed="uci\ngo movetime 50\n"
    ).out
    assert "option name seconds type string default 0.02" in given
    assert "the search ends at the agent's own seconds=0.02" in given


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tic_tac_toe human", "an agent is needed"),
        ("tic_tac_toe nobody", "no agent 'nobody'"),
        ("hex", "hex is not a game of UCI"),
    ],
)
def test_errors_of_the_command(line: str, why: str) -> None:
    assert why in refused("uci", *line.split())
