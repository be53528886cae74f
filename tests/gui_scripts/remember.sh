#!/usr/bin/env bash
# remember.sh PROGRAM: a person's work outlives the window, however the window ends. With the program itself, on a display of its own for the
# case in which that goes away. Needs a display, and Xvfb.
set -uo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
window= server=
trap 'kill -9 $window $server 2>/dev/null; rm -rf "$work"' EXIT
failed=0
fail() { echo "remember: $*" >&2; failed=1; }
cd "$work" || exit 1
export HOME=$work XDG_STATE_HOME=$work/state

script() { printf '%s\n' "${@:2}" >"$1.txt"; }
look() { # name of a dump, python expression that must hold of `state`
  python3 - "$1.json" "$2" <<'CHECK' || fail "$1: not so: $2"
import json, sys
state = json.load(open(sys.argv[1], encoding='utf-8'))
text = state['document']['query']['text']
items = [item['label'] for item in state['items']]
sys.exit(0 if eval(sys.argv[2]) else f"text {text!r}, banner {state['view']['banner']!r}")
CHECK
}
play() { # name, further arguments of `headlight gui`
  timeout 120 "$program" gui --size 1200x800 --script "$1.txt" "${@:2}" || fail "$1: exit status $?"
}
wait_for() { # file
  for _ in $(seq 600); do
    [ -s "$1" ] && return
    sleep 0.1
  done
  fail "$1 never came"
}
contents() { (cd "$XDG_STATE_HOME" && find . -type f -exec sha256sum {} + | sort); }

# Edit, quit, open something else, come back.
script edit 'click Sentence' 'key ctrl+a' 'type "my own words"' 'key escape'
script other 'dump-state other.json'
script back 'dump-state back.json' 'click Model' 'wait' 'click "Choose document 1"' 'wait' 'dump-state found.json'
play edit sandbox --remember
play other sandbox --remember
look other 'text != "my own words"'
play back --remember
look back 'text != "my own words" and not state["view"]["banner"]'
look found 'text == "my own words"'
newest=$(find "$XDG_STATE_HOME" -name '*.headlight.json' | head -n 1)
"$program" inspect "$newest" >/dev/null || fail 'an autosave is not a document to inspect'
script again 'dump-state again.json'
play again --remember
look again 'text == "my own words"'

# A script without --remember leaves everything alone, and gets nothing.
before=$(contents)
script alone 'click Sentence' 'key ctrl+a' 'type "of a script"' 'dump-state alone.json' 'click Model' 'expect not "Choose document 0"'
play alone
play other sandbox
[ "$(contents)" = "$before" ] || fail 'a script has changed what is remembered'

# Ended from outside, right after the last keystroke.
end_by() { # name, how, wanted status
  rm -f "$1.json"
  script "$1" 'click Sentence' 'key ctrl+a' "type \"until $1\"" "dump-state $1.json" 'frames 100000' 'frames 100000'
  # SIGHUP as a terminal sends it, also where these tests run under nohup, whose children ignore it.
  env --default-signal=HUP "$program" gui --size 1200x800 --script "$1.txt" --remember 2>"$1.error" &
  window=$!
  wait_for "$1.json"
  eval "$2"
  wait "$window"
  [ $? = "$3" ] || fail "$1 ends with status $?, not $3: $(cat "$1.error")"
  window=
  script "after_$1" "dump-state after_$1.json"
  DISPLAY=$display play "after_$1" --remember
  look "after_$1" "text == 'until $1' and not state['view']['banner']"
}
display=$DISPLAY
# shellcheck disable=SC2016 # for eval
end_by SIGTERM 'kill -TERM $window' 143
# shellcheck disable=SC2016
end_by SIGHUP 'kill -HUP $window' 129
Xvfb -displayfd 3 -screen 0 1280x1024x24 -noreset 3>number 2>/dev/null &
server=$!
wait_for number
DISPLAY=:$(cat number)
# shellcheck disable=SC2016
end_by lost_display 'kill -9 $server; wait $server 2>/dev/null' 1
DISPLAY=$display
grep -q 'display was lost' lost_display.error || fail "a lost display is not explained: $(cat lost_display.error)"

# Killed before its first picture: the next start is a safe one, and offers the document.
touch "$XDG_STATE_HOME/headlight/starting"
script safe 'dump-state safe.json' 'screenshot safe.png' 'click "Open it"' 'wait' 'dump-state offered.json'
play safe --remember
look safe 'text != "until lost_display" and "ended before it could show a picture" in state["view"]["banner"]'
look offered 'text == "until lost_display"'
[ ! -e "$XDG_STATE_HOME/headlight/starting" ] || fail 'the mark of the start is still there'
exit $failed
