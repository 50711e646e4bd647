"""The finer rules of who may use what; import-linter keeps the coarse ones (pyproject.toml)."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounts", "config", "games", "ratings")
SOURCES = sorted(
    path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts
)
# The pairing, the rules and the rating arithmetic are libraries: values in, values out.
PAIRING = [ROOT / "games" / "lobby" / f"{name}.py" for name in ("candidates", "pairing", "waiting")]
PURE = [*(path for path in SOURCES if "rules" in path.parts), *PAIRING, ROOT / "ratings" / "elo.py"]
# So are the strategies of the house players, but for the dice and the stop-watch of a search.
STRATEGY = sorted((ROOT / "games" / "bots" / "strategy").rglob("*.py"))
# The games of chance and the passing of time are arguments there.
IMPURE_MODULES = {"time", "datetime", "random", "secrets", "uuid", "os", "socket", "threading", "asyncio", "logging"}
# A transaction is begun here only.
DOORS = [path for path in SOURCES if "games" in path.parts and path.name in {"consumers.py", "views.py", "tasks.py"}]
WRITES = {"save", "create", "bulk_create", "bulk_update", "update_or_create", "get_or_create", "select_for_update"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(path: Path) -> Iterator[str]:
    """Every module a file names in an import, absolute."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module or "")))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def calls(path: Path) -> Iterator[str]:
    """The last name of everything a file calls."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr


def test_games_itself_is_empty_so_that_the_rules_import_without_django() -> None:
    assert (ROOT / "games" / "__init__.py").read_text() == ""


@pytest.mark.parametrize("path", PURE, ids=name_of)
def test_the_pure_parts_use_the_standard_library_and_themselves(path: Path) -> None:
    others = {module.partition(".")[0] for module in imported(path)} - set(sys.stdlib_module_names)
    if "rules" in path.parts:
        assert all(module.startswith("games.rules") for module in imported(path) if module.startswith("games"))
        others -= {"games"}
    if path in PAIRING:
        ours = {module for module in imported(path) if module.startswith("games.lobby.")}
        assert {module.split(".")[2] for module in ours} <= {name.stem for name in PAIRING}
        # The matching is not ours to write.
        others -= {"games", "rustworkx"}
    assert not others


@pytest.mark.parametrize("path", [path for path in PURE if path.name != "referee.py"], ids=name_of)
def test_the_pure_parts_read_no_clock_and_throw_no_dice(path: Path) -> None:
    assert not {module.partition(".")[0] for module in imported(path)} & IMPURE_MODULES


@pytest.mark.parametrize("path", STRATEGY, ids=name_of)
def test_a_strategy_uses_the_standard_library_and_the_rules(path: Path) -> None:
    for module in imported(path):
        is_of_site = module.partition(".")[0] not in sys.stdlib_module_names
        assert not is_of_site or module.startswith(("games.rules", "games.bots.strategy")), module


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_a_service_keeps_transactions(path: Path) -> None:
    """A service is one file, or a package of them."""
    if path.name != "service.py" and not {"service", "management"} & set(path.parts):
        assert "django.db.transaction" not in set(imported(path))


@pytest.mark.parametrize("path", DOORS, ids=name_of)
def test_the_doors_write_nothing_themselves(path: Path) -> None:
    assert not set(calls(path)) & WRITES


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_settings_are_not_read_at_import(path: Path) -> None:
    """A setting that is read when its module is loaded cannot be changed by a test, nor named late."""
    if path.parts[-2] == "config" or path.name == "models.py":
        return
    for statement in tree_of(path).body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            continue
        for node in ast.walk(statement):
            assert not (
                isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "settings"
            ), f"line {node.lineno}"
