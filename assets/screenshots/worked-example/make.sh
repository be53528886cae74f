#!/usr/bin/env bash
# make.sh [PROGRAM]: the pictures of the worked example in the README anew: a question, the sweep, the head, the patch that proves it. The
# window is played step by step as the README says it.
set -euo pipefail
source "$(dirname "$0")/../window.sh"
"$program" save -m story-gpt -t "Once" --theme light -o begun.headlight.json >/dev/null
cat >steps.script <<'END'
wait
click Sentence
key ctrl+a
type "The horses that the sailor follows"
key escape
wait
click Output
click "Output Predictions"
wait
click "Typed target"
type "logit:is-are"
key enter
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
click Intervene
wait
click Intervention
click "z patched"
click Text
type "The horse that the sailors follow"
key enter
click At
type "6"
key enter
click "Put in place"
wait
key left
wait
click "Put in place"
wait
click Output
click "Output Predictions"
wait
move 2,2
wait
screenshot proof.png
END
play begun.headlight.json --size 1600x900 --script steps.script
# 256 colours are as many as a drawn window needs.
for name in question sweep head proof; do convert "$name.png" -dither None -colors 256 "PNG8:$here/$name.png"; done
