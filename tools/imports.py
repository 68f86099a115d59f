"""Check the arrows between packages (.importlinter). The banner of the linter is left out."""

import contextlib
import io
import sys

from importlinter.cli import lint_imports


def main() -> int:
    """Run the linter; print its report only when an arrow is broken."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = lint_imports()
    if code:
        print(out.getvalue())
    else:
        print("import rules kept")
    return code


if __name__ == "__main__":
    sys.exit(main())
