#!/usr/bin/env bash
# peers.sh [PROGRAM]: `headlight heads` beside transformers with numpy (peers_heads.py), and the forward passes of `headlight bench forward` beside PyTorch's with all attention maps (the better of one and two
# threads) and llama.cpp's prefill, on random weights of the same shapes, in the same minutes. Both are taken from a Debian sid root, made by
# debootstrap (as root, some minutes and 2 GB) in $HEADLIGHT_SID_ROOT, by default ~/.cache/headlight/sid. Where that cannot be had it says so,
# and nothing was measured.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${1:-$root/build/headlight}
sid=${HEADLIGHT_SID_ROOT:-$HOME/.cache/headlight/sid}
work=$sid/tmp/headlight_peers

not_measured() { echo "peers: not measured: $1" >&2; exit 3; }

[ -x "$program" ] || not_measured "no program at $program; build it with app/run.sh"
[ "$(id -u)" = 0 ] || not_measured 'a Debian sid root needs root'
if ! [ -x "$sid/usr/bin/apt-get" ]; then
  command -v debootstrap >/dev/null || not_measured 'debootstrap is missing: apt-get install debootstrap'
  mkdir -p "$sid" && debootstrap --variant=minbase sid "$sid" >/dev/null || not_measured "debootstrap failed: $sid/debootstrap/debootstrap.log"
fi
mounted=()
trap 'for folder in "${mounted[@]}"; do umount "$folder"; done' EXIT
for folder in proc dev; do
  mountpoint -q "$sid/$folder" && continue
  mount --bind "/$folder" "$sid/$folder" || not_measured "/$folder cannot be mounted in $sid"
  mounted+=("$sid/$folder")
done
packages=(python3-torch libopenblas0-pthread python3-transformers python3-gguf llama.cpp) # without OpenBLAS, torch multiplies by plain loops
if ! chroot "$sid" dpkg -s "${packages[@]}" >/dev/null 2>&1; then
  cp /etc/resolv.conf "$sid/etc/"
  { chroot "$sid" apt-get update && chroot "$sid" apt-get install -y --no-install-recommends "${packages[@]}"; } >"$sid/tmp/apt.log" 2>&1 ||
    not_measured "these packages cannot be installed in $sid: ${packages[*]}"
fi

mkdir -p "$work"
cp "$root/tests/bench/peers.py" "$work/"
"$program" bench forward | tee "$work/headlight.txt"
chroot "$sid" python3 /tmp/headlight_peers/peers.py /tmp/headlight_peers

# The usual measures of every head of story-gpt over 400 texts of 110 words, about 128 tokens, from the same files. One thread of Python: with two,
# OpenBLAS spins.
cp "$root/tests/bench/peers_heads.py" "$work/"
cp -r "$root/assets/models/story-gpt" "$work/"
for _ in {1..40}; do tr '\n' ' ' <"$root/tests/reference/studies/sentences.txt"; done | xargs -n 110 -d ' ' | head -400 >"$work/texts.txt"
printf '\nThe usual measures of every head of story-gpt, %d texts\n' "$(wc -l <"$work/texts.txt")"
( TIMEFORMAT='Headlight: %R s, %U s of computing'; time "$program" heads -m story-gpt --texts "$work/texts.txt" --fresh -o "$work/own.csv" 2>/dev/null )
OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 chroot "$sid" python3 /tmp/headlight_peers/peers_heads.py /tmp/headlight_peers/story-gpt \
  /tmp/headlight_peers/texts.txt /tmp/headlight_peers/python.csv 1 2>/dev/null
python3 - "$work" <<'END'
import csv, sys
own, theirs = [list(csv.DictReader(open(f"{sys.argv[1]}/{name}.csv"))) for name in ("own", "python")]
worst = max(abs(float(a[id]) - float(b[id])) / max(1, abs(float(b[id]))) for a, b in zip(own, theirs) for id in b if b[id] != "nan")
print(f"the farthest of their {len(theirs)} heads' numbers: {worst:.1e} apart")
END
