"""The games that all adapters play: what they are does not depend on the environment."""

from adapters.reference import CASES, DIGEST, Script, digest, played_directly, shown_in

from adv_envs.text import write_board


def test_the_records_are_those_of_every_other_environment():
    assert digest(played_directly(case) for case in CASES) == DIGEST


def test_the_games_have_all_that_an_adapter_could_get_wrong():
    records = [played_directly(case) for case in CASES]
    assert len(CASES) == len(set(CASES)) == 50
    assert {case.seat for case in CASES} == {0, 1, 2}
    assert {kind for record in records for kind in record.outcomes} == {
        "legal",
        "illegal",
        "unreadable",
    }
    assert {record.failure for record in records} == {None, "forfeit", "random", "end"}
    assert any(record.result is None for record in records)
    assert any(record.result not in (None, -1, 0, 1) for record in records)
    assert sum(record.graded > record.kept for record in records) > 5


def test_the_script_does_not_depend_on_what_surrounds_a_position():
    for case in CASES[:5]:
        start = case.env().game.start
        line = write_board(start, "json")
        assert shown_in(f"[GAME] Board: {line} (as JSON)\nand so on") == start
        assert Script(case)(line) == Script(case)(f"Hello!\n[PLAYER 1] {line}\nYour turn.")
