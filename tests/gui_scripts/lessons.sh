#!/usr/bin/env bash
# lessons.sh PROGRAM FOLDER [LESSON…]: pictures of every step of every lesson, as it asks and as it shows, and a sheet of each lesson
# (sheet-SIZE-LESSON.png), to be looked at. SIZES ("1280x720 1600x1000"), PRESENT (1: as on a projector) and THEME (light) may be set. Needs a
# display or Xvfb, and ImageMagick.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
shipped=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../assets/lessons" && pwd)
play=("$program")
[ -n "${DISPLAY:-}" ] || play=(xvfb-run -a -s '-screen 0 2560x1440x24 -noreset' "$program")
[ $# -gt 0 ] || set -- $(cd "$shipped" && ls -- *.lesson.json | sed 's/\.lesson\.json$//')

for size in ${SIZES:-1280x720 1600x1000}; do
  for lesson in "$@"; do
    script=$folder/$size-$lesson.script
    python3 - "$shipped/$lesson.lesson.json" "$folder/$size-$lesson" "${PRESENT:-}" "${THEME:-}" >"$script" <<'PYTHON'
import json, sys
lesson, picture, presents, theme = sys.argv[1:]
print("wait\nframes 5\nwait" + ("\nkey f5\nwait" if presents else ""))
if theme:
    print(f'key ctrl+p\ntype "theme {theme}"\nkey enter\nwait')
for number, step in enumerate(json.load(open(lesson))["steps"], 1):
    for state in ["asked", "shown"] if "question" in step else ["shown"]:
        if number > 1 or state == "shown" and "question" in step:
            print("key space\nwait")
        print(f'move 2,2\nframes 20\nwait\nscreenshot "{picture}-{number:02}-{state}.png"')
PYTHON
    "${play[@]}" gui --lesson "$lesson" --size "$size" --script "$script"
    montage "$folder/$size-$lesson"-*.png -tile 2x -geometry '960x>+6+6' -background '#808080' "$folder/sheet-$size-$lesson.png"
  done
done
