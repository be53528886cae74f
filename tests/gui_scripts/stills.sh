#!/usr/bin/env bash
# stills.sh PROGRAM FOLDER [FRAMES EACH]: numbered stills of Inside while it plays once at the usual speed, for a moving picture:
#   tests/gui_scripts/stills.sh build/headlight /tmp/stills && ffmpeg -framerate 10 -i /tmp/stills/%03d.png inside.gif
# MODEL, TEXT, TOKEN, HEAD (how often the keys for the next layer and head are pressed: "2 1") and SIZE may be set. Needs a display or Xvfb.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
each=${3:-6}
read -r layers heads <<<"${HEAD:-2 1}"
{
  printf 'click Sentence\nkey ctrl+a\ntype "%s"\nwait\n' "${TEXT:-The horse that the sailors follow is tired.}"
  printf 'click "token %s"\nclick Inside\n' "${TOKEN:-6}"
  for ((i = 0; i < layers; i++)); do echo 'key ctrl+down'; done
  for ((i = 0; i < heads; i++)); do echo 'key ctrl+right'; done
  printf 'wait\nmove 1,1\nkey space\n'
  # The steps take 16 seconds of 60 frames.
  for ((still = 0; still * each <= 16 * 60 + each; still++)); do printf 'screenshot %03d.png\nframes %d\n' "$still" "$each"; done
} >stills.txt
run=("$program" gui "${MODEL:-story-gpt}" --size "${SIZE:-1280x800}" --script stills.txt)
if [ -n "${DISPLAY:-}" ]; then "${run[@]}"; else xvfb-run -a -s '-screen 0 2560x1440x24 -noreset' "${run[@]}"; fi
