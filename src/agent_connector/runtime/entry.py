"""The script that the launcher starts: `python -I -S entry.py hook|statusline|action|serve ...`.

A script is compiled at every start, so there is next to nothing in it. Where the installer has left a bundle for this
interpreter the modules of the hook path come out of that; without one they are found as any module is.
"""

import sys
from marshal import loads

try:
    if None in (sys.stdin, sys.stdout, sys.stderr):  # a host has closed one: no file of ours may take its number
        import os

        while os.open(os.devnull, os.O_RDWR) < 2:
            pass
    here = __file__[:-8]
    try:
        bundle = open(here + "bundle." + sys.implementation.cache_tag, "rb", 0)  # noqa: SIM115
    except OSError:
        sys.path.insert(0, here[:-25])  # less "/agent_connector/runtime/"
    else:
        loader: "dict[str, object]" = {}  # runtime/bundled.py stands first in a bundle
        exec(loads(bundle.read(int.from_bytes(bundle.read(4), "little"))), loader)  # noqa: S102, S302
        loader["install"](here[:-9], bundle)  # type: ignore[operator]
    from agent_connector.runtime.dispatch import main

    code = main(sys.argv[1:])
except Exception as error:  # noqa: BLE001  # a copy of the package that is not whole; nothing below lets one out
    code = f"agent-connector: {error}; mend it: agent-connector upgrade"
    if sys.argv[1:2] == ["hook"]:
        sys.stdout.write("{}")
        code = 0
sys.exit(code)
