#!/usr/bin/env bash
# make.sh [PROGRAM]: the small pictures of the gallery in the README anew, each of a window of 1280x800 without rails, at two fifths of its size.
set -euo pipefail
source "$(dirname "$0")/../window.sh"
"$program" save -m story-gpt -t 'The horse that the sailors follow is tired.' --target logit:is-are -o text.headlight.json >/dev/null
shot() { printf 'wait\nmove 2,2\nframes 30\nwait\nscreenshot %s.png\n' "$1"; }
{
  printf 'wait\nkey ctrl+b\nkey ctrl+j\nclick Overview\n' && shot overview
  printf 'click "head 2.1"\nclick Head\nwait\nclick "token 6"\n' && shot head
  printf 'click Links\n' && shot links
  printf 'click Inside\nkey alt+6\n' && shot inside
  printf 'click Measures\n' && shot measures
  printf 'click Output\nclick "Output Heads"\n' && shot output
} >views.script
play text.headlight.json --size 1280x800 --script views.script
{ printf 'wait\n' && shot lab; } >lab.script
{ printf 'wait\nclick "Lesson step 3"\n' && shot lesson; } >lesson.script
play --lesson three-attempts --size 1280x800 --script lab.script
play --lesson trained-head --size 1280x800 --script lesson.script
# 128 colours are as many as a small picture needs.
for picture in *.png; do convert "$picture" -resize 40% -dither None -colors 128 "PNG8:$here/$picture"; done
