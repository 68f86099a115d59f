"""The programs that Mux starts at a tool call: they call each connector's part, which turns variables into JSON."""

_CALLER = """\
#!/bin/sh
# Calls the hooks of agent-connector's connectors: every agent-connector-*.@EVENT@ beside this file. The last connector
# that leaves removes it. What one says is passed on; the first that refuses ends it.
folder=$(dirname "$0")
for part in "$folder"/agent-connector-*.@EVENT@; do
  [ -x "$part" ] || continue
  "$part" </dev/null || exit $?
done
exit 0
"""
_PART = """\
# Xum tells of a call in variables, and of a long one in a file that a variable names.
value() {
  if [ -n "$2" ] && [ -r "$2" ]; then set -- "$(cat "$2")"; fi
  case $1 in
  '') printf null ;;
  '{'* | '['* | '"'*) printf '%s' "$1" ;;
  *) text "$1" ;;
  esac
}
text() { printf '"%s"' "$(printf '%s' "$1" | tr '\\n\\r\\t' '   ' | sed 's/[\\\\"]/\\\\&/g')"; }
{
  printf '{"tool":'; text "${XUM_TOOL-${MUX_TOOL-}}"
  printf ',"workspace":'; text "${XUM_WORKSPACE_ID-${MUX_WORKSPACE_ID-}}"
  printf ',"folder":'; text "${XUM_PROJECT_DIR-${MUX_PROJECT_DIR-}}"
  printf ',"model":'; text "${XUM_MODEL_STRING-${MUX_MODEL_STRING-}}"
  printf ',"input":'; value "${XUM_TOOL_INPUT-${MUX_TOOL_INPUT-}}" "${XUM_TOOL_INPUT_PATH-${MUX_TOOL_INPUT_PATH-}}"
  printf ',"result":'; value "${XUM_TOOL_RESULT-${MUX_TOOL_RESULT-}}" "${XUM_TOOL_RESULT_PATH-${MUX_TOOL_RESULT_PATH-}}"
  printf '}'
} | ("""


def caller(event: str) -> str:
    return _CALLER.replace("@EVENT@", event)


def part(command: str) -> str:
    return f"{_PART}{command})"
