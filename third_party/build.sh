#!/usr/bin/env bash
# build.sh PRESET TARGET… [-- CMAKE OPTIONS]: configures where needed and builds; prints the log only when something fails.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=$1
shift
targets=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do targets+=("$1"); shift; done
[ $# = 0 ] || shift
folder=$root/build
[ "$preset" = release ] || folder=$root/build/$preset

# A tree that was moved keeps the old place in CMake's cache: start again.
if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
  rm -rf "$folder"
fi
mkdir -p "$folder"
log=$folder/build.log
{
  cd "$root"
  if [ ! -f "$folder/build.ninja" ] || [ $# -gt 0 ]; then cmake --preset "$preset" "$@"; fi &&
    cmake --build "$folder" --target "${targets[@]}"
} >"$log" 2>&1 || {
  grep -nE 'error|Error|FAILED' "$log" | head -n 20 >&2 || true
  tail -n 30 "$log" >&2
  echo "build: preset $preset failed; the whole log is in ${log#"$PWD"/}" >&2
  exit 1
}
