#!/bin/sh
# sh setup.sh [EXTRA ...]: makes .venv with the locked versions of what a crawl needs, and of the extras of pyproject.toml that
# are named. Copes with a Debian that lacks python3-venv and with an old pip.
set -eu
PYTHON=${PYTHON:-python3}
OLDEST_PIP=23.3 # earlier ones stop with an AssertionError at two packages that ask for the same extra of lxml
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1

say() { echo "setup: $*"; }

fail() {
    echo "setup: $*" >&2
    exit 1
}

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    fail "Python 3.11 or newer is needed, and $PYTHON is not; name one: make PYTHON=/path/to/python3.11 demo"

log=$(mktemp)
trap 'rm -f "$log"' EXIT

usable() { .venv/bin/python -c 'import sys, pip; sys.exit(sys.prefix == sys.base_prefix)' 2>/dev/null; }

folder() { (cd .venv && pwd -P); }

# The programs in .venv/bin name the folder that they were made in: where it was moved or copied, they are written again, without
# network. Of an earlier version's .venv the folder is not known.
at_home() {
    [ "$(cat .venv/folder 2>/dev/null)" = "$(folder)" ] && return
    say "fitting .venv to this folder"
    "$(folder)/bin/python" -m venv --without-pip "$(folder)" >>"$log" 2>&1 && "$(folder)/bin/python" - >>"$log" 2>&1 <<'PYTHON'
import sysconfig
from importlib.metadata import distributions

from pip._vendor.distlib.scripts import ScriptMaker

maker = ScriptMaker(None, ".venv/bin")
maker.clobber = maker.set_mode = True
maker.variants = {""}
for distribution in distributions(path=[sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]):
    for program in distribution.entry_points.select(group="console_scripts"):
        maker.make(f"{program.name} = {program.value}")
PYTHON
}

# Half the time of by_venv, and the newest pip; needs pip 22.3, but neither ensurepip nor Debian's python3-venv.
by_outer_pip() {
    "$PYTHON" -m venv --without-pip .venv && "$PYTHON" -m pip --python .venv/bin/python install --retries 1 --no-compile pip
}

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
    usable && at_home && return
    say "making .venv with $("$PYTHON" --version)"
    for way in by_outer_pip by_venv by_virtualenv by_borrowed_virtualenv by_debian_package; do
        rm -rf .venv
        if "$way" >>"$log" 2>&1 </dev/null && usable; then
            return
        fi
    done
    rm -rf .venv
    cat "$log" >&2
    fail ".venv cannot be made; on Debian and Ubuntu, 'apt install python3-venv' helps"
}

# The dependencies only: the project runs from its own folder, by scrapy.cfg.
requirements() {
    .venv/bin/python - "$@" <<'PYTHON'
import sys, tomllib

project = tomllib.load(open("pyproject.toml", "rb"))["project"]
extras = project["optional-dependencies"]
if unknown := [name for name in sys.argv[1:] if name not in extras]:
    sys.exit(f"setup: there is no extra {unknown[0]!r} in pyproject.toml; there are {', '.join(extras)}")
print("\n".join(sorted({*project["dependencies"], *(line for name in sys.argv[1:] for line in extras[name])})))
PYTHON
}

# On a terminal, the package that pip has come to, in one line.
progress() {
    while read -r word name _; do
        case $word in
            Collecting) what=$name ;;
            Building) what="building $name" ;;
            Installing) what="unpacking all of them" ;;
            *) continue ;;
        esac
        [ ! -t 1 ] || printf '\r\033[K  %s' "$what"
    done
    [ ! -t 1 ] || printf '\r\033[K'
}

# Not compiled to bytecode: that takes longer than all the rest, and a run compiles the few modules that it imports.
install() {
    {
        .venv/bin/python -m pip install --no-compile --prefer-binary --progress-bar off --retries 2 \
            --constraint constraints.txt --requirement .venv/requirements.txt 2>&1 || echo "pip: exit code $?"
    } | tee "$log" | progress
    ! grep -q '^pip: exit code' "$log"
}

pip_is_old() {
    .venv/bin/python -c '
import pip, sys
sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) >= tuple(map(int, sys.argv[1].split("."))))' "$OLDEST_PIP"
}

began=$(date +%s)
make_venv
folder >.venv/folder
requirements "$@" >.venv/requirements.txt
if pip_is_old; then
    say "pip is older than $OLDEST_PIP: getting a newer one"
    .venv/bin/python -m pip install --quiet --no-compile --retries 2 --upgrade pip >"$log" 2>&1 || true
fi
with=
[ $# -eq 0 ] || with=" with the extra $*"
say "installing $(wc -l <.venv/requirements.txt | tr -d ' ') packages$with, and what they need"
if ! install; then
    if grep -qE 'Connection|NewConnectionError|Retrying|timed out|name resolution|Network is unreachable' "$log"; then
        fail "the packages could not be downloaded, because the package registry does not answer: once, the network is needed
       (behind a proxy set HTTPS_PROXY; a mirror is named by PIP_INDEX_URL, a folder of wheels by PIP_NO_INDEX and PIP_FIND_LINKS)"
    fi
    tail -n 15 "$log" >&2
    fail "pip could not install the packages; its last lines are above"
fi
say "ready after $(($(date +%s) - began)) s: .venv, $(du -sh .venv/ | cut -f1)"
