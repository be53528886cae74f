#!/usr/bin/env bash
# sheet.sh PROGRAM FOLDER [VIEW…]: pictures of every view, dark and light, on the screens that the program is made for: each as a file of its
# own, and all on one sheet for each screen (sheet-SCREEN.png), to be looked at. Needs a display of 2560x1440 and ImageMagick.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
views=("$@")
[ $# -gt 0 ] || views=(Overview Head Inside Links Flow Compare Measures Output Labs)

for theme in dark light; do
  "$program" save -m story-gpt -t "The horse that the sailors follow is tired." --theme $theme --pin 2.1 --pin 1.5 --pin 2.5 \
    -o "$folder/$theme.headlight.json" >/dev/null
done
for screen in 1024x768 1600x1000 1920x1080@2 2560x1440; do
  scale=1 pictures=()
  case $screen in *@*) scale=${screen#*@} ;; esac
  for theme in dark light; do
    script=$folder/$screen-$theme.script
    printf 'wait\nclick "head 2.1"\nwait\nclick "token 6"\n' >"$script"
    for view in "${views[@]}"; do
      printf 'click "%s"\nwait\nmove 2,2\nwait\nscreenshot "%s"\n' "$view" "$folder/$screen-$theme-$view.png" >>"$script"
    done
    "$program" gui "$folder/$theme.headlight.json" --size "${screen%@*}" --ui-scale "$scale" --script "$script"
  done
  for view in "${views[@]}"; do pictures+=("$folder/$screen-dark-$view.png" "$folder/$screen-light-$view.png"); done
  montage "${pictures[@]}" -tile 2x -geometry '960x>+8+8' -background '#808080' "$folder/sheet-$screen.png"
done
