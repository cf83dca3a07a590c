# Sets itself up in .venv. Needs Python 3.11 or newer, make, gcc and Python's headers; another interpreter:
#     make test PYTHON=python3.13
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := mc encodings screens reports

.PHONY: demo test test-all coverage lint types wheel clean

demo: $(VENV)/ready  ## solve a first level
	$(BIN)/puzzlemc solve screens/levels/sokoban/first_steps.xsb

test: lint types  ## everything that has to pass, but for long hunts
	$(BIN)/pytest -n auto --maxprocesses 4 -m 'not slow'

test-all: lint types  ## with long hunts
	$(BIN)/pytest -n auto --maxprocesses 4

coverage: $(VENV)/ready-test  ## which lines and branches the tests of `make test` run; it takes them about twice as long
	$(BIN)/pytest -n auto --maxprocesses 4 -m 'not slow' --cov

lint: $(VENV)/ready-test  ## style, and nothing else
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# mypy cannot follow the mapping of an editable install: it reads a tree of links instead.
types: $(VENV)/ready-test  ## the types of the packages
	mkdir -p $(VENV)/types/puzzlemc
	ln -sfn $(addprefix $(CURDIR)/,$(PACKAGES)) $(VENV)/types/puzzlemc/
	cd $(VENV)/types && ../bin/mypy --config-file $(CURDIR)/setup.cfg -p puzzlemc

wheel: $(VENV)/ready-test  ## dist/puzzlemc-*.whl
	rm -rf build
	$(BIN)/pip wheel -q --no-deps --wheel-dir dist .

clean:  ## remove what the targets above have made
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/ready: $(BIN)/pip setup.cfg pyproject.toml
	$(BIN)/pip install -q -e .
	touch $@

$(VENV)/ready-test: $(BIN)/pip setup.cfg pyproject.toml
	$(BIN)/pip install -q -e '.[test]'
	touch $(VENV)/ready $@

$(BIN)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "puzzlemc needs Python 3.11 or newer")'
	$(PYTHON) -m venv --clear $(VENV)
