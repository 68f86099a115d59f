r"""Secrets told by where they stand: headers, cookies, key blocks, addresses with a password, and values whose key names a secret."""

from agent_connector.redaction import spared
from agent_connector.redaction.model import Pattern

# A quote as written, as it is inside a JSON string, and as it is inside a JSON string of a JSON string.
QUOTE = r"""(?:\\{0,3}["'])"""
GAP = r"[ \t]{0,4}"
HEADER = rf"{QUOTE}?{GAP}[:=]{GAP}{QUOTE}?"

PASSWORD = r"(?:passw(?:or)?d|pass[_-]?phrase|passcode|[_-]pass)"  # noqa: S105 - a pattern
SECRET = r"(?:secret|credentials?)"  # noqa: S105 - a pattern
TOKEN = (
    r"(?:token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|secret[_-]?key|auth[_-]?key|encryption[_-]?key|"  # noqa: S105
    r"signing[_-]?key|master[_-]?key|subscription[_-]?key|session[_-]?key|[_-]auth)"
)
MORE = (
    r"(?:[_-]?(?:key|value|base|text|prod|production|dev|test|staging|live|old|new|primary|secondary|[0-9]{1,3})){0,2}"
)
# `password` of `passwordless` is none; what follows a key is at once its quote, blanks and the sign.
SIGN = rf"{QUOTE}?{GAP}(?:[:=]{{1,3}}>?|=>){GAP}"
# What goes on in quotes, and what in one more layer of quoting.
IN_DOUBLE = r"""(?:[^"\\\r\n]|\\[^\r\n])"""
IN_SINGLE = r"""(?:[^'\\\r\n]|\\[^\r\n])"""
IN_ESCAPED = r"""(?:[^"\\\r\n]|\\\\\\?[^\r\n])"""
IN_TWICE = r"""[^"\\\r\n]"""
BARE = r"""[^ \t\r\n\f"'`,;&<>(){}|\[\]\\]"""
LOOSE = r"""[^ \t\r\n\f"'`;&<>{}|\\]"""  # a password may hold more

BLOCK = (
    r"(?:[A-Za-z0-9+/= \t\r\n:,.()#>|@]|-[A-Za-z0-9]|\\{1,2}[nrt]|"
    "\\xe2\\x86\\x92)"  # the arrow after the line number in what some agents' tools print
)

HEADERS: tuple[Pattern, ...] = (
    Pattern(
        "authorization",
        "Authorization header: one token",
        rf"(?i:authorization){HEADER}(?i:bearer|basic|token|apikey|bot|key|negotiate)[ \t]{{1,4}}([^ \t\r\n\"'\\,;])",
        "RFC 9110 section 11.6.2, RFC 6750, RFC 7617",
        r"""[^ \t\r\n"'\\,;]""",
        spared.placeholder,
    ),
    Pattern(
        "authorization",
        "Authorization header: several parts, to the end of the line",
        rf"(?i:authorization){HEADER}(?i:digest|aws4-hmac-sha256|hawk|oauth|mac|ntlm|dpop|sharedkey|sharedkeylite|sharedaccesssignature)[ \t]{{1,4}}([^\r\n])",
        "RFC 7616, docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html (2026-12-01)",
        r"[^\r\n]",
    ),
    Pattern(
        "authorization",
        "Authorization header without a scheme",
        rf"(?i:authorization){HEADER}([^ \t\r\n\"'\\,;]{{8}})",
        "RFC 9110 section 11.6.2",
        r"""[^ \t\r\n"'\\,;]""",
        spared.scheme,
    ),
    Pattern(
        "bearer",
        "bearer token outside a header",
        r"\b(?i:bearer)[ \t]{1,4}([A-Za-z0-9._~+/-]{16})",
        "RFC 6750",
        "[A-Za-z0-9._~+/=-]",
        spared.undigited,
    ),
    Pattern(
        "cookie",
        "Cookie and Set-Cookie header, to the end of the line",
        rf"(?i:cookie2?){QUOTE}?{GAP}:{GAP}{QUOTE}?([\w.%$!#*+^~|-]{{1,100}}=[^\r\n\"'\\])",
        "RFC 6265",
        r"""[^\r\n"'\\]""",
    ),
    Pattern(
        "jwt",
        "JSON Web Token",
        r"\b(eyJ[\w-]{10,600}\.eyJ[\w-]{10})",
        "RFC 7519",
        "[A-Za-z0-9_.=-]",
    ),
)

