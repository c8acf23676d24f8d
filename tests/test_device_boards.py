"""Batches on a CUDA device, as far as they can be tested without one (``make test-cuda``).

With ``NUMBA_ENABLE_CUDASIM=1``, numba-cuda's simulator plays and must agree with ``Boards`` in
every array. Without, the kernels of every game are compiled to PTX, and assembled where there is
ptxas.
"""

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from samples import SAMPLES

from adv_envs import Boards, Chess, ConnectFour, Fig52, Hex, Pig, Position, TicTacToe
from adv_envs.batch.device_boards import DeviceBoards, device_code
from adv_envs.registry import GAMES
from agents.games.connect_four import evaluations

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")

pytestmark = pytest.mark.needs("cuda")
in_simulator = pytest.mark.skipif(not SIMULATED, reason="needs NUMBA_ENABLE_CUDASIM=1")
compiled_for_devices = pytest.mark.skipif(SIMULATED, reason="the simulator compiles nothing")

PLAYABLE = [name for name in GAMES if name != "fig52"]
ARRAYS = (
    "words", "to_move", "generators", "observations", "masks", "rewards", "utilities",
    "terminated", "truncated", "actions",
)  # fmt: skip


def start(name: str) -> Position:
    """The usual start of a game."""
    module, _, game = str(GAMES[name]).partition(":")
    return getattr(importlib.import_module(module), game)()


def pair(position, n=3, **settings):
    """The same games on the CPU and on the device."""
    both = Boards(position, n, 1, **settings), DeviceBoards(position, n, **settings)
    for batch in both:
        batch.reset(seed=7)
    same(*both)
    return both


def same(boards, on_device):
    for name in ARRAYS:
        ours, theirs = getattr(boards, name), getattr(on_device, name).numpy()
        assert ours.dtype == theirs.dtype, name
        assert np.array_equal(ours, theirs), name


def play(boards, on_device, steps, actions=None):
    """Make steps on both; return how many games ended."""
    ended = 0
    for _ in range(steps):
        chosen = boards.random_actions()
        assert np.array_equal(on_device.random_actions().numpy(), chosen)
        chosen = chosen if actions is None else actions
        boards.step(chosen)
        on_device.step(chosen)
        same(boards, on_device)
        ended += int((boards.terminated | boards.truncated).sum())
    return ended


# ---- in the simulator


@in_simulator
@pytest.mark.parametrize("name", PLAYABLE)
def test_whole_games_are_those_of_the_cpu(name):
    boards, on_device = pair(SAMPLES[name].small[0], 2)
    for _ in range(600):
        if play(boards, on_device, 1):
            break
    else:
        pytest.fail("no game has ended")
    play(boards, on_device, 2)
    assert boards.play_random(5) == on_device.play_random(5)
    same(boards, on_device)


@in_simulator
@pytest.mark.parametrize("name", PLAYABLE)
def test_usual_starts_are_those_of_the_cpu(name):
    play(*pair(start(name), 2), 3)


@in_simulator
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("opponent", [None, "random", "greedy"])
@pytest.mark.parametrize("position", [TicTacToe(), Pig(target=12)], ids=["tic_tac_toe", "pig"])
def test_modes_and_opponents(position, opponent, autoreset):
    seat = {} if opponent is None else {"seat": "alternate"}
    boards, on_device = pair(position, opponent=opponent, autoreset=autoreset, max_steps=4, **seat)
    assert play(boards, on_device, 12) > 0
    envs = np.array([True, False, True])
    for batch in (boards, on_device):
        batch.reset(seed=3, envs=envs)
    play(boards, on_device, 4)


@in_simulator
def test_an_evaluation_plays():
    play(*pair(ConnectFour(), opponent=evaluations.lines, seat="random"), 12)


@in_simulator
def test_positions_are_set_and_read():
    boards, on_device = pair(ConnectFour(), autoreset="next_step")
    for batch in (boards, on_device):
        batch[1] = ConnectFour().after("4455")
    assert on_device[1] == ConnectFour().after("4455")
    for batch in (boards, on_device):
        batch.start_from(ConnectFour().after("112233"), np.array([True, False, False]))
    play(boards, on_device, 3)


@in_simulator
def test_illegal_actions_lose():
    boards, on_device = pair(TicTacToe(), autoreset="disabled", illegal_reward=-3.0)
    play(boards, on_device, 1, np.array([4, 4, 4]))
    play(boards, on_device, 1, np.array([4, 0, 4]))
    assert on_device.rewards.numpy().tolist() == [-3, 0, -3]


