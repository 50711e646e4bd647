"""Every clause of the rules has a test that says so (`@pytest.mark.clause`)."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]

CLAUSES = {f"SB-{number}" for number in range(1, 78)}
# D-1, D-2, D-24, D-25, D-27 to D-30 and D-34 speak of the service and the site.
DECISIONS = {f"D-{number}" for number in (*range(3, 24), 26, 31, 32, 33, *range(35, 41))}


def marked(tree: ast.AST) -> Iterator[str]:
    """The clauses named by `pytest.mark.clause(...)` anywhere in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def clauses_with_a_test() -> set[str]:
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        found.update(marked(ast.parse(path.read_text(encoding="utf-8"))))
    return found


def in_order(clauses: set[str]) -> list[str]:
    return sorted(clauses, key=lambda clause: (clause.partition("-")[0], int(clause.partition("-")[2])))


def test_no_clause_is_without_a_test() -> None:
    assert in_order((CLAUSES | DECISIONS) - clauses_with_a_test()) == []


def test_no_marker_names_a_clause_that_does_not_exist() -> None:
    known = {*(f"SB-{number}" for number in range(1, 83)), *(f"D-{number}" for number in range(1, 41))}
    assert in_order({clause for clause in clauses_with_a_test() if clause.startswith(("SB-", "D-"))} - known) == []


def test_markers_are_found_in_decorators_and_module_marks() -> None:
    text = 'pytestmark = pytest.mark.clause("SB-1")\n@pytest.mark.clause("SB-2", "D-3")\ndef test_it() -> None: ...\n'
    assert set(marked(ast.parse(text))) == {"SB-1", "SB-2", "D-3"}
