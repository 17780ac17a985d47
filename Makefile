# make demo: a focused crawl of a synthetic web, offline.   make test: every test.   Both set everything up first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test check format bench eval soak clean

setup: .venv/ready

.venv/ready: constraints.txt pyproject.toml setup.sh
	PYTHON="$(PYTHON)" sh setup.sh
	@touch $@

demo: setup
	$(BIN)/scrapy demo

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python tools/bench/throughput.py

eval: setup
	$(BIN)/python -m tools.eval.harvest

soak: setup
	$(BIN)/python -m tools.soak --kills 200 --workers 4 --store sqlite
	$(BIN)/python -m tools.soak --kills 200 --workers 4 --store postgresql

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
