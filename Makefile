# `make run` and `make test` do all set-up by themselves: a virtual environment in .venv, with uv where it is there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
FILE ?=

.PHONY: run test test-window lint types layers check bench translations pictures clean system

run: $(VENV)/ready system
ifeq ($(strip $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname -s))),)
	@echo "There is no display, so the demo window is rendered to a picture instead."
	$(BIN)/branchwork --demo --screenshot branchwork-demo.png
	@echo "Look at branchwork-demo.png."
else
	$(BIN)/branchwork $(if $(FILE),"$(FILE)",--demo)
endif

test: $(VENV)/ready system
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist worksteal

# The story in a real window, on a virtual display where there is no other.
test-window: $(VENV)/ready system
ifeq ($(strip $(DISPLAY)),)
	xvfb-run -a -s "-screen 0 1600x1000x24" $(BIN)/python -m pytest tests/gui/test_real_window.py
else
	$(BIN)/python -m pytest tests/gui/test_real_window.py
endif

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

layers: $(VENV)/ready
	$(BIN)/lint-imports

check: lint types layers test

# Texts of the sources into resources/translations/*.ts, and those compiled; see docs/translating.md.
LANGUAGES := tr
translations: $(VENV)/ready
	$(BIN)/python -m tests.sentences $(VENV)/sentences.py
	for language in $(LANGUAGES); do \
	  file=resources/translations/branchwork_$$language; \
	  $(BIN)/pyside6-lupdate $$(find gui -name '*.py' | LC_ALL=C sort) $(VENV)/sentences.py -ts $$file.ts \
	    -no-obsolete -locations none -source-language en -target-language $$language && \
	  $(BIN)/pyside6-lrelease $$file.ts -qm $$file.qm || exit 1; \
	done

# The pictures of docs/tour.md, from the demo. Look at them before you keep them.
pictures: $(VENV)/ready
	$(BIN)/python .ci/make_pictures.py docs/pictures

system:
	@$(PYTHON) .ci/check_system.py

# Installed anew when what is asked for changes.
$(VENV)/ready: pyproject.toml constraints.txt
ifneq ($(UV),)
	uv venv --quiet --allow-existing --python "$(PYTHON)" $(VENV)
	VIRTUAL_ENV=$(VENV) uv pip install --quiet --editable ".[dev]" --constraint constraints.txt
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]" --constraint constraints.txt
endif
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis htmlcov .coverage mutants
