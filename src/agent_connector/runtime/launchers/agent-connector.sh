#!/bin/sh
# agent-connector: finds what is installed and starts it. Agent programs run this at every hook, so it uses built-ins
# alone, and answers for itself when what it would start is gone: they must go on working.
# The installer writes this file and fills in what stands between @ signs; `agent-connector upgrade` mends it.

root=${AGENT_CONNECTOR_DATA_DIR-}
case $root in
'') root=@ROOT@ ;;
/*) ;;
'~' | '~/'*) root=$HOME${root#'~'} ;;
*) root=$PWD/$root ;;
esac
export AGENT_CONNECTOR_DATA_DIR="$root"

# A host that a desktop has started knows little of the person's PATH: what install knew comes behind.
case ":${PATH-}:" in
*:@PATH@:*) ;;
*) export PATH="${PATH-}${PATH:+:}"@PATH@ ;;
esac

# Answer for what is gone. Hooks end well, with what their host takes for "nothing to say"; a server is started
# without us; everything else says what to do.
gone() {
  missing=$1
  shift
  case ${1-} in
  hook)
    cat >/dev/null 2>&1
    case "${2-} ${3-}" in
    @NEUTRAL@
    esac
    exit 0
    ;;
  statusline) exit 0 ;;
  esac
  printf 'agent-connector: %s is gone; install agent-connector again, then run: agent-connector upgrade\n' "$missing" >&2
  [ "${1-}" = serve ] || exit 1
  while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
  [ $# -gt 1 ] || exit 1
  shift
  exec "$@"
}

# The version that a pin asks for in this folder; the longest folder counts.
pinned() {
  folder=$1
  longest=
  [ -n "$folder" ] || return 1
  while IFS='	' read -r place wanted || [ -n "$place" ]; do
    case $folder/ in
    "$place"/*) [ ${#place} -gt ${#longest} ] && longest=$place && pin=$wanted ;;
    esac
  done <"$root/pins"
  [ -n "$longest" ]
}

version=
{ IFS= read -r version <"$root/versions/current"; } 2>/dev/null
if [ -s "$root/pins" ]; then
  here=$PWD
  cd -P . 2>/dev/null && physical=$PWD && cd -L "$here" 2>/dev/null
  pin=
  pinned "$here" || pinned "${physical-}" || pinned "${CLAUDE_PROJECT_DIR-}"
  if [ -n "$pin" ] && [ "$pin" != "$version" ]; then
    if [ -r "$root/versions/$pin/agent_connector/runtime/entry.py" ]; then
      version=$pin
    else
      export AGENT_CONNECTOR_MISSED_PIN="$pin"
    fi
  fi
fi
home=$root/versions/$version

case ${1-} in
hook | statusline | action | serve) ;;
*)
  tools=
  { IFS= read -r tools <"$home/tools"; } 2>/dev/null
  [ -x "$tools" ] || gone "${tools:-$home/tools}" "$@"
  exec "$tools" -P -m agent_connector "$@"
  ;;
esac

[ -r "$home/agent_connector/runtime/entry.py" ] || gone "$home/agent_connector" "$@"
base=
{ IFS= read -r base <"$home/python"; } 2>/dev/null
python=$base
if [ "$1" != serve ]; then
  before=
  for word in "$@"; do
    [ "$before" = --connector ] && { IFS= read -r python <"$root/connectors/$word/python"; } 2>/dev/null
    before=$word
  done
fi
[ -x "$python" ] || python=$base
[ -x "$python" ] || gone "${python:-$home/python}" "$@"
if [ "$python" = "$base" ] && [ -r "$home/needs" ]; then
  lost=
  while IFS= read -r file; do
    [ -e "$file" ] || lost=$file
  done <"$home/needs"
  [ -z "$lost" ] || gone "$lost" "$@"
fi
entry=$home/agent_connector/runtime/entry.py
[ "$1" = hook ] || exec "$python" -I -S "$entry" "$@"

# A hook answers with 0 or 2. Any other end is that of a process which the author's code has torn down (a crash in a
# library, a bare _exit), and some hosts take it for a denial of everything. So it is asked once more, without a
# payload: a guard denies, everything else says nothing. What had already answered has left a mark.
"$python" -I -S "$entry" "$@"
status=$?
case $status in 0 | 2) exit $status ;; esac
if [ -e "$root/answered.$$" ]; then
  rm -f "$root/answered.$$"
  exit 0
fi
AGENT_CONNECTOR_DIED=$status "$python" -I -S "$entry" "$@" </dev/null
status=$?
case $status in 0 | 2) exit $status ;; esac
gone "$python" "$@" </dev/null
