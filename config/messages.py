"""The message catalogues: extracted, checked and compiled by Babel, so that no gettext tools are needed.

    python -m config.messages update    write new and changed messages into locale/*/LC_MESSAGES/django.po
    python -m config.messages check     say what is missing, stale, fuzzy or broken; exit code 1 if anything is
    python -m config.messages compile   make the .mo files that Django reads

English is the language of the sources and has no catalogue.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from config.environment import BASE_DIR

LOCALE_DIR = BASE_DIR / "locale"
SOURCE_DIRS = ("accounts", "config", "games", "ratings", "templates")
CATALOGUE = Path("LC_MESSAGES") / "django.po"
LANGUAGES = ("pl", "tr")
KEYWORDS = frozenset(
    {"_"} | {f"{kind}gettext{lazy}" for kind in ("", "n", "p", "np") for lazy in ("", "_lazy")} | {"gettext_noop"}
)
COMMENT_TAG = "Translators:"

Found = tuple[str | tuple[str, ...], list[str], str | None]  # message, comments, context

_LITERAL = r"""[uU]?(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
_CALL = re.compile(rf"\b(_|n?p?gettext)\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def compile_messages(locale_dir: Path = LOCALE_DIR) -> list[str]:
    """Makes each .mo that is missing or older than its .po. The languages it made, sorted."""
    made = []
    for source in sorted(locale_dir.glob(f"*/{CATALOGUE}")):
        target = source.with_suffix(".mo")
        if target.is_file() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        fresh = target.with_suffix(".mo.new")
        with fresh.open("wb") as file:
            write_mo(file, _read(source))
        fresh.rename(target)
        made.append(source.parent.parent.name)
    return made


def extract_messages(base_dir: Path = BASE_DIR) -> Catalog:
    """Every message of the Python sources and templates, with the files that use it."""
    catalogue = Catalog(project="Boneyard", charset="utf-8")
    for path in _sources(base_dir):
        name = path.relative_to(base_dir).as_posix()
        found = _from_template(path) if path.suffix in (".html", ".txt") else _from_python(path)
        for message, comments, context in found:
            catalogue.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
    return catalogue


def update_catalogues(locale_dir: Path = LOCALE_DIR) -> None:
    """Writes the present messages into each catalogue: new ones empty, those no longer used gone."""
    template = extract_messages()
    for language in LANGUAGES:
        path = locale_dir / language / CATALOGUE
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = _read(path) if path.is_file() else Catalog(locale=language, project="Boneyard", charset="utf-8")
        catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
        with path.open("wb") as file:
            write_po(file, catalogue, width=100, sort_output=True, ignore_obsolete=True, include_lineno=False)


def check_catalogues(locale_dir: Path = LOCALE_DIR) -> list[str]:
    """One line per fault; empty when every catalogue is complete and true to the sources."""
    template = extract_messages()
    wanted = {_key(message) for message in template if message.id}
    faults = []
    for language in LANGUAGES:
        path = locale_dir / language / CATALOGUE
        if not path.is_file():
            faults.append(f"{language}: there is no catalogue")
            continue
        catalogue = _read(path)
        present = {_key(message): message for message in catalogue if message.id}
        faults += [f"{language}: not in the catalogue: {key[0]!r}" for key in sorted(wanted - present.keys())]
        faults += [f"{language}: no longer used: {key[0]!r}" for key in sorted(present.keys() - wanted)]
        for message in present.values():
            faults += [f"{language}: {fault}: {_key(message)[0]!r}" for fault in _faults(message, catalogue)]
    return faults


def _faults(message: Message, catalogue: Catalog) -> Iterator[str]:
    sources = message.id if isinstance(message.id, (list, tuple)) else (message.id,)
    given_forms = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
    forms = [form or "" for form in given_forms]
    if message.fuzzy:
        yield "fuzzy"
    if not all(forms) or (len(sources) > 1 and len(forms) != catalogue.num_plurals):
        yield "not translated"
        return
    asked = [set(_PLACEHOLDER.findall(source)) for source in sources]
    for form in forms:
        given = set(_PLACEHOLDER.findall(form))
        # "One tile" need not repeat the count; nothing may be used that no source form has.
        if not set.intersection(*asked) <= given <= set.union(*asked):
            yield f"placeholders differ in {form!r}"
        if form.startswith("\n") != sources[0].startswith("\n") or form.endswith("\n") != sources[0].endswith("\n"):
            yield f"a line break at one end only in {form!r}"


def _sources(base_dir: Path) -> list[Path]:
    found: list[Path] = []
    for folder in SOURCE_DIRS:
        for suffix in ("py", "html", "txt"):
            found += (base_dir / folder).rglob(f"*.{suffix}")
    return sorted(path for path in found if "migrations" not in path.parts)


def _from_python(path: Path) -> Iterator[Found]:
    """The calls in a module, those inside f-strings too, which Babel's own extraction passes over."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
        words = tuple(
            word.value for word in call.args if isinstance(word, ast.Constant) and isinstance(word.value, str)
        )
        if name in KEYWORDS and words:
            above = lines[call.lineno - 2].strip() if call.lineno > 1 else ""
            comment = above.removeprefix("# ")
            yield _found(name, words, [comment] if comment.startswith(COMMENT_TAG) else [])


def _from_template(path: Path) -> Iterator[Found]:
    """Django turns a template into calls of gettext among blanked-out text; here the calls are read off."""
    for call in _CALL.finditer(templatize(path.read_text(encoding="utf-8"))):
        yield _found(call[1], ast.literal_eval(f"({call[2]},)"), [])


def _found(call: str, words: tuple[str, ...], comments: list[str]) -> Found:
    """The message that a call of gettext asks for: its letters n and p say what its words are."""
    kind = call.partition("gettext")[0]
    context = words[0] if "p" in kind else None
    rest = words[1:] if context is not None else words
    return (rest[:2] if "n" in kind else rest[0]), comments, context


def _key(message: Message) -> tuple[str, str, str]:
    ids = message.id if isinstance(message.id, (list, tuple)) else (message.id, "")
    return ids[0], ids[1], message.context or ""


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def main(words: list[str]) -> int:
    match words:
        case ["update"]:
            update_catalogues()
        case ["check"]:
            faults = check_catalogues()
            sys.stdout.write("".join(f"{fault}\n" for fault in faults))
            return 1 if faults else 0
        case ["compile"]:
            compile_messages()
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
