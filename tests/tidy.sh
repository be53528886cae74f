#!/usr/bin/env bash
# tidy.sh BUILD_FOLDER: clang-tidy over every source file, by the compile commands of a clang build.
set -euo pipefail
folder=$1
git ls-files -co --exclude-standard 'engine/*.cpp' 'app/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p "$folder" 2>&1 | grep -vE '^[0-9]+ warnings? generated|^$' || true
exit "${PIPESTATUS[1]}"
