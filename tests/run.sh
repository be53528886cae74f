#!/usr/bin/env bash
# run.sh [--all|--long] [ROOM…]: installs what is missing, builds, and runs the tests. Ends with one line "N passed, N failed".
#   always: the house (include arrows, sizes, format), unit and reference tests, the window by script and by mouse under Xvfb,
#           the program without any window library
#   --all:  also a study shared out by a real Slurm and by GNU parallel, its tables read by pandas and R, the address+undefined and thread
#           sanitizers over what reads files and computes maps, and 10,000 random events in the window
#   --long: also the sanitizers over the other rooms, a clang build with all tests, clang-tidy, fuzzing, Valgrind, and 100,000 random
#           events
#   ROOM…:  builds and runs the tests of these rooms alone, such as `attention` or `engine/text/steps`
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
purpose=tests all=0 long=0 rooms=()
for argument in "$@"; do
  case $argument in
    --all) all=1 purpose=all ;;
    --long) all=1 long=1 purpose=long ;;
    -*) echo "run.sh: unknown option $argument; there are --all and --long" >&2; exit 2 ;;
    *) rooms+=("$argument") ;;
  esac
done
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
finish() {
  for name in ${failures[@]+"${failures[@]}"}; do printf 'failed: %s\n' "$name"; done
  printf '   in all: %d s\n%d passed, %d failed\n' "$SECONDS" $passed $failed
  [ $failed = 0 ]
}

format_is_clean() {
  git ls-files -co --exclude-standard 'engine/*.h' 'engine/*.cpp' 'app/*.h' 'app/*.cpp' 'tests/*.h' 'tests/*.cpp' | xargs clang-format --dry-run --Werror
}
run_ctest() { # build folder, test programs… (none: all)
  local folder=$1
  shift
  local chosen=()
  [ $# = 0 ] || chosen=(-R "^($(IFS='|'; echo "$*"))\$")
  ctest --test-dir "$folder" --parallel "$(nproc)" --output-on-failure --no-tests=error ${chosen[@]+"${chosen[@]}"}
}
without_window() {
  third_party/build.sh release headlight_windowless && ! ldd build/headlight_windowless | grep -E 'glfw|libGL' &&
    build/headlight_windowless trace -m sandbox -t 'no window needed' -o build/without_window.safetensors
}
sanitized() { # preset, rooms…
  local preset=$1
  shift
  third_party/build.sh "$preset" "${@/#/test_}" && run_ctest "build/$preset" "$@"
}
fuzzed() {
  third_party/build.sh fuzz fuzz_targets && tests/fuzz/run.sh build/fuzz/fuzz "${HEADLIGHT_FUZZ_SECONDS:-120}"
}
valgrind_is_clean() { # uninitialised reads, which the address sanitizer misses; a build for any machine, whose instructions Valgrind knows
  local model=tests/reference/models/gpt2 check=(valgrind --quiet --error-exitcode=9 build/engine-only/headlight)
  third_party/build.sh engine-only headlight &&
    "${check[@]}" trace -m $model -t 'It was naïve.' -o build/engine-only/valgrind.safetensors && "${check[@]}" inspect $model >/dev/null &&
    "${check[@]}" export -m sandbox -t 'a b c' --figure heatmap -o build/engine-only/valgrind.svg
}
random_events() { # how many; a failure prints the script, a crash leaves it in the system's temporary folder
  HEADLIGHT_RANDOM_EVENTS=$1 build/tests/test_gui --gtest_brief=1 --gtest_filter='RandomEvents.*'
}
in_display() { xvfb-run -a -s '-screen 0 2560x1440x24 -noreset' "$@"; } # a server that resets refuses who comes next

program_of() { # the test program of a room: that of its folder in tests/, or of the room around it
  local room=${1%/}
  room=${room#engine/} room=${room#app/}
  while [ ! -d "tests/$room" ] && [[ $room == */* ]]; do room=${room%/*}; done
  if ! compgen -G "tests/$room/*_test.cpp" >/dev/null; then
    echo "run.sh: no tests of a room '$1'; there are:" "$(ls -d tests/*/*_test.cpp | cut -d/ -f2 | sort -u | tr '\n' ' ')" >&2
    return 1
  fi
  echo "$room"
}

third_party/setup.sh $purpose || exit $?

if [ ${#rooms[@]} -gt 0 ]; then
  programs=()
  for room in "${rooms[@]}"; do
    program=$(program_of "$room") || exit 2
    programs+=("$program")
  done
  step 'house' python3 tests/house_test.py
  step 'build' third_party/build.sh release "${programs[@]/#/test_}" -- -DHEADLIGHT_TESTS=ON
  step "tests of ${programs[*]}" run_ctest build "${programs[@]}"
  finish
  exit
fi

figures_in=()
[ $all = 0 ] || figures_in=(--all)
[ $long = 0 ] || figures_in=(--long)
step 'house' python3 tests/house_test.py
step 'format' format_is_clean
step 'lexicon' python3 tests/lexicon_test.py
step 'grammar' python3 tests/grammar_test.py
step 'build' third_party/build.sh release all -- -DHEADLIGHT_TESTS=ON
step 'symbols of the rooms' python3 tests/symbols_test.py build
step 'tests' run_ctest build
step 'seed documents' python3 tests/seeds_listing.py
step 'README' python3 tests/readme_test.py build/headlight
step 'figures read by other programs' python3 tests/figures_test.py ${figures_in[@]+"${figures_in[@]}"} build/headlight
step 'measures by numpy' /usr/bin/python3 tests/numpy_measures_test.py build/headlight # whose numpy is Debian's
step 'window by script' in_display tests/gui_scripts/run_scripts.sh build/headlight
step 'what the window remembers' in_display tests/gui_scripts/remember.sh build/headlight
step 'window by mouse and keyboard' in_display tests/gui_scripts/xdotool_smoke.sh build/headlight
step 'without a window library' without_window
if [ $all = 1 ]; then
  step 'Slurm' python3 tests/slurm_test.py build/headlight
  step 'pandas and R' /usr/bin/python3 tests/readers_test.py build/headlight  # whose pandas is Debian's
  step 'random events' random_events $((long ? 100000 : 10000))
  # What reads files and computes maps. What is made of maps, the app's other rooms and the recorded cases take three times as long to
  # compile, and are for --long.
  checked=(core formats text kernels model attention forward attend dumps measures analysis pipeline)
  # The rooms that start threads, or are called from several; studies, which share the threads of those, take as long as all of them together.
  threaded=(core kernels attention forward attend pipeline)
  [ $long = 0 ] || { checked+=(inside finding labs targets interventions attribution circuits studies figure document reference recipe work session) && threaded+=(studies work session); }
  step 'address and undefined sanitizers' sanitized asan "${checked[@]}"
  step 'thread sanitizer' sanitized tsan "${threaded[@]}"
fi
if [ $long = 1 ]; then
  step 'clang' third_party/build.sh clang all
  step 'clang tests' run_ctest build/clang
  step 'fuzzing' fuzzed
  step 'Valgrind' valgrind_is_clean
  step 'clang-tidy' tests/tidy.sh build/clang
fi
finish
