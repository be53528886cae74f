# For the make.sh of each folder of pictures, which sources it: `program` as it was named, `here`, the folder of that make.sh, and an empty
# folder, in which it goes on. Needs a display or Xvfb, and ImageMagick.
program=$(realpath "${1:-build/headlight}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
play() { # arguments of `headlight gui`
  local run=("$program" gui "$@")
  if [ -n "${DISPLAY:-}" ]; then "${run[@]}"; else xvfb-run -a -s '-screen 0 2560x1440x24 -noreset' "${run[@]}"; fi
}
