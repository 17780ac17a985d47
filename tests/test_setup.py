"""setup.sh, with programs in the place of Python, pip and apt-get that only say what they were asked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.patience import PATIENCE

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OFFLINE = "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError(...)': /simple/scrapy/"

PYTHON = f"""#!/bin/sh
# Stands for both the outer Python and .venv's. FAILING: parts of the commands that fail, with | between. SAID: what pip prints.
asked="^$PYTHONPATH $*"
echo "$asked" | head -n 1 >>"$CALLS"
IFS='|'
for part in $FAILING; do
    case "$asked" in *"$part"*) echo "$part fails"; exit 1 ;; esac
done
unset IFS
case "$*" in
    "--version") echo "Python 3.11.7" ;;
    "- "* | "-") exec {sys.executable} "$@" ;;
    *"pip.__version__"*) exit 1 ;;
    *"venv"*".venv") mkdir -p .venv/bin && {{ [ "$0" -ef .venv/bin/python ] || cp "$0" .venv/bin/python; }} ;;
    "-m virtualenv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *"--requirement"*) echo "Collecting scrapy"; [ -z "$SAID" ] || {{ echo "$SAID"; exit 1; }} ;;
esac
"""

WAYS = {
    "-m pip --python .venv/bin/python install": "",
    " -m venv .venv": "--python",
    " -m virtualenv .venv": "--python| -m venv .venv",
    "-m pip install --quiet --target": "--python| -m venv .venv|^ -m virtualenv",
}
"""What makes the environment, and what must fail before it is tried."""


class Setup:
    """A folder with what setup.sh reads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        for name in ("setup.sh", "Makefile", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, folder)
        (folder / "bin").mkdir()
        for name, text in {"python": PYTHON, "apt-get": '#!/bin/sh\necho "apt-get $*" >>"$CALLS"; exit 1\n'}.items():
            (folder / "bin" / name).write_text(text, encoding="utf-8")
            (folder / "bin" / name).chmod(0o755)

    @property
    def calls(self) -> Path:
        return self.folder / "calls"

    def run(self, *extras: str, failing: str = "", said: str = "") -> subprocess.CompletedProcess[str]:
        return self._run("sh", "setup.sh", *extras, failing=failing, said=said)

    def make(self, target: str) -> list[str]:
        """What `make` with this target says."""
        done = self._run("make", target)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def move(self, name: str) -> None:
        self.folder = self.folder.rename(self.folder.with_name(name))

    def _run(self, *command: str, failing: str = "", said: str = "") -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        environment |= {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "PYTHON": "python", "PIP_NO_INDEX": "1"}
        environment |= {"PYTHONPATH": "", "CALLS": str(self.calls), "FAILING": failing, "SAID": said}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    @property
    def required(self) -> set[str]:
        """The lines that pip was given."""
        return set((self.folder / ".venv" / "requirements.txt").read_text(encoding="utf-8").splitlines())


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(tmp_path / "project")


def test_a_crawl_gets_what_it_needs_and_nothing_of_the_extras(setup: Setup) -> None:
    done = setup.run()
    assert done.returncode == 0, done.stderr
    assert setup.required == set(PROJECT["dependencies"])


def test_every_step_is_said(setup: Setup) -> None:
    told = setup.run().stdout.splitlines()
    assert [line.split()[1] for line in told] == ["making", "installing", "ready"]


def test_extras_come_on_top(setup: Setup) -> None:
    assert setup.run("postgresql", "scrapyd").returncode == 0
    extras = PROJECT["optional-dependencies"]
    assert setup.required == {*PROJECT["dependencies"], *extras["postgresql"], *extras["scrapyd"]}


def test_an_extra_that_does_not_exist_is_refused_with_those_that_do(setup: Setup) -> None:
    done = setup.run("postgres")
    assert done.returncode == 1
    assert "no extra 'postgres'" in done.stderr
    assert "postgresql" in done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_an_environment_is_made_in_the_first_way_that_works(setup: Setup, way: str) -> None:
    done = setup.run(failing=WAYS[way])
    assert done.returncode == 0, done.stderr
    tried = [line for line in setup.calls.read_text(encoding="utf-8").splitlines() if "--requirement" not in line]
    assert any(way in line for line in tried)
    assert not any(after in line for after in list(WAYS)[list(WAYS).index(way) + 1 :] for line in tried)


def test_what_no_way_can_make_ends_in_one_sentence(setup: Setup) -> None:
    done = setup.run(failing=" -m venv| -m virtualenv")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("'apt install python3-venv' helps")
    assert not (setup.folder / ".venv").exists()


def test_without_network_the_sentence_says_so(setup: Setup) -> None:
    done = setup.run(said=OFFLINE)
    assert done.returncode == 1
    assert "the network is needed" in done.stderr
    assert OFFLINE not in done.stderr


def test_what_pip_says_of_other_failures_is_shown(setup: Setup) -> None:
    done = setup.run(said="ERROR: No space left on device")
    assert done.returncode == 1
    assert "No space left on device" in done.stderr


def test_an_old_python_is_refused(setup: Setup) -> None:
    done = setup.run(failing="version_info")
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed" in done.stderr


def test_an_old_pip_is_replaced(setup: Setup) -> None:
    (setup.folder / "bin" / "python").write_text(PYTHON.replace('*"pip.__version__"*) exit 1', '*"pip.__version__"*) exit 0'))
    assert "getting a newer one" in setup.run().stdout
    assert "--upgrade pip" in setup.calls.read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
@pytest.mark.parametrize("target", ["setup", ".venv/ready-dev"])
def test_a_project_that_was_moved_is_set_up_again_by_itself(setup: Setup, target: str) -> None:
    assert setup.make(target)[0].startswith("setup: making .venv")
    assert not any("setup: " in line for line in setup.make(target))
    setup.move("moved to here")
    assert setup.make(target)[0] == "setup: fitting .venv to this folder"
    assert (setup.folder / ".venv" / "bin" / "scrapy").is_file()  # the stand-in sees the packages of the tests
    assert not any("setup: " in line for line in setup.make(target))


@pytest.mark.slow
def test_programs_of_a_project_that_was_moved_run(setup: Setup) -> None:
    pytest.importorskip("ensurepip")
    (setup.folder / "pyproject.toml").write_text("[project]\ndependencies = []\noptional-dependencies = {}\n", "utf-8")
    subprocess.run([sys.executable, "-m", "venv", ".venv"], cwd=setup.folder, check=True)
    for name in ("moved", "moved to here"):
        setup.move(name)
        done = setup.run()
        assert done.returncode == 0, done.stderr
        told = subprocess.check_output([setup.folder / ".venv/bin/pip", "--version"], text=True)
        assert f"/{name}/.venv/lib/" in told
        assert str(setup.folder) in (setup.folder / ".venv/bin/activate").read_text(encoding="utf-8")


def test_every_required_package_is_locked() -> None:
    """pip takes what the lock does not name in its newest version, which nobody has tried."""
    lock = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    locked = {canonicalize_name(line.partition("==")[0]) for line in lock.splitlines() if "==" in line}
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in extras.values() for line in extra)]
    assert {canonicalize_name(Requirement(line).name) for line in lines} <= locked
