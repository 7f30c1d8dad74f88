import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.app.tour import tour


def test_the_console_script_is_installed():
    script = Path(sys.executable).with_name("noiseless")
    printed = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert printed == f"noiseless {nl.__version__}\n"


def test_help_names_the_commands():
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    assert "demo" in result.output


def commands(group, words=()):
    """Every command with the words that call it, and what there is to say about it."""
    yield words, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*words, name))


def written(text):
    """The words of a help page; lines are broken and framed."""
    return re.sub(r"[\s│╭╮╰╯─]+", "", text)


@pytest.mark.parametrize("words", [words for words, _ in commands(get_command(app))], ids=" ".join)
def test_help_says_all_that_is_written(words):
    """Rich takes [release] for a style, and shows nothing."""
    command = dict(commands(get_command(app)))[words]
    shown = written(CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200"}).output)
    for text in (command.help, *(each.help for each in command.params if getattr(each, "help", None))):
        assert written(text.replace("\\[", "[")) in shown


def test_the_test_of_help_would_notice():
    wrong = typer.Typer(add_completion=False)
    wrong.command(help="Pairs: [release] in the schema.")(lambda: None)
    assert "[release]" not in CliRunner().invoke(wrong, ["--help"]).output


def test_unknown_command():
    assert CliRunner().invoke(app, ["guess"]).exit_code == 2


@pytest.mark.parametrize("width", [80, 160])
def test_the_tour_tells_the_known_values(width):
    screen = io.StringIO()
    tour(Console(file=screen, width=width))
    printed = " ".join(screen.getvalue().split())
    for fact in ("900", "5 answers, not 4", "2.585", "8/7", "packing 5/2", "1.161", "00 12 24 31 43", "13 letters"):
        assert fact in printed


def test_a_command_may_be_run_by_its_words():
    """Not by those of the process, which name no command."""
    run = "from noiseless.app.cli.main import app; app(['ask', '--help'])"
    printed = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True).stdout
    assert "--max-bits" in printed
