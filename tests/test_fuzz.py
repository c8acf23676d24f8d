"""A slice of what ``make fuzz`` feeds to everything that reads what comes from outside."""

import sys

import pytest
from fuzz import KINDS, made
from fuzz.__main__ import Tally, main, outcome, run, smaller
from fuzz.kinds import Kind

pytestmark = pytest.mark.plain

SEED = 20
SLOW = {"tournaments in files", "command lines"}


def check(name: str, first: int, count: int) -> None:
    for index in range(first, first + count):
        given = made(name, SEED, index)
        assert not outcome(KINDS[name], given), ascii(given)[:2000]


@pytest.fixture(autouse=True)
def where_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)  # the kinds that write files go to their own folder


@pytest.mark.parametrize("name", [name for name in KINDS if name not in SLOW])
def test_odd_inputs_are_refused_by_documented_errors(name: str) -> None:
    check(name, 0, max(3, KINDS[name].share // 3))


@pytest.mark.thorough
@pytest.mark.parametrize("name", KINDS)
def test_more_odd_inputs(name: str) -> None:
    check(name, 1000, 5 * KINDS[name].share)


def test_an_input_is_made_again() -> None:
    assert made("specs of agents", 1, 7) == made("specs of agents", 1, 7)
    assert len({made("literals", 1, i) for i in range(50)}) > 25


def fails(given: str) -> None:
    if "x" in given:
        raise RuntimeError(given)
    if "y" in given:
        while True:
            pass
    if given:
        raise ValueError(given)


FAILING = Kind("failing", lambda: [""], fails, (ValueError,), 1)


def test_what_is_no_documented_error_is_found_and_made_smaller() -> None:
    assert outcome(FAILING, "") is None
    assert outcome(FAILING, "abc") == ""
    found = outcome(FAILING, "a" * 40 + "x" + "b" * 40)
    assert found is not None
    assert found.startswith("RuntimeError at test_fuzz.py")
    assert smaller(FAILING, "a" * 40 + "x" + "b" * 40, found) == "x"


def test_processes_and_the_table(capfd, monkeypatch: pytest.MonkeyPatch) -> None:
    tally = Tally()
    run("literals", SEED, 5, 10, tally)
    assert (tally.inputs, sum(tally.counts.values()), tally.failures) == (10, 10, {})
    arguments = ["fuzz", "--inputs", "20", "--seed", "3", "--only", "literals"]
    monkeypatch.setattr(sys, "argv", arguments)
    assert main() == 0
    said = capfd.readouterr().out.split("\n")
    assert said[0] == "seed 3"
    assert [line.split()[:2] for line in said if line.startswith(("literals", "all"))] == [
        ["literals", "20"],
        ["all", "20"],
    ]
