"""The pages of the kit. Only for whoever works on the site: with DEBUG, or signed in as staff."""

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games import fragments
from games.kit.pieces import LETTERS, PAGES, TOKENS, TROUBLE, TYPE, WORDS, clocks, cloth, letter
from games.kit.states import CASES, FAR, GROUPS, NEAR
from games.pieces import ICONS
from games.rules import TILES
from games.table import FORMATS, TURNED

TABLE_FORMATS = (*FORMATS, *(f"{name}{TURNED}" for name in FORMATS))


@dataclass(frozen=True, slots=True)
class Look:
    """What the words of an address choose: `?lang=pl&theme=dark&format=strip&tiles=ebony&dir=rtl`."""

    language: str
    theme: str
    table_format: str
    tiles: str
    direction: str

    @classmethod
    def of(cls, words: QueryDict) -> "Look":
        """What is not named, or not known, is left as it is for everybody."""

        def chosen(name: str, known: tuple[str, ...]) -> str:
            word = words.get(name, "")
            return word if word in known else ""

        return cls(
            language=chosen("lang", tuple(code for code, _name in settings.LANGUAGES)),
            theme=chosen("theme", ("light", "dark")),
            table_format=chosen("format", TABLE_FORMATS),
            tiles=chosen("tiles", ("ivory", "ebony")),
            direction=chosen("dir", ("ltr", "rtl")),
        )


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The pieces, and the way to every state of the table. In English, as all that only its builders read."""
    _check_visitor(request)
    look = Look.of(request.GET)
    query = request.GET.urlencode()
    with translation.override("en"):
        context = {
            "look": look,
            "groups": GROUPS,
            "query": f"?{query}" if query else "",
            "words": tuple((_other_words(request.GET, **{name: word}), label) for name, word, label in WORDS),
            "pages": (
                *PAGES,
                *((f"/kit/{name}/", template) for name, template in TROUBLE.items()),
                *((f"/kit/{name}/", template) for name, template in LETTERS.items()),
            ),
            "tiles": TILES,
            "tokens": TOKENS,
            "type": TYPE,
            "chips": (150, 165, 15, 300),
            "clocks": clocks(),
            "cloth": cloth(),
            "names": (NEAR[0], FAR[0], "İpek", "ł"),
            "icons": tuple(ICONS),
        }
        return render(request, "kit/index.html", context)


@never_cache
@require_safe
def state(request: HttpRequest, name: str) -> HttpResponse:
    """The page of a match in this state, as a player or spectator would see it; none of its forms does anything."""
    _check_visitor(request)
    look = Look.of(request.GET)
    language = look.language or translation.get_language() or "en"
    if name in TROUBLE:
        with translation.override(language):
            shown = {"login_url": "/", "look": look, "test_deals": False, "reference": "K7QF-2M9X"}
            return render(request, TROUBLE[name], shown)
    if name in LETTERS:
        with translation.override(language):
            subject, text = letter(name)
            return render(request, "kit/letter.html", {"subject": subject, "text": text, "look": look})
    case = CASES.get(name)
    if case is None:
        raise Http404
    # The header shows whoever looks at this table, and not the designer. Never saved.
    request.user = User(username=NEAR[0])
    with translation.override(language):
        context = fragments.page_context(case.view(language=language, table_format=look.table_format or "wide"))
        direction = look.direction or case.direction
        context |= {"case": case, "look": look, "direction": direction, "test_deals": False}
        above, main, page = render_to_string("kit/state.html", context, request).partition("<main")
        return HttpResponse(f"{above}{main}{_inert(page)}")


def _other_words(words: QueryDict, **changes: str) -> str:
    """The words of an address with some of them changed."""
    changed = words.copy()
    for name, word in changes.items():
        changed[name] = word
    return changed.urlencode()


def _check_visitor(request: HttpRequest) -> None:
    """Raises Http404 for whoever has no business here."""
    if not (settings.DEBUG or request.user.is_staff):
        raise Http404


def _inert(html: str) -> str:
    """The page with forms that send nothing: a browser knows what to do with this method only in a dialog."""
    return html.replace('method="post"', 'method="dialog"')
