#!/usr/bin/env bash
# run.sh [arguments]: installs what is missing, fetches the sources, builds, and runs `headlight [arguments]`.
# Without arguments it opens the window. Safe to repeat; a second start only checks that everything is there.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/third_party/setup.sh" app
[ -x "$root/build/headlight" ] || echo "Building Headlight (the first time takes a few minutes) …" >&2
"$root/third_party/build.sh" release headlight
exec "$root/build/headlight" "$@"
