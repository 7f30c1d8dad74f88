# Everything needs only python3 (3.11 or newer) and make; the rest is installed into .venv, once.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
GENERAL := $(VENV)/peers/general
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt

# Each module is compiled once, not by every process that a test starts.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo serve test check gate gate-renew format mutants bench bench-scale bench-peers bench-coverage clean

help:
	@echo "make demo         set everything up and ask a million synthetic people five questions"
	@echo "make serve        set everything up and serve the demo's table over HTTP, with a token; PORT=8000"
	@echo "make test         set everything up and run all tests"
	@echo "make check        ruff, mypy (strict) and the import rule"
	@echo "make gate         fail if a ratio to a raw library, measured now, has doubled (half a minute); make gate-renew"
	@echo "make format       let ruff rewrite what it can"
	@echo "make mutants      make small mistakes in the code that counts, and list those that no test notices (an hour)"
	@echo "make bench        measure, and rewrite benchmarks/RESULTS.md; ONLY='keys ledger' for some sections"
	@echo "make bench-scale  measure tables of up to 10^8 rows on every engine, and rewrite benchmarks/SCALE.md"
	@echo "make bench-peers  ask other libraries the same question, and rewrite benchmarks/PEERS.md"
	@echo "make bench-coverage  ask two hundred questions, also of SmartNoise SQL, and rewrite docs/sql_coverage.md"
	@echo "make clean        remove .venv and caches"

demo: $(VENV)/.demo
	@$(BIN)/noiseless demo
	@echo "noiseless is in $(VENV); for this shell: source $(BIN)/activate"

serve: $(VENV)/.demo
	@$(BIN)/noiseless serve --demo --port $(PORT)

test: $(VENV)/.dev $(VENV)/.axe
	$(BIN)/python -m pytest

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

gate: $(VENV)/.dev
	$(BIN)/python -m benchmarks.gate

gate-renew: $(VENV)/.dev
	$(BIN)/python -m benchmarks.gate --renew

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

mutants: $(VENV)/.dev
	PYTHONPATH=src $(BIN)/python -m tests.mutants $(MUTANTS)

bench: $(VENV)/.dev $(GENERAL)/.installed
	$(BIN)/python -m benchmarks $(ONLY)

bench-scale: $(VENV)/.dev
	$(BIN)/python -m benchmarks.scale

bench-coverage: $(VENV)/.dev
	$(BIN)/python -m benchmarks.coverage

bench-peers: $(VENV)/.dev
	$(BIN)/python -m benchmarks.peers

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(BIN)/python:
	@echo "creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing noiseless into $(VENV) (once, under a minute)"
	@$(PIP) -e '.[capacity,figures,service,client]'
	@touch $@

$(VENV)/.dev: $(VENV)/.demo
	@echo "installing the test tools into $(VENV) (once, about a minute)"
	@$(PIP) -e '.[capacity,figures,dev]'
	@touch $@

# The rules of accessibility that the walks through the console check besides ours; only tests use it.
$(VENV)/.axe: | $(BIN)/python
	@mkdir -p $(VENV)/axe && (npm install --silent --no-save --no-audit --no-fund --prefix $(VENV)/axe axe-core@4.14.1 > /dev/null 2>&1 || \
		echo "no axe-core: our own rules of accessibility are checked without it")
	@touch $@

# Peers live in environments of their own; where one cannot be installed the benchmark says so and goes on.
$(GENERAL)/.installed: benchmarks/peers/general.txt | $(BIN)/python
	@echo "installing the peers of the benchmarks into $(GENERAL)"
	@$(PYTHON) -m venv $(GENERAL)
	@$(GENERAL)/bin/python -m pip install -qq --disable-pip-version-check -r benchmarks/peers/general.txt && touch $@ || \
		echo "some peers could not be installed; their rows will say so"
