#!/usr/bin/env bash
# run.sh [--long]: installs what is missing, builds, and runs every test. Ends with one line "N passed, N failed".
#   always: the house (include arrows, sizes, format), unit and reference tests, the window by script and by mouse under Xvfb,
#           a build without any window library, address+undefined and thread sanitizers on engine and session
#   --long: also a clang build with all tests, clang-tidy, fuzzing, Valgrind
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
long=0
[ "${1:-}" != --long ] || long=1
passed=0 failed=0 failures=()

step() { # name, command…
  local name=$1 start=$SECONDS
  shift
  printf '== %s\n' "$name"
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)) failures+=("$name")
    printf '!! %s failed\n' "$name"
  fi
  printf '   %s: %d s\n' "$name" $((SECONDS - start))
}

format_is_clean() {
  git ls-files -co --exclude-standard 'engine/*.h' 'engine/*.cpp' 'app/*.h' 'app/*.cpp' 'tests/*.h' 'tests/*.cpp' | xargs clang-format --dry-run --Werror
}
run_ctest() { ctest --test-dir "$1" --output-on-failure --no-tests=error; }
without_window() {
  third_party/build.sh engine-only headlight && ! ldd build/engine-only/headlight | grep -E 'glfw|libGL' &&
    build/engine-only/headlight trace -m sandbox -t 'no window needed' -o build/engine-only/trace.safetensors
}
sanitized() { # preset, rooms…
  local preset=$1
  shift
  third_party/build.sh "$preset" "${@/#/test_}" &&
    ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -R "^($(IFS='|'; echo "$*"))\$"
}
fuzzed() {
  third_party/build.sh fuzz all && tests/fuzz/run.sh build/fuzz/fuzz "${HEADLIGHT_FUZZ_SECONDS:-120}"
}
valgrind_is_clean() { # uninitialised reads, which the address sanitizer misses; a build for any machine, whose instructions Valgrind knows
  local model=tests/reference/models/gpt2 check=(valgrind --quiet --error-exitcode=9 build/engine-only/headlight)
  "${check[@]}" trace -m $model -t 'It was naïve.' -o build/engine-only/valgrind.safetensors && "${check[@]}" inspect $model >/dev/null &&
    "${check[@]}" export -m sandbox -t 'a b c' --figure heatmap -o build/engine-only/valgrind.svg
}
in_display() { xvfb-run -a -s '-screen 0 2560x1440x24 -noreset' "$@"; } # a server that resets refuses who comes next

purpose=tests
[ $long = 0 ] || purpose=long
third_party/setup.sh $purpose || exit $?

step 'house' python3 tests/house_test.py
step 'format' format_is_clean
step 'build' third_party/build.sh release all -- -DHEADLIGHT_TESTS=ON
step 'tests' run_ctest build
step 'seed documents' python3 tests/seeds_listing.py
step 'window by script' in_display tests/gui_scripts/run_scripts.sh build/headlight
step 'what the window remembers' in_display tests/gui_scripts/remember.sh build/headlight
step 'window by mouse and keyboard' in_display tests/gui_scripts/xdotool_smoke.sh build/headlight
step 'without a window library' without_window
step 'address and undefined sanitizers' sanitized asan core formats text model attention analysis pipeline reference figure session
# The rooms that start threads, or are called from several.
step 'thread sanitizer' sanitized tsan core attention pipeline session
if [ $long = 1 ]; then
  step 'clang' third_party/build.sh clang all
  step 'clang tests' run_ctest build/clang
  step 'fuzzing' fuzzed
  step 'Valgrind' valgrind_is_clean
  step 'clang-tidy' tests/tidy.sh build/clang
fi

for name in ${failures[@]+"${failures[@]}"}; do printf 'failed: %s\n' "$name"; done
printf '%d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
