"""The page as an ASGI application: one address, filters in it, a style sheet, nothing that changes anything."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from agent_connector.dashboard import charts, figures, query
from agent_connector.dashboard.access import Guard
from agent_connector.deploy.detect import this_machine
from agent_connector.errors import AgentConnectorError
from agent_connector.home import tables
from agent_connector.hosts.table import HOSTS, LATER
from agent_connector.version import __version__

FOLDER = Path(__file__).with_name("templates")
FILES = {"/style.css": "style.css", "/icon.svg": "icon.svg"}
WORDS = {
    "ok": ("✓", "as it should be"),
    "missing": ("✗", "not there"),
    "drifted": ("≠", "somebody changed it"),
    "stale": ("↻", "of an older version"),
    "foreign": ("?", "somebody else's stands there"),
    "duplicate": ("‼", "there twice"),
    "free": ("·", "nothing installed"),
    "none": ("-", "the host has no such thing"),
}


def make(root: str, token: str, port: int, reading: Callable[[], bool] = lambda: False, usage_root: str = "") -> Guard:
    """The application, behind its guard. `reading` tells whether logs are being read just now.

    `usage_root` is where the index of usage is, when that is not below `root`.
    """
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_readable,
    )
    environment.filters |= {"short": charts.short, "money": _money}
    template = environment.get_template("page.html")

    def render(asked: query.Query) -> tuple[str, int]:
        shown = {"charts": charts, "words": WORDS, "since": query.SINCE, "version": __version__, "reading": reading()}
        try:
            found = figures.gather(root, this_machine(), asked, usage_root)
        except AgentConnectorError as error:
            return template.render(found=None, error=error, asked=asked, **shown), 400
        return template.render(found=found, error=None, asked=asked, **shown), 200

    async def page(request: Request) -> Response:
        asked = query.parse(request.query_params.multi_items(), (*HOSTS, *LATER))
        return HTMLResponse(*await run_in_threadpool(render, asked))

    async def file(request: Request) -> Response:
        return FileResponse(FOLDER / FILES[request.url.path])

    return Guard(Starlette(routes=[Route("/", page), *(Route(path, file) for path in FILES)]), token, port)


def _readable(value: object) -> object:
    """Names come from anybody: what steers text instead of being read (bidirectional marks, escapes) is a question mark."""
    if type(value) is not str or value.isprintable():
        return value
    return "\n".join(map(tables.clean, value.split("\n")))


def _money(value: float) -> str:
    return charts.amount(value, "$")