BLOCKS: tuple[Pattern, ...] = (
    Pattern(
        "private-key",
        "private key block: PEM, OpenSSH, PGP, SSH2; up to its END or to what cannot belong to it",
        r"(-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5})",
        "RFC 7468, RFC 4716, RFC 9580",
        BLOCK,
    ),
    Pattern(
        "private-key",
        "private key without its first line",
        r"\b(MI[IGH][A-Za-z0-9+/]{1,4}(?:IBAAKC|IBADANBgkqhkiG9w0|CAQEEI|CAQAwBQYDK2Vw|GHAgEAMBMG)[A-Za-z0-9+/]{16})",
        "RFC 5208, RFC 5915, RFC 8017, in base64 (DER)",
        r"(?:[A-Za-z0-9+/=\r\n]|\\{1,2}[nr])",
    ),
    Pattern(
        "private-key",
        "PuTTY private key",
        r"(Private-Lines: [0-9]{1,3}(?:\\n|\r?\n))",
        "tartarus.org/~simon/putty-snapshots/htmldoc/AppendixC.html (2026-12-01)",
        r"(?:[A-Za-z0-9+/=\r\n]|\\{1,2}[nr])",
    ),
    Pattern(
        "age",
        "age identity",
        r"\b(AGE-SECRET-KEY-1[A-Z0-9]{50})",
        "github.com/gitleaks/gitleaks config/gitleaks.toml, rule age-secret-key (seen 2026-12-01)",
        "[A-Z0-9]",
    ),
)

ADDRESSES: tuple[Pattern, ...] = (
    Pattern(
        "password",
        "password in an address",
        r""":(?://|\\/\\/)[^ \t\r\n:/?#@"'<>\\\[]{0,100}:([^ \t\r\n@"'<>\\]{1,200})@""",
        "RFC 3986 section 3.2.1",
        "",
        spared.port,
    ),
    Pattern(
        "password",
        "password in a database's string",
        r"""(?i:(?:[;"']pwd|; pwd)[ ]?=[ ]?)([^;"'\r\n\\])""",
        "learn.microsoft.com/dotnet, SqlConnection.ConnectionString (2026-12-01)",
        r"""[^;"'\r\n\\]""",
        spared.placeholder,
    ),
    Pattern(
        "password",
        "user and password given to curl",
        r"""(?:[ \t"']-u[ \t]{0,2}|--user[ =])["']?[\w.@%+-]{1,64}:([^ \t\r\n"'\\:])""",
        "curl.se/docs/manpage.html (2026-12-01)",
        r"""[^ \t\r\n"'\\]""",
        spared.user,
    ),
    Pattern(
        "password",
        "password of a netrc or pgpass-like line",
        r"(?i:\blogin[ \t]{1,4})[^ \t\r\n]{1,64}[ \t]{1,4}(?i:password[ \t]{1,4})([^ \t\r\n\"'\\])",
        "gnu.org/software/inetutils/manual, the .netrc file (2026-12-01)",
        r"""[^ \t\r\n"'\\]""",
        spared.placeholder,
    ),
)


def _assigned(
    kind: str, what: str, names: str, quoted: spared.Spared, bare: spared.Spared, loose: str
) -> tuple[Pattern, ...]:
    key = rf"(?i:{names}{MORE})"
    source = "our own: the key says that it is one"
    return (
        Pattern(kind, f"{what}, in double quotes", rf'{key}{SIGN}"({IN_DOUBLE})', source, IN_DOUBLE, quoted),
        Pattern(kind, f"{what}, in single quotes", rf"{key}{SIGN}'({IN_SINGLE})", source, IN_SINGLE, quoted),
        Pattern(
            kind, f"{what}, in quotes inside a string", rf'{key}{SIGN}\\"({IN_ESCAPED})', source, IN_ESCAPED, quoted
        ),
        Pattern(
            kind, f"{what}, in quotes two strings deep", rf'{key}{SIGN}\\{{2,3}}"({IN_TWICE})', source, IN_TWICE, quoted
        ),
        Pattern(kind, f"{what}, without quotes", rf"{key}{SIGN}({loose})", source, loose, bare),
        Pattern(
            kind,
            f"{what}, as an option of a command",
            rf"""--(?:[A-Za-z0-9]{{1,20}}-){{0,3}}{key}[ =]["']?([^ \t\r\n"'\\-])""",
            source,
            r"""[^ \t\r\n"'\\]""",
            bare,
        ),
    )


ASSIGNED: tuple[Pattern, ...] = (
    Pattern(
        "password",
        "a password that is one word, alone to the end of its line",
        rf"(?i:{PASSWORD}{MORE}){SIGN}([A-Za-z]{{1,64}})[ \t]{{0,4}}(?:\r?\n|\\n|\z)",
        "our own: the key says that it is one",
        "",
        spared.code,
    ),
    *_assigned("password", "value of a key that names a password", PASSWORD, spared.placeholder, spared.prose, LOOSE),
    *_assigned("secret", "value of a key that names a secret", SECRET, spared.placeholder, spared.name, BARE),
    *_assigned("token", "value of a key that names a token or key", TOKEN, spared.name, spared.name, BARE),
)

TABLE: tuple[Pattern, ...] = BLOCKS + HEADERS + ADDRESSES + ASSIGNED
