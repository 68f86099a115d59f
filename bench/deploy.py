"""What the verbs cost that a person waits for, as multiples of `python -c "import click, rich"`.

Five hosts' folders in a scratch home; the Acme example is installed for real. `python -m bench.deploy [--quick]`.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench._ratio import Case, paired, show

ACME = Path(__file__).resolve().parent.parent / "examples" / "acme" / "connector.py"
FOLDERS = (".claude", ".codex", ".cursor", ".gemini", ".config/opencode")


def main() -> int:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds = 3 if parser.parse_args().quick else 9
    home = Path(tempfile.mkdtemp(prefix="bench-deploy-"))
    try:
        for name in FOLDERS:
            (home / name).mkdir(parents=True)
        env = {"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}

        def verb(name: str, *words: str) -> Case:
            return Case(name, [sys.executable, "-m", "agent_connector", *words], env=env)

        base = Case('python -c "import click, rich"', [sys.executable, "-c", "import click, rich"], env=env)
        install = ("install", "--connector", str(ACME), "--targets", "all")
        first = show("first install", paired(base, [verb("install in all, --force", *install, "--force")], rounds))
        cases = [
            verb("--help", "--help"),
            verb("detect", "detect"),
            verb("status", "status"),
            verb("install, nothing to do", *install),
            verb("doctor", "doctor"),
        ]
        return 0 if show("then", paired(base, cases, rounds)) and first else 1
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
