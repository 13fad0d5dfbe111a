# The commands that stay stable. Needs Python 3.11+ with venv, and make.
PYTHON ?= python3
VENV_PYTHON = .venv/bin/python
export PYTHONPATH := .

.PHONY: help setup run test check format demo-reset lock coverage

help:
	@echo "make run         start the whole product (embedded database, broker, model, demo)"
	@echo "make test        run the default test suite"
	@echo "make check       lint, types, layers, migrations, translations"
	@echo "make demo-reset  remove the demo organisations and seed them again"

setup:
	@$(PYTHON) airis/launcher/setup.py --dev

run:
	@$(PYTHON) airis/launcher/setup.py
	@exec $(VENV_PYTHON) -m airis.launcher run

test: setup
	@$(VENV_PYTHON) -m airis.launcher services -- $(VENV_PYTHON) -m pytest $(or $(ARGS),-n 2 --dist loadfile --no-loadscope-reorder)

check: setup
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m ruff format --check .
	@$(VENV_PYTHON) -m mypy
	@.venv/bin/python -c "from importlinter.cli import lint_imports_command; lint_imports_command()"
	@$(VENV_PYTHON) manage.py makemigrations --check --dry-run

format: setup
	@$(VENV_PYTHON) -m ruff check --fix .
	@$(VENV_PYTHON) -m ruff format .

coverage: setup
	@$(VENV_PYTHON) -m airis.launcher services -- $(VENV_PYTHON) -m coverage run -m pytest $(ARGS)
	@$(VENV_PYTHON) -m coverage report

demo-reset: setup
	@$(VENV_PYTHON) -m airis.launcher services -- sh -c "$(VENV_PYTHON) manage.py remove_demo && $(VENV_PYTHON) manage.py seed_demo"

lock:
	@cd requirements && for part in base dev; do \
	  ../.venv/bin/python -m uv pip compile -q --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-header -o $$part.txt $$part.in; done
