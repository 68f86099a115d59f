"""What a report's files were and would be, as unified diffs for a person to read."""

import difflib

from agent_connector.deploy.change import FileResult, Report

_NO_NEWLINE = "\n\\ No newline at end of file\n"
_SHOWN = 4 << 20  # bytes; a diff of more is slower than it is useful


def render(report: Report) -> str:
    """One unified diff per file that changed, as `diff -u` writes them."""
    return "".join(file_diff(result) for result in report.files)


def file_diff(result: FileResult) -> str:
    """The diff of one file; a line that says so for one that is not text."""
    before, after = result.before or b"", result.after or b""
    names = (_name("a", result, result.before), _name("b", result, result.after))
    if max(len(before), len(after)) > _SHOWN or b"\0" in before + after:
        return f"--- {names[0]}\n+++ {names[1]}\n{len(before)} bytes before, {len(after)} bytes after\n"
    old, new = (data.decode(errors="replace").splitlines(keepends=True) for data in (before, after))
    diff = difflib.unified_diff(old, new, *names, n=3)
    text = "".join(line if line.endswith("\n") else line + _NO_NEWLINE for line in diff)
    return text or f"--- {names[0]}\n+++ {names[1]}\n"


def _name(side: str, result: FileResult, data: bytes | None) -> str:
    return "/dev/null" if data is None else f"{side}/{result.file.lstrip('/')}"
