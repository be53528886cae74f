#!/usr/bin/env bash
# make.sh [PROGRAM]: the pictures of the worked example in the README anew: a question, the sweep, the head, the patch that proves it. Needs a
# display or Xvfb, and ImageMagick.
set -euo pipefail
program=$(realpath "${1:-build/headlight}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
text='The horses that the sailor follows' other='The horse that the sailors follow'
document() { # name, further options…
  local name=$1
  shift
  "$program" save -m story-gpt -t "$text" --target logit:is-are --theme light "$@" -o "$name.headlight.json" >/dev/null
}
document asked
document patched --edit "2.0,2.1=patch:\"$other\"@6"
cat >asked.script <<'END'
wait
click Output
click "Output Predictions"
wait
move 2,2
wait
screenshot question.png
click "Output Heads"
wait
move 2,2
wait
screenshot sweep.png
click "Effect 2.1"
click Head
click "token 6"
wait
move 2,2
wait
screenshot head.png
END
cat >patched.script <<'END'
wait
click Output
click "Output Predictions"
wait
move 2,2
wait
screenshot proof.png
END
play() {
  local run=("$program" gui "$1.headlight.json" --size 1600x900 --script "$1.script")
  if [ -n "${DISPLAY:-}" ]; then "${run[@]}"; else xvfb-run -a -s '-screen 0 2560x1440x24 -noreset' "${run[@]}"; fi
}
play asked
play patched
# 256 colours are as many as a drawn window needs.
for name in question sweep head proof; do convert "$name.png" -dither None -colors 256 "PNG8:$here/$name.png"; done
