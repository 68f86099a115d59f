"""The program that Cline starts at an event: it calls each connector's part, and says what comes of their answers."""

_CALLER = """\
#!/bin/sh
# Calls the hooks of agent-connector's connectors: every agent-connector-*.@EVENT@ beside this file. The last connector
# that leaves removes it. The first that cancels or changes has the word; texts for the model are put together.
folder=$(dirname "$0")
set --
for part in "$folder"/agent-connector-*.@EVENT@; do
  [ -x "$part" ] && set -- "$@" "$part"
done
case $# in
0) cat >/dev/null; exit 0 ;;
1) exec "$1" ;;
esac
payload=$(cat)
before='{"contextModification":"'
text=
for part; do
  answer=$(printf '%s' "$payload" | "$part" 2>/dev/null)
  case $answer in
  '' | '{}') ;;
  "$before"*'"}')
    answer=${answer#"$before"}
    text=$text${text:+'\\n\\n'}${answer%'"}'}
    ;;
  *) printf '%s' "$answer"; exit 0 ;;
  esac
done
[ -z "$text" ] || printf '%s%s"}' "$before" "$text"
"""


def caller(event: str) -> str:
    return _CALLER.replace("@EVENT@", event)
