#!/usr/bin/env bash
# make.sh [PROGRAM]: the figures of the README anew, for a column of 85 mm with labels of 7 points, at 300 pixels on an inch. Each says in its
# own file how it was made, too: `headlight verify assets/figures/head.png`.
set -euo pipefail
program=$(realpath "${1:-build/headlight}")
cd "$(dirname "$0")"
text='The horse that the sailors follow is tired.'
figure() {
  local name=$1
  shift
  "$program" export -m story-gpt -t "$text" --theme light --width 85mm --font 7pt --without "caption,footer${without:-}" "$@" -o "$name.png"
}
figure head --figure heatmap --layer 2 --head 1 --letter a
figure grid --figure grid --letter b
without=,row figure compare --figure compare --pin 1.3 --pin 2.1 --tokens 1-8 --height 120mm --letter c  # two maps on a line
figure links --figure links --layer 1 --top 1 --letter d
figure flow --figure flow --reduce rollout --letter e
figure inside --figure inside --layer 2 --head 1 --query 6 --step 7 --letter f
