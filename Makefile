# Everything a contributor runs. Needs Python 3.11 or newer, make and git; nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test check bench studies format clean

demo: $(VENV)/.base
	$(BIN)/answerable demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.dev
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -m "not slow" tests/meta

# Side by side with other tools; the longer studies on public collections are `make studies`.
bench: $(VENV)/.bench
	$(BIN)/python benchmarks/lexical.py
	$(BIN)/python benchmarks/cutters.py
	$(BIN)/python benchmarks/cut_once.py
	$(BIN)/python benchmarks/parsers.py
	$(BIN)/python benchmarks/embedding.py
	$(BIN)/python benchmarks/dense.py

# The tables of benchmarks/results; about an hour of CPU, and they need ANSWERABLE_DATA.
studies: $(VENV)/.bench
	$(BIN)/python benchmarks/studies/beir_table.py
	$(BIN)/python benchmarks/studies/dense_table.py --cuts
	$(BIN)/python benchmarks/studies/tune_grid.py
	$(BIN)/python benchmarks/studies/chunking_benchmark.py
	$(BIN)/python benchmarks/studies/refusal_curve.py

format: $(VENV)/.dev
	$(BIN)/ruff format src tests benchmarks docs
	$(BIN)/ruff check --fix src tests benchmarks docs

$(VENV)/.python:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.base: pyproject.toml $(VENV)/.python
	$(PIP) install -e .
	touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.python
	$(PIP) install -e '.[dev]'
	touch $@ $(VENV)/.base

$(VENV)/.bench: pyproject.toml $(VENV)/.python
	$(PIP) install -e '.[dev,bench]'
	touch $@ $(VENV)/.dev $(VENV)/.base

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
