"""Getting a key: minted with a person's e-mail and password at the board, and tried before it is kept.

The password goes to the board's login and nowhere else: it is in no error, no log and no file.
"""

from typing import TYPE_CHECKING, Any, cast

from agent_connector.errors import AgentConnectorError, BoardRefused, BoardUnreachable, BoardWrong
from agent_connector.worker.credentials import Credentials, key

if TYPE_CHECKING:
    import httpx2

SECONDS = 30.0
LARGEST = 64 * 1024
_UP = "Is the address right, and the board up?"


async def mint(
    base_url: str, email: str, password: str, *, transport: "httpx2.AsyncBaseTransport | None" = None
) -> Credentials:
    """A new key of that person; BoardRefused when the pair is wrong."""
    import httpx2

    from agent_connector.worker.credentials import loopback

    proxied = not loopback(httpx2.URL(base_url).host)  # a proxy of the environment is not asked for this machine itself
    async with httpx2.AsyncClient(
        timeout=SECONDS, transport=transport, follow_redirects=False, trust_env=proxied
    ) as http:
        token = await _ask(http, f"{base_url}/api/login", "token", {"email": email, "password": password})
        minted = await _ask(http, f"{base_url}/api/mcp-key", "key", {}, {"authorization": f"Bearer {token}"})
    return Credentials(base_url, key(minted, base_url))


async def tried(
    held: Credentials, *, allow_insecure: bool, transport: "httpx2.AsyncBaseTransport | None" = None
) -> str:
    """The board's time: the key opens it."""
    from agent_connector.board.client import BoardClient

    client = BoardClient(held.base_url, held.mcp_key, allow_insecure=allow_insecure, transport=transport)
    try:
        async with client as board:
            return await board.ping()
    except BoardUnreachable as error:
        raise BoardUnreachable(error.what, where=held.base_url, remedy=_UP) from None
    except BoardRefused as error:
        if error.code != "unauthorized":
            raise
        remedy = "Nothing was kept. Copy the key again, or have the board make one: give your e-mail."
        raise BoardRefused(
            "the board does not take that key", code=error.code, where=held.base_url, remedy=remedy
        ) from None


async def _ask(
    http: "httpx2.AsyncClient", url: str, field: str, body: dict[str, str], headers: dict[str, str] | None = None
) -> str:
    """One text of the board's answer."""
    import httpx2

    try:
        answer = await http.post(url, json=body, headers=headers or {})
    except httpx2.HTTPError as error:
        raise BoardUnreachable(
            f"the board does not answer ({type(error).__name__})",
            where=url,
            remedy=_UP,
        ) from None
    if answer.status_code >= 300:
        raise _refused(answer.status_code, answer.headers.get("retry-after"), url)
    try:
        value: object = answer.json()
    except ValueError:
        value = None
    held = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    found = held.get(field)
    if not isinstance(found, str) or len(found) > LARGEST:
        raise BoardWrong("the answer is not that of a board", where=url, remedy="Is the address right?")
    return found


def _refused(status: int, retry_after: str | None, url: str) -> AgentConnectorError:
    if status == 429:
        wait = f" for {retry_after} seconds" if retry_after and retry_after.isdecimal() else " a while"
        return BoardRefused("too many failed logins", code="too_many_requests", where=url, remedy=f"Wait{wait}.")
    if status in (401, 403):
        return BoardRefused("that e-mail and password are not taken", code="unauthorized", where=url)
    if status == 404:
        remedy = "Is the address right? A key that was made elsewhere can be pasted instead."
        return BoardRefused("the board has no such door", code="not_found", where=url, remedy=remedy)
    if status >= 500:
        return BoardUnreachable(f"the board has a fault ({status})", where=url, remedy="Try again later.")
    return BoardRefused(f"the board refuses it ({status})", code="invalid", where=url)
