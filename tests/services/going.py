"""How tests go from page to page and what they hold against a page: nothing is read from one that is being left.

Today's browsers answer a click when it was pressed, not when what it leads to is there. So whatever submits a form or
follows a link is done by `follow`, or within `leaving`; what a script changes in the page is waited for with `expect`.
"""

from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, Request

SECONDS = 60  # for anything that happens at once on a machine that has nothing else to do


@contextmanager
def leaving(page: Page) -> Generator[None]:
    """What is done in the block leads to another page, or to the same one again; go on when that has loaded."""
    with page.expect_navigation():
        yield


def follow(pressed: Locator) -> None:
    """Press what leads to another page, and be there."""
    with leaving(pressed.page):
        pressed.click()


def is_left(request: Request) -> bool:
    """Whether a request failed because its page was left, not because of the page.

    A browser asks for the icon when all else has loaded, so a person who goes on at once cuts that off. Whatever else a
    page is made of is there before anybody goes on: `goto`, `follow` and `leaving` wait for it.
    """
    return request.failure == "net::ERR_ABORTED" and request.url.endswith("/icon.svg")
