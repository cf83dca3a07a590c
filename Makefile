# Sets itself up in .venv. Needs Python 3.11 or newer, make, gcc and Python's headers; another interpreter:
#     make test PYTHON=python3.13
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := mc encodings screens reports
PUBLIC := reports/public/__init__.py reports/public/__main__.py reports/public/gym.py reports/public/modelling.py
COMPILED := setup.py tools/headers.py tools/kernels.py $(shell find mc encodings -name "*.pxd") \
	$(shell grep -rlx --include="*.py" "import cython" mc encodings)

.PHONY: checked compiled demo docs licences packages pure shell test test-checked test-all test-elsewhere tests tests-all tests-cut-off coverage lint types wheel clean

demo: $(VENV)/ready  ## solve a first level
	$(BIN)/puzzlemc solve screens/levels/sokoban/first_steps.xsb

# mypy runs on one core for as long as tests wait for other programs anyway.
test: $(VENV)/ready-test  ## everything that has to pass, but for long hunts
	$(MAKE) --no-print-directory -j2 lint types tests

test-all: $(VENV)/ready-test  ## with long hunts, and searches that end at any moment in checked modules
	$(MAKE) --no-print-directory -j2 lint types tests-all
	$(MAKE) --no-print-directory tests-cut-off

# Three times as many processes as there are cores, because many tests wait for a clock, a browser or workers.
# A process that has no more tests takes over half of those that another one still has.
PROCESSES = $(shell $(PYTHON) -c "import os; print(min(6, 3 * (os.cpu_count() or 1)))")
PYTEST = $(BIN)/pytest -n $(PROCESSES) --dist worksteal

# Each process reads all tests at its start: in 8 seconds in place of 18 if their bytecode is there. An error in a test
# shows in the run itself.
COMPILE_TESTS = @PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || true

tests: $(VENV)/ready-test  ## the tests of `make test` alone
	$(COMPILE_TESTS)
	$(PYTEST) -m 'not slow' --durations=30

tests-all: $(VENV)/ready-test  ## all tests
	$(COMPILE_TESTS)
	$(PYTEST) --hypothesis-profile=hunt --durations=40

test-elsewhere: $(VENV)/ready-test  ## the tests of `make test` where what only Linux has is hidden
	PYTHONPATH=$(CURDIR)/tests/elsewhere $(PYTEST) -m 'not slow'

coverage: $(VENV)/ready-test  ## which lines and branches the tests of `make test` run; it takes them about twice as long
	$(PYTEST) -m 'not slow' --cov

compiled: $(VENV)/ready-test  ## the compiled modules again, those whose source has changed
	$(BIN)/python setup.py -q build_ext --inplace

# A tree without compiled modules, or with checked ones, comes before the installed one.
pure: $(VENV)/ready-test  ## a tree in which all code is interpreted: PYTHONPATH=build/pure .venv/bin/puzzlemc ...
	rm -rf build/pure && mkdir -p build/pure/puzzlemc
	cp -rs $(addprefix $(CURDIR)/,$(PACKAGES)) build/pure/puzzlemc/
	ln -s $(addprefix $(CURDIR)/,$(PUBLIC)) build/pure/puzzlemc/
	find build/pure -name "*.so" -delete

# A process ends at the first index or number out of range.
checked: $(VENV)/ready-test  ## a tree whose compiled modules check indices and numbers: PYTHONPATH=build/checked ...
	rm -rf build/checked && mkdir -p build/checked/puzzlemc
	cp -rs $(addprefix $(CURDIR)/,$(PACKAGES)) build/checked/puzzlemc/
	ln -s $(addprefix $(CURDIR)/,$(PUBLIC)) build/checked/puzzlemc/
	find build/checked -name "*.so" -delete
	cp tests/checked/sitecustomize.py build/checked/
	PUZZLEMC_CHECKED=1 $(BIN)/python setup.py -q build_ext --build-lib build/checked --build-temp build/checked-o

test-checked: checked  ## all tests with checked modules
	PYTHONPATH=$(CURDIR)/build/checked $(PYTEST) --hypothesis-profile=hunt

# On hundreds of random levels, a limit strikes at fifty random moments.
tests-cut-off: checked  ## the part of them in which limits strike
	PYTHONPATH=$(CURDIR)/build/checked $(PYTEST) --hypothesis-profile=hunt $(shell find tests -name test_cut_off.py) \
		tests/mc/astar tests/mc/packed

lint: $(VENV)/ready-test  ## style, and nothing else
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# mypy cannot follow the mapping of an editable install: it reads a tree of links instead.
types: $(VENV)/ready-test  ## the types of the packages
	mkdir -p $(VENV)/types/puzzlemc
	ln -sfn $(addprefix $(CURDIR)/,$(PACKAGES) $(PUBLIC)) $(VENV)/types/puzzlemc/
	cd $(VENV)/types && ../bin/mypy --config-file $(CURDIR)/setup.cfg -p puzzlemc

docs: $(VENV)/ready-docs  ## the documentation site in build/site; a warning, or a picture that is out of date, is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --clean --quiet
	$(BIN)/python tools/pictures.py --check
	@echo build/site/index.html

wheel: $(VENV)/ready-test  ## dist/puzzlemc-*.whl
	rm -rf build
	$(BIN)/pip wheel -q --no-deps --wheel-dir dist .

packages: $(VENV)/ready-test  ## what a release uploads: the sdist, and a wheel that is built from it
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*

shell: $(VENV)/ready-test  ## the man page and the completion of shells again, from the options
	$(BIN)/python tools/shell_files.py

licences: $(VENV)/ready-test  ## docs/licences.md again, from what is installed
	$(BIN)/python tools/licences.py

clean:  ## remove what the targets above have made
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find mc encodings -name "*.so" -delete
	find . -name __pycache__ -prune -exec rm -rf {} +

# Some environments forbid programs to write bytecode. Without it, each start would compile all that it imports.
BYTECODE = $(BIN)/python -m compileall -q -j 0 $(PACKAGES)

# gcc 14 takes for an error what the C code of pyeda does, a package that comes without compiled modules.
export CFLAGS += -Wno-incompatible-pointer-types

# The compiler runs while pip fetches packages. Then pip runs it, too: it waits for the first run, and finds all done;
# errors are those of the second run.
TOOLS = import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])
define install
	@echo "Installs what puzzlemc$(2) needs, and compiles it. On an idle machine, this takes one or two minutes."
	$(BIN)/pip install -q $$($(BIN)/python -c '$(TOOLS)')
	$(BIN)/python setup.py -q build_ext --inplace >/dev/null 2>&1 & $(BIN)/pip install -q --no-build-isolation -e '$(1)'
	$(BYTECODE)
	touch $(VENV)/ready $@
endef

$(VENV)/ready: $(BIN)/pip setup.cfg pyproject.toml $(COMPILED)
	$(call install,.)

$(VENV)/ready-test: $(BIN)/pip setup.cfg pyproject.toml $(COMPILED)
	$(call install,.[test], with its tests)

$(VENV)/ready-docs: $(BIN)/pip setup.cfg pyproject.toml $(COMPILED)
	$(call install,.[docs], with its documentation)

$(BIN)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "puzzlemc needs Python 3.11 or newer")'
	$(PYTHON) -m venv --clear $(VENV)
