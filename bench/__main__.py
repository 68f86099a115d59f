"""Every bench in turn: `python -m bench [NAME ...]`. Prints ratios; exits 1 when one misses what was promised."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("[a-z]*.py"))


def main() -> int:
    """Run each in a process of its own, so that none warms another up."""
    chosen = sys.argv[1:] or NAMES
    unknown = sorted(set(chosen) - set(NAMES))
    if unknown:
        sys.exit(f"no bench {unknown[0]!r}; there are: {', '.join(NAMES)}")
    codes = [subprocess.run([sys.executable, "-m", f"bench.{name}"], cwd=HERE.parent, check=False) for name in chosen]
    return max(code.returncode for code in codes)


if __name__ == "__main__":
    sys.exit(main())
