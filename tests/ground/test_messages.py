"""Extraction, check and compilation of the message catalogues."""

import gettext
from pathlib import Path

import pytest

from config import messages

TEMPLATE = """\
{% load i18n %}<p>{% translate "Draw a tile" %}</p> it's _("not this")
{% blocktranslate count n=n trimmed %}
  {{ n }} tile{% plural %}{{ n }} tiles{% endblocktranslate %}
{% translate "Bid" context "verb" %} {{ _("Pass")|upper }}
"""
PYTHON = """\
from django.utils.translation import gettext as _, ngettext, pgettext
_("It is your turn.")
ngettext("%(count)d point", "%(count)d points", 2)
pgettext("noun", "Bid")
# Translators: on a button.
mark = f"<b>{escape(_('Go on'))}</b>" + _("in two " "parts")
gettext(mark)
"""
HEADER = """\
msgid ""
msgstr ""
"Language: tr\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

"""


@pytest.fixture
def locale_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one template, one module and an empty place for catalogues."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "views.py").write_text(PYTHON)
    found = messages.extract_messages(tmp_path)
    monkeypatch.setattr(messages, "extract_messages", lambda: found)
    monkeypatch.setattr(messages, "LANGUAGES", ("tr",))
    return tmp_path / "locale"


def write(locale_dir: Path, entries: str) -> Path:
    path = locale_dir / "tr" / messages.CATALOGUE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + entries)
    return path


def test_every_call_in_sources_and_templates_is_found(locale_dir: Path) -> None:
    assert {(message.id, message.context) for message in messages.extract_messages() if message.id} == {
        ("Draw a tile", None),
        (("%(n)s tile", "%(n)s tiles"), None),
        ("Bid", "verb"),
        ("Pass", None),
        ("It is your turn.", None),
        (("%(count)d point", "%(count)d points"), None),
        ("Bid", "noun"),
        ("Go on", None),
        ("in two parts", None),
    }


def test_a_comment_for_translators_comes_along(locale_dir: Path) -> None:
    assert messages.extract_messages()["Go on"].auto_comments == ["Translators: on a button."]


def test_update_adds_what_is_new_and_drops_what_is_gone(locale_dir: Path) -> None:
    path = write(locale_dir, 'msgid "Pass"\nmsgstr "Pas"\n\nmsgid "Gone"\nmsgstr "Gitti"\n')
    messages.update_catalogues(locale_dir)
    text = path.read_text()
    assert 'msgid "Pass"\nmsgstr "Pas"' in text
    assert "Gone" not in text
    assert 'msgctxt "noun"' in text
    messages.update_catalogues(locale_dir)
    assert path.read_text() == text
    faults = messages.check_catalogues(locale_dir)
    assert len(faults) == 8
    assert all(fault.startswith("tr: not translated: ") for fault in faults)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('#, fuzzy\nmsgid "Pass"\nmsgstr "Pas"\n', "tr: fuzzy: 'Pass'"),
        ('msgid "Gone"\nmsgstr "Gitti"\n', "tr: no longer used: 'Gone'"),
        ("", "tr: not in the catalogue: 'Pass'"),
        (
            'msgid "%(n)s tile"\nmsgid_plural "%(n)s tiles"\nmsgstr[0] "bir taş"\nmsgstr[1] "%(m)s taş"\n',
            "tr: placeholders differ in 'bir taş': '%(n)s tile'",
        ),
        ('msgid "Pass"\nmsgstr "Pas\\n"\n', "tr: a line break at one end only in 'Pas\\n': 'Pass'"),
    ],
)
def test_each_fault_is_named(locale_dir: Path, entry: str, fault: str) -> None:
    write(locale_dir, entry)
    assert fault in messages.check_catalogues(locale_dir)


def test_a_missing_catalogue_is_a_fault(locale_dir: Path) -> None:
    assert messages.check_catalogues(locale_dir) == ["tr: there is no catalogue"]


def test_compiled_messages_are_read_by_gettext_and_made_once(locale_dir: Path) -> None:
    path = write(locale_dir, 'msgid "Pass"\nmsgstr "Pas"\n\n#, fuzzy\nmsgid "Bid"\nmsgstr "?"\n')
    assert messages.compile_messages(locale_dir) == ["tr"]
    assert messages.compile_messages(locale_dir) == []
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert compiled.gettext("Pass") == "Pas"
    assert compiled.gettext("Bid") == "Bid"
