"""Tests docstrings: their form everywhere, and what those of the public interface explain."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from typer.main import get_command

import adv_envs
import agents
from agents.cli import app
from agents.cli.lists import parameters_data

pytestmark = [pytest.mark.plain, pytest.mark.again]

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def public_packages() -> Iterator[ModuleType]:
    """The modules with public names; those of web pages, commands and Numba are no interface."""
    for root in (adv_envs, agents):
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            if found.ispkg and not re.search(r"\.(web|cli|games|jit)\b", found.name):
                module = importlib.import_module(found.name)
                if hasattr(module, "__all__"):
                    yield module


def public_things() -> Iterator[tuple[str, Any]]:
    """Every public class and function of ours once, by its name."""
    seen = set()
    for module in public_packages():
        for name in (*module.__all__, *getattr(module, "_LAZY", ())):
            try:
                value = getattr(module, name)
            except ImportError:  # it needs a library that is not there
                continue
            ours = getattr(value, "__module__", "").startswith(("adv_envs", "agents"))
            routine = inspect.isclass(value) or inspect.isroutine(value)
            if ours and routine and id(value) not in seen:
                seen.add(id(value))
                yield f"{module.__name__}.{name}", value


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class defines itself."""
    parts = getattr(cls, "__dataclass_fields__", {})
    for name, value in vars(cls).items():
        if name in parts:  # the default of a field, which has a string below it
            continue
        if not name.startswith("_") and isinstance(
            value, property | cached_property | staticmethod | classmethod
        ):
            yield name, getattr(value, "__func__", value)
        elif not name.startswith("_") and inspect.isfunction(value):
            yield name, value


THINGS = dict(public_things())
SELF_EVIDENT = {
    "self", "cls", "args", "kwargs", "position", "start", "action", "player", "game", "name",
    "path", "seed", "text", "row", "column", "other", "state", "tree", "policy", "positions",
}  # fmt: skip
"""Names of parameters that say what they are, everywhere the same."""
PROTOCOL_ERRORS = {
    "ArgumentTypeError", "AssertionError", "AttributeError", "NotImplementedError", "SystemExit",
}  # fmt: skip
"""Errors that belong to Python's own protocols, and those of faults of our own."""


def texts_about(cls: type, name: str) -> str:
    """What a class and its bases say of a method, and of themselves."""
    said = [inspect.getdoc(vars(base)[name]) for base in cls.__mro__ if name in vars(base)]
    return " ".join(text or "" for text in [*said, inspect.getdoc(cls)])


def unexplained(function: Any, text: str) -> list[str]:
    """The parameters that neither the name nor a word of the text explains."""
    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in, or a kernel without a signature
        return []
    words = {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower())}
    return [
        name
        for name in names
        if name not in SELF_EVIDENT
        and not any(part.rstrip("s") in words for part in name.lower().split("_"))
    ]


def unnamed_errors(function: Any, text: str) -> set[str]:
    """The errors that a function raises itself and that the text does not name."""
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
    except (OSError, TypeError):  # built in
        return set()
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            found.add(ast.unparse(node.exc.func).rpartition(".")[2])
    return {name for name in found if name[0].isupper() and name not in text} - PROTOCOL_ERRORS


@pytest.mark.parametrize("name", THINGS)
def test_a_public_name_says_what_it_is_and_its_parameters_mean(name: str) -> None:
    value = THINGS[name]
    text = inspect.getdoc(value) or ""
    assert text, f"{name} has no docstring"
    if not inspect.isclass(value):
        assert not unexplained(value, text)
        assert not unnamed_errors(value, text)
        return
    for member, function in members(value):
        about = f"{name}.{member}"
        assert inspect.getdoc(getattr(value, member)), f"{about} has no docstring"
        assert not unnamed_errors(function, texts_about(value, member)), about
        rules = value.__module__.startswith("adv_envs.games")  # helpers are read beside the code
        if inspect.isfunction(function) and not rules:
            assert not unexplained(function, texts_about(value, member)), about


def test_the_parameters_of_agents_are_explained_one_by_one() -> None:
    ours = [a for a in agents.AGENTS.values() if a.__module__.startswith("agents.")]
    for agent in ours:
        for row in parameters_data(agent.name):
            assert row["description"], f"{agent.name}.{row['name']}"


def test_every_command_has_examples_and_explains_its_options() -> None:
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"adv-envs {name}" in command.epilog, name
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{name}: {option.opts}"


