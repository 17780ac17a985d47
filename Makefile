# make demo: a focused crawl of a synthetic web, offline.   make test: every test.   make quick: those that take a minute.
# All set up first what they need.
PYTHON ?= python3
EXTRAS ?=
BIN := .venv/bin

# What Python has compiled is kept, whatever the environment says: compiling the 1 100 modules of a crawl takes half a second.
export PYTHONDONTWRITEBYTECODE =

.PHONY: setup demo test quick check format bench eval figures faults fuzz soak clean moved

# What a crawl needs; with EXTRAS="postgresql scrapyd" also what these extras of pyproject.toml need.
ifeq ($(EXTRAS),)
setup: .venv/ready-run
else
setup:
	@PYTHON="$(PYTHON)" sh setup.sh $(EXTRAS)
	@touch .venv/ready-run
endif

.venv/ready-run: constraints.txt pyproject.toml setup.sh
	@PYTHON="$(PYTHON)" sh setup.sh
	@touch $@

# What the tests, the checks and the tools need on top.
.venv/ready-dev: constraints.txt pyproject.toml setup.sh
	@PYTHON="$(PYTHON)" sh setup.sh dev
	@touch .venv/ready-run $@

# A virtual environment names its own folder: it is set up again where that was moved or copied.
ifneq "$(shell cat .venv/folder 2>/dev/null)" "$(realpath .venv)"
.venv/ready-run .venv/ready-dev: moved
endif

demo: .venv/ready-run
	@echo "demo: starting; the first start compiles what it imports"
	@$(BIN)/scrapy demo

# WORKERS: processes that run tests side by side; they wait much, so that three keep two cores busy.
WORKERS ?= 3

test: .venv/ready-dev
	$(BIN)/python -m pytest -n $(WORKERS)

# What needs no process, no socket and no server, and is short.
quick: .venv/ready-dev
	$(BIN)/python -m pytest -n $(WORKERS) -m "not system and not slow"

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/ready-dev
	$(BIN)/python tools/bench/throughput.py

eval: .venv/ready-dev
	$(BIN)/python -m tools.eval.harvest

# Headline figures, measured and written into the docs. PARTS=demo,harvest: only these (see --list).
PARTS ?=
figures: .venv/ready-dev
	$(BIN)/python -m tools.figures $(PARTS)

# The plan of faults: prints a verdict and figures for each, and writes docs/faults.md.
faults: .venv/ready-dev
	$(BIN)/python -m tools.faults

# Looks for inputs that break what reads them, guided by coverage: ten targets, two minutes each. PARTS=html,url: only these.
fuzz: .venv/ready-dev
	@$(BIN)/python -c "import atheris" 2>/dev/null || PYTHON="$(PYTHON)" sh setup.sh dev fuzz
	$(BIN)/python -m tools.fuzz $(if $(PARTS),--only $(PARTS))

soak: .venv/ready-dev
	$(BIN)/python -m tools.soak --kills 200 --workers 4 --store sqlite
	$(BIN)/python -m tools.soak --kills 200 --workers 4 --store postgresql

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
