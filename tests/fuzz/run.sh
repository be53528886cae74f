#!/usr/bin/env bash
# run.sh FOLDER SECONDS: runs every fuzz target of a build for SECONDS, from small sound inputs and, where it is there, the hostile corpus.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1 seconds=$2
model=$root/tests/reference/models/gpt2
corpus=${HEADLIGHT_HOSTILE:-$root/../shared/hostile/corpus}
export HEADLIGHT_FUZZ_MODEL=$model
status=0

small_npy() { # two rows of three bytes
  printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"
  printf '\1\0\1\0\1\1'
}

for target in "$folder"/fuzz_*; do
  [ -x "$target" ] || continue
  name=${target##*/fuzz_}
  inputs=$folder/inputs/$name
  mkdir -p "$inputs" "$folder/findings"
  case $name in
    safetensors) find "$root/tests" "$corpus" -name '*.safetensors' -size -64k -exec cp {} "$inputs" \; 2>/dev/null ;;
    model_folder) cp "$model/config.json" "$inputs"; for f in "$corpus"/models/*/config.json; do [ ! -f "$f" ] || cp "$f" "$inputs/$(basename "$(dirname "$f")").json"; done ;;
    tokenizer) cp "$model/tokenizer.json" "$inputs"; for f in "$corpus"/models/*/tokenizer.json; do [ ! -f "$f" ] || cp "$f" "$inputs/$(basename "$(dirname "$f")").json"; done ;;
    sentence_piece) for f in "$root"/tests/reference/sentencepiece/*/tokenizer.model; do cp "$f" "$inputs/$(basename "$(dirname "$f")").model"; done ;;
    document) "$root/build/headlight" save -m sandbox -t 'a b c' --mask 'causal + window:2' -o "$inputs/document.headlight.json" ;;
    mask_text) printf 'causal + window:8 + no-self' >"$inputs/terms"; printf 'k <= q && !(k == 0) || n - 1 == q' >"$inputs/comparison" ;;
    gguf) { # one value, one tensor of four floats
      printf 'GGUF\3\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0'
      printf '\3\0\0\0\0\0\0\0key\4\0\0\0\7\0\0\0'
      printf '\1\0\0\0\0\0\0\0w\1\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
      head -c 52 /dev/zero
    } >"$inputs/small.gguf" ;;
    mask_file)
      { printf '0'; small_npy; } >"$inputs/numbers" # the first byte chooses the ending: 0 .npy, 1 .txt, 2 .png
      printf '1# rows\n1 0 1\n0 1 1\n' >"$inputs/rows"
      printf '11.000e+00,-inf\n' >"$inputs/savetxt"
      for f in "$root"/tests/golden/figure/*.png; do { printf '2'; cat "$f"; } >"$inputs/$(basename "$f")"; done ;;
    npy | npz)
      small_npy >"$inputs/map"
      find "$corpus/npy" \( -name '*.npy' -o -name "*.$name" \) -size -64k -exec cp {} "$inputs" \; 2>/dev/null ;;
    dump_json)
      printf '{"tokens": ["a", "b"], "attention": [[[[1, 0], [0.25, 0.75]]]]}' >"$inputs/maps.json"
      printf '{"encoder": {"attn": [[[[NaN]]]], "left_text": ["a"], "right_text": ["a"]}, "cross": {"attn": [[[[1]]]]}}' >"$inputs/several.json"
      printf '[1,[]]' >"$inputs/uneven.json" ;;
    shard_index)
      printf '{"metadata":{"total_size":8},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}}' >"$inputs/sound.json"
      for f in "$corpus"/models/*/model.safetensors.index.json; do [ ! -f "$f" ] || cp "$f" "$inputs/$(basename "$(dirname "$f")").json"; done ;;
    utf8) printf 'naïve \360\237\220\261 中文 \377' >"$inputs/mixed" ;;
  esac
  echo "fuzz $name: $seconds s"
  "$target" "$inputs" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$folder/findings/$name-" >"$folder/$name.log" 2>&1 || { status=1; tail -n 40 "$folder/$name.log"; }
  grep -E 'number_of_executed_units|peak_rss' "$folder/$name.log"
done
rm -rf /dev/shm/headlight-fuzz-*
exit $status
