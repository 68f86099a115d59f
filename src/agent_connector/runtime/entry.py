"""The script that the launcher starts: `python -I -S entry.py hook|statusline|action|serve ...`.

A script is compiled at every start and modules are cached, so there is next to nothing in it.
"""

import sys

sys.path.insert(0, __file__.replace("\\", "/").rsplit("/", 3)[0])

try:
    from agent_connector.runtime.dispatch import main

    code = main(sys.argv[1:])
except Exception as error:  # noqa: BLE001  # a copy of the package that is not whole; nothing below this lets an exception out
    if sys.argv[1:2] == ["hook"]:
        print("{}")
        code = 0
    else:
        print(f"agent-connector: {error}; mend it: agent-connector upgrade", file=sys.stderr)
        code = 1
sys.exit(code)
