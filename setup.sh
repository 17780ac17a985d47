#!/bin/sh
# Makes .venv with the locked versions. Copes with a Debian that lacks python3-venv and with an old pip.
set -eu
PYTHON=${PYTHON:-python3}

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "setup: Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11" >&2
    exit 1
}

usable() { .venv/bin/python -c 'import sys, pip; sys.exit(sys.prefix == sys.base_prefix)' 2>/dev/null; }

by_venv() { "$PYTHON" -m venv .venv; }

by_virtualenv() { "$PYTHON" -m virtualenv .venv; }

# Into a folder of its own: the system's packages are not touched, and any pip since version 9 can.
by_borrowed_virtualenv() {
    borrowed=$(mktemp -d) || return
    "$PYTHON" -m pip install --quiet --target "$borrowed" virtualenv && PYTHONPATH=$borrowed "$PYTHON" -m virtualenv .venv
    made=$?
    rm -rf "$borrowed"
    return $made
}

by_debian_package() {
    [ "$(id -u)" = 0 ] && command -v apt-get || return
    { apt-get install -y -qq python3-venv || { apt-get update -qq && apt-get install -y -qq python3-venv; }; } &&
        "$PYTHON" -m venv .venv
}

make_venv() {
    usable && return
    log=$(mktemp)
    for way in by_venv by_virtualenv by_borrowed_virtualenv by_debian_package; do
        rm -rf .venv
        if "$way" >>"$log" 2>&1 </dev/null && usable; then
            rm -f "$log"
            return
        fi
    done
    rm -rf .venv
    cat "$log" >&2
    rm -f "$log"
    echo "setup: .venv cannot be made; on Debian and Ubuntu, 'apt install python3-venv' helps" >&2
    exit 1
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
