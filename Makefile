# Everything a person or CI runs. Each target does its own set-up.
PYTHON ?= python3
VENV := .venv/bin/python
ASK ?= 大豆R5期追施多少钾肥
BOOTSTRAP_FLAGS ?=
SEARCH_FLAGS ?=
SOAK_FLAGS ?=
VERSIONS_FLAGS ?=
BACKUP_FLAGS ?=
SUPPLY_FLAGS ?=
READING_FLAGS ?=

.PHONY: help run test test-fast lint binary smoke binary-arm64 old-cpus reproduce release clean bench-launch bench-edge \
    bench-answer bench-search bench-vectors bench-versions bench-backup bench-supply bench-memory bench-reading soak

help:
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile

run: ## open the interface (without a terminal: answer one sample question)
	@$(PYTHON) scripts/bootstrap.py $(BOOTSTRAP_FLAGS)
	@if [ -t 0 ] && [ -t 1 ]; then exec $(VENV) agent_main.py; else exec $(VENV) agent_main.py ask "$(ASK)"; fi

test: lint ## set up, check style and types, run all tests with the network cut
	@bash scripts/offline.sh $(VENV) -m pytest

test-fast: .venv-dev ## the tests that need neither models nor subprocesses
	@bash scripts/offline.sh $(VENV) -m pytest -m "not slow"

lint: .venv-dev ## ruff and mypy
	@$(VENV) -m ruff check .
	@$(VENV) -m mypy

.PHONY: .venv-dev
.venv-dev:
	@$(PYTHON) scripts/bootstrap.py --dev $(BOOTSTRAP_FLAGS)

binary: .venv-dev ## build dist/almanac
	@$(VENV) scripts/build_binary.py

smoke: ## try dist/almanac as a stranger's machine would
	@$(VENV) scripts/glibc_floor.py dist/almanac --most --quiet
	@$(VENV) scripts/smoke.py dist/almanac
	@$(VENV) -m pytest tests/field/test_starting.py

reproduce: .venv-dev ## build the executable twice and say whether the files are the same
	@$(VENV) scripts/reproduce.py

release: binary smoke ## dist/release: executables, bill of materials, checksums, release notes
	@$(VENV) scripts/release.py

binary-arm64: .venv-dev ## build dist/almanac-aarch64 in an emulated Debian (needs root), and try it there
	@PYTHON=$(VENV) scripts/build_arm64.sh

old-cpus: ## try dist/almanac on emulated older processors (Nehalem, Haswell)
	@scripts/try_old_cpus.sh dist/almanac

bench-launch: .venv-dev ## how fast the executable starts, beside ordinary packing
	@$(VENV) scripts/bench_launch.py

bench-edge: .venv-dev ## dist/almanac on one core, busy cores, little memory, a cold disk
	@$(VENV) scripts/bench_edge.py

bench-answer: .venv-dev ## question to evidence, first token, speed, memory
	@$(VENV) scripts/bench_answer.py

bench-search: ## search beside other methods on the public question sets (SEARCH_FLAGS="--scale 10000": among many)
	@$(PYTHON) scripts/bootstrap.py --bench $(BOOTSTRAP_FLAGS)
	@$(VENV) scripts/bench_search.py $(SEARCH_FLAGS)

bench-vectors: .venv-dev ## what a vector may cost: whole sections, first tokens, static token vectors
	@$(VENV) scripts/bench_vectors.py $(SEARCH_FLAGS)

bench-versions: .venv-dev ## snapshot, diff, publish, switch, rollback, verify (VERSIONS_FLAGS="--documents 500 --vectors")
	@$(VENV) scripts/bench_versions.py $(VERSIONS_FLAGS)
bench-backup: .venv-dev ## backup, verify and restore of 10,000 documents, beside git alone
	@$(VENV) scripts/bench_backup.py $(BACKUP_FLAGS)
bench-supply: .venv-dev ## injection among 5,000 cards and its quality, ledger, figures (SUPPLY_FLAGS="--no-models")
	@$(VENV) scripts/bench_supply.py $(SUPPLY_FLAGS)

bench-memory: .venv-dev ## what memory holds of marked documents, how it answers, 100,000 entities
	@$(VENV) scripts/bench_memory.py
bench-reading: .venv-dev ## how well PDF and DOCX are read, beside other readers (READING_FLAGS="--real DIR --pages 1000")
	@$(VENV) scripts/bench_reading.py $(READING_FLAGS)

soak: .venv-dev ## 10,000 questions through one process: memory, files, descriptors stay level (SOAK_FLAGS="--count 3000")
	@$(VENV) scripts/soak.py $(SOAK_FLAGS)

clean: ## remove what was built here (not the user's cache)
	rm -rf build dist .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
