#!/usr/bin/env bash
# xdotool_smoke.sh PROGRAM: a real mouse and keyboard on an X display: types a sentence, saves the document, begins
# a new one and opens the saved one again, goes to a head by the palette, plays, steps and scrubs Inside and clicks a number there, points at
# a cell, turns the wheel, closes the window. What the window then knows is compared; what Inside shows in between is in the document, which
# is saved after each step. Plain letters only: for others xdotool remaps the keyboard on the fly, and loses some; scripts type those through
# the input queue (first_sentence.script).
set -uo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
window_process=
trap 'rm -rf "$work"; kill "$window_process" 2>/dev/null' EXIT
fail() { echo "xdotool_smoke: $*" >&2; exit 1; }
cd "$work" || exit 1
export HOME=$work # where the document is saved

# Where things of Inside are: the same window, driven by a script.
printf '%s\n' 'click Sentence' 'key ctrl+a' 'type "attention is all you need, now and then"' 'key escape' wait 'key ctrl+p' 'type "2.3"' \
  'key enter' wait 'key 3' 'key alt+6' wait 'dump-state where.json' >where.script
"$program" gui sandbox --size 1600x1000 --script where.script || fail 'no places'
at() { # NAME SHARE: a point in the box of that name, SHARE of its width from its left
  python3 -c 'import json, sys
boxes = [item["box"] for item in json.load(open("where.json", encoding="utf-8"))["items"] if item["label"] == sys.argv[1]]
x, y, width, height = boxes[0]
print(round(x + width * float(sys.argv[2])), round(y + height / 2))' "$1" "$2" || fail "no $1"
}

printf 'live\nscreenshot seen.png\ndump-state state.json\n' >script.txt
"$program" gui sandbox --size 1600x1000 --script script.txt &
window_process=$!
window=$(timeout 60 xdotool search --sync --onlyvisible --class headlight | head -n 1)
[ -n "$window" ] || fail 'no window appeared'
xdotool windowfocus --sync "$window"
sleep 2 # the first picture

hand() { xdotool "$@" || fail "xdotool $*"; }
chord() { hand keydown ctrl sleep 0.2 key --delay 200 "$1" sleep 0.2 keyup ctrl sleep 0.5; } # held as a hand holds it
click() { hand mousemove --window "$window" "$1" "$2" sleep 0.2 click 1 sleep 0.3; }

click 640 24 # the sentence
sleep 1
chord a
hand type --delay 60 'attention is all you need, now and then'
sleep 1
hand key --delay 60 Escape # leaves the sentence
chord s # the name is in a box that has the keyboard
sleep 0.5
chord a
hand type --delay 60 'by hand'
hand key --delay 60 Return
sleep 1
[ -s 'by hand.headlight.json' ] || fail 'the document was not saved'
chord n # nothing would be lost: no question
sleep 1
chord o
sleep 1
click 700 206 # the first of the recent documents
sleep 1
chord p # the palette: goes to a head
hand type --delay 60 '2.3'
sleep 0.5
hand key Return
sleep 1
inside() { # NAME: what the document remembers of Inside, once it is saved
  chord s
  sleep 0.5
  python3 -c 'import json, sys; print(json.load(open("by hand.headlight.json", encoding="utf-8"))["look"]["inside_" + sys.argv[1]])' "$1" ||
    fail 'the document does not say what is looked at'
}
expect() { # WHAT FOUND TEST WANTED
  [ "$2" "$3" "$4" ] || fail "$1: $2, expected $3 $4"
}
hand key 3 # Inside
sleep 1
hand key Home
sleep 0.5
expect 'Home goes to the first step' "$(inside step)" -eq 1
hand key bracketright key space # plays at twice the speed
sleep 4
hand key space # holds it
sleep 0.5
held="$(inside step) $(inside progress)"
expect 'playing goes on' "${held%% *}" -gt 1
sleep 2
expect 'space holds' "$(inside step) $(inside progress)" = "$held"
hand key Home sleep 0.3 key Right sleep 0.3 key Right sleep 0.5
expect 'arrows step' "$(inside step)" -eq 3
hand key Left
sleep 0.5
expect 'and step back' "$(inside step)" -eq 2
read -r x y <<<"$(at Moment 0.1)"
hand mousemove --window "$window" "$x" "$y" sleep 0.3 mousedown 1 sleep 0.3
for share in 0.3 0.5 0.7; do # into step 6 of 8
  read -r x y <<<"$(at Moment $share)"
  hand mousemove --window "$window" "$x" "$y" sleep 0.2
done
hand mouseup 1 sleep 0.5
expect 'the bar is scrubbed' "$(inside step)" -eq 6
hand key alt+6 sleep 0.5
read -r x y <<<"$(at 'weight of 3' 0.5)"
click "$x" "$y" # a number: its parts are shown
hand key --delay 60 1 sleep 0.3 key --delay 60 2 # the Overview, and back to the Head view
sleep 1
hand mousemove --window "$window" 660 420 # a cell of its map
sleep 0.5
hand click 4 # the wheel: zooms in
sleep 0.5
hand key ctrl+q # at once: a chord quicker than a frame
wait "$window_process" || fail "the program ended with status $?"
python3 - <<'CHECK' || fail 'the state is not as expected'
import json, sys
state = json.load(open('state.json', encoding='utf-8'))
wanted = 'attention is all you need, now and then'
found = state['document']['query']['text'], state['snapshot']['text']
if found != (wanted, wanted) or len(state['snapshot']['tokens']) != 9:
    sys.exit(f'the sentence is {found}, with tokens {state["snapshot"]["tokens"]}')
view = state['view']
if view['inside_ringed'] != {'number': 'weight', 'key': 3, 'place': 0}:
    sys.exit(f'the clicked number is {view["inside_ringed"]}')
if view['view'] != 'head' or view['head'] != {'layer': 2, 'head': 3} or not view['hovered'] or view['zoom'] == [0, 0, 0, 0]:
    sys.exit(f'the view is {view}')
CHECK
