#!/usr/bin/env bash
# Builds the program and the fault layer with the OpenCL headers of several releases, warnings being errors, and runs
# each by queue and by command buffer on PoCL:
#   tests/platforms/headers.sh [RELEASE...]
# HEADERS and CLHPP name other repositories than Khronos's own. Prints a line per release; fails where one failed.
# An unoptimised build is quicker; GCC 12 then takes a loop of fmt's for an overflow, which is no matter of OpenCL's headers.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
headers=${HEADERS:-https://github.com/KhronosGroup/OpenCL-Headers.git}
clhpp=${CLHPP:-https://github.com/KhronosGroup/OpenCL-CLHPP.git}
releases=(v2022.05.18 v2022.09.30 v2023.12.14 v2024.05.08 v2024.10.24 v2025.07.22 v2026.05.29)
[ $# = 0 ] || releases=("$@")

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git clone -q --bare "$headers" "$place/headers.git" && git clone -q --bare "$clhpp" "$place/clhpp.git" || exit 1

build_and_run() {
  local folder=$place/$1 build=$place/build
  rm -rf "$build" && mkdir -p "$folder" &&
    git -C "$place/headers.git" archive "$1" CL | tar -x -C "$folder" &&
    git -C "$place/clhpp.git" archive "$1" include/CL | tar -x -C "$folder" --strip-components=1 &&
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= -DDWARFSWEEP_WERROR=ON \
      -DCMAKE_CXX_FLAGS=-Wno-stringop-overflow -DOpenCL_INCLUDE_DIR="$folder" -DOPENCL_HPP_DIR="$folder" &&
    cmake --build "$build" --target dwarfsweep fault_layer &&
    for submission in queue command_buffer; do
      OCL_ICD_VENDORS=$build/tests/icd/pocl "$build/dwarfsweep" run --dwarf lud --size tiny --device pocl \
        --set submission=$submission | grep "^result *right" || return
    done
}

failed=0
for release in "${releases[@]}"; do
  if build_and_run "$release" >"$place/log" 2>&1; then
    echo "$release: builds and runs"
  else
    failed=1
    echo "$release: FAILED"
    tail -n 30 "$place/log"
  fi
done
exit $failed
