#!/usr/bin/env bash
# setup.sh app|tests|all|long: installs the Debian packages that are missing and fetches the sources that Debian 12 has too old.
# Safe to repeat: what is there is left alone. Quiet unless something is done or fails.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
purpose=${1:-app}

packages=(
  # to build
  g++ cmake ninja-build pkg-config python3-glad dpkg-dev xz-utils bzip2
  libfmt-dev libcli11-dev nlohmann-json3-dev libzip-dev libsqlite3-dev libcurl4-openssl-dev libssl-dev libutf8proc-dev libpcre2-dev libunistring-dev libfribidi-dev
  libcairo2-dev libpango1.0-dev libfontconfig-dev libglfw3-dev libfreetype-dev libgl-dev
  # to run: the software renderer, and faces that show every script
  libgl1-mesa-dri fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-wqy-microhei fonts-symbola
  fonts-freefont-ttf fonts-unifont fonts-noto-ui-core fonts-noto-color-emoji)
if [ "$purpose" != app ]; then
  packages+=(libgtest-dev libgmock-dev libbenchmark-dev xvfb xdotool xauth imagemagick librsvg2-bin poppler-utils libxml2-utils python3 python3-numpy clang-format git)
fi
if [ "$purpose" = all ] || [ "$purpose" = long ]; then
  # who shares a study out, and who reads its tables
  packages+=(slurm-wlm munge parallel python3-pandas r-base-core r-cran-jsonlite r-cran-rsqlite)
  # who opens its pages
  packages+=(chromium)
fi
if [ "$purpose" = long ]; then
  packages+=(clang clang-tidy libclang-rt-14-dev valgrind)
fi

stop() { echo "setup: $*" >&2; exit 3; }

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    case $installed in *" $package "*) ;; *) echo "$package" ;; esac
  done
}

install_packages() {
  local as_root=() log
  log=$(mktemp)
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || stop "these packages are missing: $*. Installing them needs root: run this once as root, or install sudo."
    as_root=(sudo)
  fi
  echo "Installing $# missing packages …" >&2
  if ! { "${as_root[@]}" apt-get -qq update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$@"; } >"$log" 2>&1; then
    tail -n 3 "$log" >&2
    rm -f "$log"
    stop "these packages could not be installed: $*. Is this machine online, and may you use root rights?"
  fi
  rm -f "$log"
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
  installed=" $(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' 2>/dev/null | sed -n 's/^ii //p' | tr '\n' ' ') "
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
else
  echo "setup: this is not a Debian system; the build will use what it finds (the list is in vcpkg.json)" >&2
fi

if [ ! -f "$here/sources/complete" ]; then
  echo "Fetching Dear ImGui and Eigen …" >&2
  "$here/fetch_sources.sh" "$here/sources" || stop "Dear ImGui and Eigen could not be fetched (see above)."
fi
