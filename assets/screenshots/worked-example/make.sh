#!/usr/bin/env bash
# make.sh [PROGRAM]: the pictures of the worked example in the README anew: a question, the sweep, the head, the patch that proves it.
set -euo pipefail
source "$(dirname "$0")/../window.sh"
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
for name in asked patched; do play "$name.headlight.json" --size 1600x900 --script "$name.script"; done
# 256 colours are as many as a drawn window needs.
for name in question sweep head proof; do convert "$name.png" -dither None -colors 256 "PNG8:$here/$name.png"; done