def test_all_public_packages_are_in_the_manual() -> None:
    """Those of web pages, commands and Numba aside, which are no interface."""
    text = (DOCS / "manual" / "reference.py").read_text(encoding="utf-8")
    for module in public_packages():
        assert f'    "{module.__name__}",' in text, module.__name__


# ---- the form of every docstring

SOURCES = sorted(
    path.relative_to(ROOT)
    for folder in ("adv_envs", "agents", "benchmarks", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if not path.stem.endswith("_es")  # in Spanish, beside the English file
)
QUOTED = {
    "adv_envs/games/*.py": ast.Module,  # the game's name and its rules, which lists show
    "adv_envs/testing/*_laws.py": ast.FunctionDef,  # the law, in the message that it is broken
}
"""Docstrings that are quoted elsewhere and so have a form of their own."""
VERBS = """
Accepts Adapts Adds Adjusts Aligns Allocates Allows Analyses Announces Answers Appends Applies Asks
Assembles Asserts Assigns Attaches Averages Backs Becomes Begins Binds Blends Blocks Bounds Builds
Caches Calls Caps Carries Casts Catches Centres Changes Checks Chooses Clears Clicks Closes Collects
Combines Compares Compiles Completes Computes Concludes Connects Considers Constructs Contains
Continues Converts Convolves Copies Counts Creates Crowns Cuts Deals Decides Declares Decodes
Defines Deletes Delivers Demonstrates Derives Describes Determines Disables Discards Displays
Distils Divides Does Draws Drops Emits Empties Enables Encodes Ends Enforces Ensures Enters
Enumerates Escapes Estimates Evaluates Evolves Examines Executes Exits Expands Expects
Explains Exports
Exposes Extends Extracts Fails Feeds Fetches Fills Filters Finds Fingerprints Finishes Fits Flattens
Flips Follows Forgets Formats Forwards Frees Freezes Fuses Gathers Generates Gives Goes Grades
Groups Guards Handles Has Hashes Hides Holds Identifies Ignores Implements Imports Includes
Increments Indicates Infers Initialises Inserts Inspects Installs Interprets Interrupts Intersects
Invalidates Inverts Is Iterates Joins Keeps Kills Knows Labels Launches Lays Learns Leaves Lets
Limits Links Lists Loads Locates Locks Logs Looks Lowers Makes Maps Marks Masks Matches Maximises
Measures Meets Merges Minimises Mirrors Mixes Moves Multiplies Mutates Names Negates Normalises
Notes Numbers Observes Offers Opens Optimises Orders Packs Paints Pairs Parses Passes Patches Pauses
Performs Pickles Picks Places Plans Plays Plots Pools Pops Predicts Prepares Presents Prevents
Prices Prints Produces Promotes Propagates Proves Provides Prunes Publishes Pushes Puts Quotes
Raises Ranks Rates Reaches Reads Receives Records Redraws Reduces Refers Refuses Registers Rejects
Releases Remembers Removes Renders Repeats Replaces Replays Replies Reports Represents Requests
Requires Resets Resizes Resolves Responds Restores Restricts Resumes Retries Returns Reuses Reverses
Rewrites Rolls Rotates Rounds Runs Samples Saves Says Scales Scans Schedules Scores Searches Seats
Seeds Selects Sends Serialises Serves Sets Settles Shares Shifts Shows Shrinks Shuffles Shuts Signs
Simulates Skips Solves Sorts Sows Speaks Specifies Splits Spreads Stacks Stands Starts States Steps
Stops Stores Streams Strips Submits Subtracts Suggests Summarises Sums Supplies Supports Swaps Takes
Teaches Tells Terminates Tests Tracks Trains Translates Transposes Traverses Treats Trims Truncates
Turns Unbinds Undoes Unpacks Updates Uses Validates Values Verifies Visits Waits Walks Warns Watches
Weighs Widens Withdraws Works Wraps Writes Yields
"""
"""What a docstring may begin with: a verb in the third person. Another verb is welcome here."""
RIDDLES = re.compile(
    r"\b(so many|whoever|of which|in a hurry|callers? in|what a page|lifeline"
    r"|servants?|entrants?|vaults?|kept views)\b",
    re.IGNORECASE,
)
"""Turns of phrase that read as riddles, and words that only we would know."""
FILLERS = "a an and are as at be by for from in into is it its no of on or that the this to with"


def words_of(*names: str) -> set[str]:
    """The words of names in snake or camel case, without the endings of plural and participle."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", " ".join(names))
    return {re.sub(r"(ies|ed|es|s|y|e)$", "", part.lower()) for part in parts}


CLAUSE = re.compile(
    r"Returns (?:(?!\(?(?:that|which|whether|what|how|who|whose|whom|where|when|why|if|as|after"
    r"|before|until|once|unless|while|from|to)\b)[^\s.,;:]+ )+"
    r"(?:is|are|may|must|has|have|can|cannot|becomes|grows|(?<!the )(?<!two )(?<!both )ends)\b"
)
"""What returns no value but a statement: "Returns the game ends ..."."""


NOUN = re.compile(
    r"(?:Clicks|Crowns|Grades|Limits|Links|Lists|Marks|Moves|Names|Numbers|Orders|Pairs|Plans|Ranks"
    r"|Records|Scores|Sets|Steps) (?:of|with|as|on|for|that|which)\b"
)
"""What begins with a noun that is spelt like a verb: "Pairs with both games played"."""


def plain_form(verb: str) -> str:
    """The form of a verb that no docstring begins with: "copy" of "Copies"."""
    verb = verb.lower()
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[: -2 if re.search("(?:s|x|z|ch|sh|o)es$", verb) else -1]


DISAGREES = re.compile(
    rf"[,;] (?:and |or |then )?(?:{'|'.join(sorted(map(plain_form, VERBS.split())))})"
    r" (?:the|a|an|its|their|them|it|how|what|whether|more|another|all|only|each|every|one|no)\b"
)
"""A second verb that is not in the third person: "Ends the search, and return the value"."""


def faults_of_form(node: Any, name: str) -> Iterator[str]:
    """Yields what is wrong with the form of a docstring; nothing where there is none."""
    text = ast.get_docstring(node)
    if text is None:
        return
    first = text.split(maxsplit=1)[0]
    if first.rstrip(",:;") not in VERBS.split():
        yield f"{name} begins with {first!r}, not with a verb in the third person"
    if riddle := RIDDLES.search(text):
        yield f"{name} says {riddle.group()!r}"
    summary = " ".join(text.partition("\n\n")[0].split())
    if noun := NOUN.match(summary):
        yield f"{name} begins with a noun: {noun.group()!r}"
    if clause := CLAUSE.match(summary):
        yield f"{name} returns a statement: {clause.group()!r}"
    if second := DISAGREES.search(summary):
        yield f"{name} has a second verb in another form: {second.group()!r}"
    if summary.endswith("?"):
        yield f"{name} asks a question"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "\n" not in text:
        said = words_of(*(word for word in text.split()[1:] if word.lower() not in FILLERS.split()))
        parts = [part.annotation for part in ast.walk(node.args) if isinstance(part, ast.arg)]
        known = [ast.unparse(part) for part in (*parts, node.returns) if part is not None]
        if said <= words_of(
            node.name, *(arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)), *known
        ):
            yield f"{name} only repeats the signature"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_docstrings_begin_with_a_verb_and_hold_no_riddle(path: Path) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"line {getattr(node, 'lineno', 1)}: {getattr(node, 'name', path.stem)}"
            quoted = any(path.match(glob) and isinstance(node, QUOTED[glob]) for glob in QUOTED)
            found += faults_of_form(node, name) if not quoted else ()
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('"""The state of the art."""', "begins with 'The'"),
        ('"""Return the state."""', "begins with 'Return'"),
        ('"""Positions of a game."""', "begins with 'Positions'"),
        ('"""Gives whoever asks the state."""', "says 'whoever'"),
        ('"""Holds games, of which so many."""', "says 'of which'"),
        ('"""Guards the lifeline."""', "says 'lifeline'"),
        ('def legal_moves(board): """Returns the legal moves of a board."""', "only repeats"),
        ('class Box: """A box."""', "begins with 'A'"),
        (
            '"""Returns the game ends with a full board."""',
            "returns a statement: 'Returns the game",
        ),
        ('"""Returns a stone may be set anywhere."""', "returns a statement"),
        (
            '"""Ends the search, and return the value."""',
            "a second verb in another form: ', and re",
        ),
        ('"""Copies a file; write what it holds."""', "a second verb in another form"),
        ('"""Pairs of games with one opening."""', "begins with a noun: 'Pairs of'"),
        ('"""Has the player won?"""', "asks a question"),
    ],
)
def test_a_docstring_of_bad_form_is_found(source: str, fault: str) -> None:
    tree = ast.parse(source)
    node = tree if ast.get_docstring(tree) else tree.body[0]
    assert any(fault in found for found in faults_of_form(node, "it"))
