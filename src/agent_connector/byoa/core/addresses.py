"""What a person types after `connect`: `workspaces.example`, `https://...`, `127.0.0.1:4100` (section 8)."""

from agent_connector.byoa.protocol import LOOPBACK, Origin, ProtocolError, parse_origin


def parse_address(text: str) -> Origin:
    """The origin that is meant: plain http only for this machine, https for everything else."""
    text = text.strip()
    if "://" in text:
        return parse_origin(text, "address")
    origin = parse_origin(f"https://{text}", "address")
    return parse_origin(f"http://{text}", "address") if origin.host in LOOPBACK else origin


def meant(text: str) -> Origin | None:
    try:
        return parse_address(text)
    except ProtocolError:
        return None
