"""The person of `served.py`, as `--person-command` calls a program. `SERVED` is the app's origin."""

import os
import re
import sys
import urllib.parse
import urllib.request


def fetch(url: str, data: bytes | None = None, **headers: str) -> str:
    named = {"Cookie": "person=ada", **{name.replace("_", "-"): value for name, value in headers.items()}}
    with urllib.request.urlopen(urllib.request.Request(url, data, named), timeout=60) as answer:  # noqa: S310  our own app
        return answer.read().decode()


def person(word: str, *arguments: str) -> None:
    origin = os.environ["SERVED"]
    if word in ("approve", "deny"):
        link, code = arguments
        form = re.search(r"<form.*?</form>", fetch(link), re.DOTALL)[0]
        fields = (dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in re.findall(r"<input[^>]*>", form))
        typed = {**{field["name"]: field.get("value", "") for field in fields}, "letters": code[-4:], "decision": word}
        fetch(link.partition("?")[0], urllib.parse.urlencode(typed).encode(), Origin=origin)
    else:
        text = [sys.stdin.read()] if word == "chat" else []
        print(fetch(f"{origin}/act", "\0".join([word, *arguments, *text]).encode()))


if __name__ == "__main__":
    person(*sys.argv[1:])
