import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.app.tour import tour


def test_the_console_script_is_installed():
    script = Path(sys.executable).with_name("noiseless")
    told = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert told == f"noiseless {nl.__version__}\n"


def test_help_names_the_commands():
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    assert "demo" in result.output


def test_unknown_command():
    assert CliRunner().invoke(app, ["guess"]).exit_code == 2


@pytest.mark.parametrize("width", [80, 160])
def test_the_tour_tells_the_known_values(width):
    screen = io.StringIO()
    tour(Console(file=screen, width=width))
    told = " ".join(screen.getvalue().split())
    for fact in ("900", "5 answers, not 4", "2.585", "8/7", "packing 5/2", "1.161", "00 12 24 31 43", "13 letters"):
        assert fact in told