@in_simulator
@pytest.mark.parametrize("action", [-5, -1, 9, 2**40])
def test_numbers_that_are_no_actions_are_illegal(action):
    on_device = DeviceBoards(TicTacToe(), 2, autoreset="disabled")
    on_device.reset(seed=1)
    on_device.step(np.array([action, 0]))
    assert on_device.rewards.numpy().tolist() == [-1, 0]
    assert on_device.terminated.numpy().tolist() == [True, False]


@in_simulator
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float32"])
@pytest.mark.parametrize("position", [Hex(9), ConnectFour()], ids=["hex", "connect_four"])
def test_forms_of_observations(position, dtype):
    play(*pair(position, dtype=dtype, channels_first=True), 4)


@in_simulator
@pytest.mark.parametrize("name", ["observations", "masks", "rewards", "terminated", "to_move"])
def test_arrays_are_shared_without_a_copy(name):
    on_device = DeviceBoards(TicTacToe(), 4)
    on_device.reset(seed=1)
    shared = np.from_dlpack(getattr(on_device, name))
    for _ in range(9):
        before = shared.copy()
        on_device.play_random()
        assert np.array_equal(shared, getattr(on_device, name).numpy())
        if not np.array_equal(shared, before):
            return
    pytest.fail("nothing has changed")


# ---- what is refused


@in_simulator
@pytest.mark.parametrize(
    ("position", "settings", "error", "told"),
    [
        (Fig52(), {}, TypeError, "the rules of Fig52 run as plain Python"),
        (TicTacToe(), {"opponent": "external"}, ValueError, "need Boards"),
        (Chess(), {"channels_first": True}, ValueError, "channels last"),
        (TicTacToe(), {"autoreset": "never"}, ValueError, "autoreset must be one of"),
    ],
)
def test_refusals(position, settings, error, told):
    with pytest.raises(error, match=told):
        DeviceBoards(position, 2, **settings)


@in_simulator
@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.zeros(2), np.zeros((2, 1), int)])
def test_actions_of_another_form_are_refused(actions):
    on_device = DeviceBoards(TicTacToe(), 2)
    with pytest.raises(RuntimeError, match="call reset"):
        on_device.step(np.zeros(2, np.int64))
    on_device.reset(seed=1)
    with pytest.raises(ValueError, match="actions must be 2 integers"):
        on_device.step(actions)


@compiled_for_devices
def test_without_a_device_there_is_a_clear_error():
    from numba import cuda

    from adv_envs.jit.device import DeviceError

    if cuda.is_available():
        pytest.skip("there is a device")
    with pytest.raises(DeviceError, match="no CUDA device can be used: it needs an NVIDIA GPU"):
        DeviceBoards(TicTacToe(), 2)


# ---- compiled


def ptxas() -> str | None:
    """NVIDIA's assembler, if it is installed: from a wheel of pip or with the toolkit."""
    found = importlib.util.find_spec("nvidia")
    places = [Path(folder) / "cu13" / "bin" for folder in found.submodule_search_locations or []]
    folders = [*map(str, places), os.environ.get("PATH", ""), "/usr/local/cuda/bin"]
    return shutil.which("ptxas", path=os.pathsep.join(folders))


def assemble(code: str, folder: Path) -> None:
    """Assemble PTX for a device of capability 9.0; a complaint is an error."""
    if program := ptxas():
        (folder / "code.ptx").write_text(code)
        command = [program, "-arch=sm_90", "code.ptx", "-o", "code.cubin"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert (folder / "code.cubin").stat().st_size > 0


@compiled_for_devices
@pytest.mark.parametrize("name", PLAYABLE)
def test_every_game_compiles_for_devices(name, tmp_path):
    for code in device_code(start(name), (8, 0)):
        assert ".target sm_80" in code
        assert len(re.findall(r"\.visible \.entry", code)) == 1
        # These would round otherwise than a CPU. Nim's 10 ** n has them for n beyond 65,536 only.
        assert "fma.rn.f64" not in code or name == "nim"
        assemble(code, tmp_path)


@compiled_for_devices
@pytest.mark.parametrize(
    ("position", "settings"),
    [
        (TicTacToe(), {"opponent": "random"}),
        (ConnectFour(), {"opponent": evaluations.lines, "dtype": "float32"}),
        (Hex(19), {"channels_first": True}),
    ],
    ids=["random", "evaluation", "wide"],
)
def test_opponents_compile_for_devices(position, settings, tmp_path):
    for code in device_code(position, (9, 0), **settings):
        assert ".target sm_90" in code
        assemble(code, tmp_path)
