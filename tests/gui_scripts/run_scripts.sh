#!/usr/bin/env bash
# run_scripts.sh PROGRAM: plays every script of this folder twice and compares: the state with what is expected, the second run's state and
# pixels with the first's. Then: a script with a mistake, and a start without a display, must be refused as designed. Needs a display.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "run_scripts: $*" >&2; failed=1; }

# Assets, a cache and a shelf of files with models of the tests', so that nothing depends on the machine or on the models that are shipped.
reference=$here/../reference
mkdir -p "$work/assets/models" "$work/hub/models--tiny--gpt/snapshots" "$work/shelf"
cp -r "$here/../../assets/examples" "$here/../../assets/lessons" "$work/assets/"
cp -r "$reference/models/gpt2" "$work/assets/models/story-gpt"
cp -r "$reference/models/bert-mlm" "$work/assets/models/story-bert"
cp -r "$reference/models/gpt2" "$work/hub/models--tiny--gpt/snapshots/c1"
cp -r "$reference/models/t5" "$reference"/gguf/*.gguf "$work/shelf/"
"$program" trace -m sandbox -t 'a b c' -o "$work/shelf/maps.npz" || fail "trace: exit status $?"
printf 'id,text\n1,the cat sat on the mat\n2,a dog and a dog\n3\n4,the old man saw the king\n' >"$work/shelf/tales.csv"
export HEADLIGHT_ASSETS=$work/assets HF_HUB_CACHE=$work/hub

# Scripts begin with the sandbox; only `picker` as a first start does.
play() { # name, folder, further options…
  local name=$1 folder=$work/$2 open=sandbox
  shift 2
  [ "$name" != picker ] || open=
  mkdir -p "$folder"
  (cd "$folder" && timeout 300 "$program" gui $open --script "$here/$name.script" "$@") || fail "$name: exit status $?"
}

for script in "$here"/*.script; do
  name=$(basename "$script" .script)
  play "$name" first --size 1600x1000
  play "$name" second --size 1600x1000
  python3 "$here/check_state.py" "$work/first/$name.json" "$here/$name.expect" || fail "$name: the state is not as expected"
done
played=0
for file in "$work"/first/*; do
  played=$((played + 1))
  cmp -s "$file" "$work/second/$(basename "$file")" || fail "$(basename "$file") differs between two runs"
done
for figure in parts heads layers key; do
  (cd "$work/first" && "$program" verify "$figure.svg" >/dev/null) || fail "$figure.svg, written from the window, is not what the command line makes"
done
[ $played -ge 15 ] || fail "only $played files were written"
play first_sentence scaled --size 2560x1440 --ui-scale 2
python3 "$here/check_state.py" "$work/scaled/first_sentence.json" "$here/first_sentence.expect" || fail 'first_sentence at scale 2: the state is not as expected'

printf 'wait\nclick "No such thing"\n' >"$work/mistake.txt"
message=$(timeout 60 "$program" gui sandbox --script "$work/mistake.txt" 2>&1)
status=$?
[ $status = 2 ] || fail "a script with a mistake ends with $status, not 2"
case $message in *'line 2'*'No such thing'*) ;; *) fail "the mistake is not named: $message" ;; esac

message=$(env -u DISPLAY -u WAYLAND_DISPLAY timeout 60 "$program" gui 2>&1)
status=$?
[ $status = 1 ] || fail "a start without a display ends with $status, not 1"
case $message in *'No display'*'headlight export'*) ;; *) fail "the missing display is not explained: $message" ;; esac
exit $failed
