#!/usr/bin/env bash
# make.sh [PROGRAM]: the large pictures of the READMEs anew, of a window of 1600x1000: views, and heads of story-gpt with what they do (heads/).
# The small ones and the worked example have a make.sh of their own; sheet.png is made by assets/models/make/sheet.py.
set -euo pipefail
source "$(dirname "$0")/window.sh"
subject='The horse that the sailors follow is tired.'
meant='Anna thanked the sailors because they helped her.'
twice='Anna Cairo the box Anna Cairo the box'
city='London, inhabited by more than 10 million people, is the capital of England.'
text() { printf 'click Sentence\nkey ctrl+a\ntype "%s"\nkey escape\nwait\n' "$1"; }
shot() { printf 'frames 30\nwait\nscreenshot %s.png\n' "$1"; }
map() { # its name, the held token, its picture
  printf 'click Overview\nwait\nclick "head %s"\nclick Head\nwait\nclick "token %s"\nwait\nmove 2,2\n' "$1" "$2" && shot "$3"
  printf 'key escape\n'
}
{
  printf 'wait\nmove 2,2\n' && shot overview
  printf 'click Measures\nwait\nclick "column previous-token"\nwait\nmove 2,2\n' && shot measures
  text "$meant" && map 0.0 6 previous-token && map 2.5 6 who-is-meant
  text "$twice" && map 1.5 5 induction
  text "$city" && printf 'click "Close Relation heads"\nclick "Close Relations"\nwait\n' && map 2.4 14 city  # what it is an example of
  text "$subject" && map 2.1 6 subject
  printf 'click "token 6"\nhover "map" cell 6,2\n' && shot head
  printf 'move 2,2\nclick Links\nwait\nmove 2,2\n' && shot links
} >views.script
play story-gpt --size 1600x1000 --script views.script
for picture in *.png; do
  case $picture in overview.png | measures.png | head.png | links.png) place=$here ;; *) place=$here/heads ;; esac
  convert "$picture" -strip -define png:compression-level=9 "PNG24:$place/$picture"  # in all its colours, for the colour bars
done
"$here/../../tests/gui_scripts/stills.sh" "$program" stills 24
convert -delay 40 stills/0[0-3]?.png -delay 300 stills/040.png -resize 900x -dither None -colors 64 -fuzz 1% -layers OptimizeTransparency -loop 0 "$here/inside.gif"
