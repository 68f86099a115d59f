"""Ids, codes and tokens out of random bytes, and the only form in which secrets are kept: SHA-256 (section 3 of the wire)."""

import base64
import hashlib
import hmac

from agent_connector.byoa.app.clock import Randomness
from agent_connector.byoa.protocol import CODE_LETTERS

FAIR = 256 - 256 % len(CODE_LETTERS)  # bytes from here on would favour the first letters


def spelled(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def new_id(random: Randomness, kind: str) -> str:
    """`m_...`: 96 bits, enough that two are never the same; what is secret takes `new_secret`."""
    return f"{kind}_{spelled(random(12))}"


def new_secret(random: Randomness) -> str:
    """A token or a device code: 256 bits."""
    return spelled(random(32))


def new_user_code(random: Randomness) -> str:
    """Eight letters without vowels, each as likely as another."""
    letters = ""
    while len(letters) < 8:
        letters += "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in random(16) if byte < FAIR)
    return letters[:8]


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8")).hexdigest()


def signed(secret: str, *parts: str) -> str:
    """A mark that only this app can make for these parts."""
    return hmac.new(secret.encode(), "\0".join(parts).encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def same(one: str, other: str) -> bool:
    """Compared in a time that does not tell how much of it was right."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))
