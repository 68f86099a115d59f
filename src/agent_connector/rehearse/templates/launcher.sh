#!/bin/sh
# Writes down what a host gave to a hook and what it got back, then is the launcher itself.
real='@REAL@'
log='@LOG@'
case "${1-}" in
hook | statusline | action) ;;
*) exec "$real" "$@" ;;
esac
at=$(mktemp -d "$log/call.XXXXXXXX") || exec "$real" "$@"
printf '%s\n' "$@" >"$at/argv"
cat >"$at/in"
"$real" "$@" <"$at/in" >"$at/out" 2>"$at/err"
code=$?
cat "$at/out"
cat "$at/err" >&2
printf '%s' "$code" >"$at/code"
exit "$code"
