#!/usr/bin/env bash
# Builds Khronos's OpenCL loader, and runs device tests and every dwarf on PoCL with it and with the system's loader, each
# with the fault layer and without:
#   tests/platforms/loaders.sh BUILD [CATCH2_ARGUMENTS...]
# BUILD is a folder with a built dwarfsweep, dwarfsweep_tests and fault_layer; the tests are '[device][crc]~[long]' unless
# others are named. LOADER and HEADERS name other repositories than Khronos's own. Fails where a test failed.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -eu -o pipefail
build=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- '[device][crc]~[long]'
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git clone -q "${LOADER:-https://github.com/KhronosGroup/OpenCL-ICD-Loader.git}" "$place/loader"
git clone -q "${HEADERS:-https://github.com/KhronosGroup/OpenCL-Headers.git}" "$place/headers"
cmake -S "$place/loader" -B "$place/build" -DOPENCL_ICD_LOADER_HEADERS_DIR="$place/headers" -DBUILD_TESTING=OFF >/dev/null
cmake --build "$place/build" >/dev/null

export OCL_ICD_VENDORS=$build/tests/icd/pocl DWARFSWEEP_TEST_DEVICE=pocl
failed=0
for loader in system khronos; do
  for layer in none faults; do
    settings=()
    [ $loader = system ] || settings+=(LD_LIBRARY_PATH="$place/build")
    [ $layer = none ] || settings+=(OPENCL_LAYERS="$build/tests/libfault_layer.so" FAULT=whole_writes)
    echo "--- loader: $loader, layer: $layer"
    env "${settings[@]}" "$build/tests/dwarfsweep_tests" --warn NoAssertions "$@" | tail -n 3 || failed=1
    for dwarf in lud crc needle srad bfs sgemv kmeans des hotspot; do
      env "${settings[@]}" "$build/dwarfsweep" run --dwarf $dwarf --size tiny --device pocl | grep -q '^result *right' ||
        { failed=1 && echo "$dwarf: FAILED"; }
    done
  done
done
exit $failed
