#!/bin/sh
# Makes .venv with the locked versions. Copes with a Debian that lacks python3-venv and with an old pip.
set -eu
PYTHON=${PYTHON:-python3}

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "setup: Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11" >&2
    exit 1
}

make_venv() {
    [ -x .venv/bin/pip ] && return
    rm -rf .venv
    "$PYTHON" -m venv .venv 2>/dev/null && return
    rm -rf .venv
    "$PYTHON" -m virtualenv .venv 2>/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "setup: installing python3-venv"
        apt-get install -y -qq python3-venv >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null; }
        "$PYTHON" -m venv .venv && return
    fi
    rm -rf .venv
    "$PYTHON" -m pip install --quiet --user --break-system-packages virtualenv
    "$PYTHON" -m virtualenv .venv
}

make_venv
.venv/bin/python -m pip install --quiet --upgrade pip
# The dependencies only: the project runs from its own folder, by scrapy.cfg.
.venv/bin/python -c '
import tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
print("\n".join(project["dependencies"] + project["optional-dependencies"]["dev"]))
' > .venv/requirements.txt
.venv/bin/python -m pip install --quiet --constraint constraints.txt --requirement .venv/requirements.txt
