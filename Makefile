# Two commands are all a newcomer needs: `make dashboard` and `make test`.
# Each makes the environment in .venv first, and again only when its requirements have changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A browser is opened where there is a screen to show it on.
SCREEN := $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname))
HEADLESS := $(if $(SCREEN),false,true)
PYTEST_ARGS ?= -n auto --dist loadfile --no-loadscope-reorder

# The older DuckDB that must be able to open our files, for the one test that tries it.
OLDER := .compat/duckdb-1.5.5

.PHONY: dashboard test lint requirements clean bench fuzz
.DELETE_ON_ERROR:

dashboard: $(VENV)/.runtime
	$(BIN)/streamlit run app.py --server.headless $(HEADLESS) --server.showEmailPrompt false

test: $(VENV)/.dev $(OLDER)/.installed
	$(BIN)/python -m pytest $(PYTEST_ARGS)

# A few minutes of coverage-guided fuzzing of all readers: make fuzz SECONDS=600
SECONDS ?= 180
fuzz: $(VENV)/.dev .fuzz/.installed
	$(BIN)/python -m bench.fuzz --seconds $(SECONDS)

# Everything that is measured, at the size its README gives: make bench BENCH="--only formats"
bench: $(VENV)/.dev
	$(BIN)/python -m bench $(BENCH)

lint: $(VENV)/.dev
	$(BIN)/ruff check

# Newest stable versions of what pyproject.toml names.
requirements: $(VENV)/.dev
	CUSTOM_COMPILE_COMMAND="make requirements" $(BIN)/pip-compile $(COMPILE) --output-file requirements.txt pyproject.toml
	CUSTOM_COMPILE_COMMAND="make requirements" $(BIN)/pip-compile $(COMPILE) --extra dev --constraint requirements.txt --output-file requirements-dev.txt pyproject.toml
COMPILE := --quiet --upgrade --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

clean:
	rm -rf $(VENV) .compat .fuzz

$(VENV)/.runtime: requirements.txt | $(BIN)/pip
	@echo "Installing what requirements.txt names; the first time this takes a minute or two"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(BIN)/pip
	@echo "Installing what requirements-dev.txt names; the first time this takes a minute or two"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	@touch $@ $(VENV)/.runtime

$(OLDER)/.installed: | $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(OLDER) duckdb==1.5.5
	@touch $@

# Apart from the requirements: it has wheels for Linux only.
.fuzz/.installed: | $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target .fuzz/atheris atheris==3.0.0
	@touch $@

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python %d.%d is too old: install 3.11 or newer, or name one: make PYTHON=python3.12 …" % sys.version_info[:2])'
	@$(PYTHON) -c 'import ensurepip' || { echo "Python cannot make an environment: on Debian or Ubuntu, apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
