#!/usr/bin/env bash
# Builds the program and its tests for AArch64 with Debian's cross compiler and runs them under qemu-user: the tests that
# need no device, and the program on PoCL for arm64.
#   tests/platforms/aarch64.sh [FOLDER]
# Needs a Debian with g++-aarch64-linux-gnu and qemu-user, and installs nothing: the arm64 packages are unpacked into
# FOLDER (build/aarch64-root), with a state of apt of its own.
set -eu -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$(realpath -m "${1:-$root/build/aarch64-root}")
build=$root/build/aarch64
packages=(libboost-program-options-dev libfmt-dev nlohmann-json3-dev libfccp-dev zlib1g-dev ocl-icd-opencl-dev opencl-headers
  opencl-clhpp-headers catch2 pocl-opencl-icd)

unpack_packages() {
  mkdir -p "$place"/{root,apt/lists/partial,apt/cache/archives/partial}
  : >"$place/apt/status"
  local apt=(apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::status="$place/apt/status"
    -o Dir::State::lists="$place/apt/lists" -o Dir::Cache="$place/apt/cache" -o Debug::NoLocking=1
    -o APT::Sandbox::User=root --no-install-recommends)
  "${apt[@]}" update
  "${apt[@]}" --download-only install "${packages[@]}"
  for package in "$place"/apt/cache/archives/*.deb; do dpkg-deb -x "$package" "$place/root"; done
  touch "$place/unpacked"
}

[ -e "$place/unpacked" ] || unpack_packages
export AARCH64_ROOT=$place/root QEMU_LD_PREFIX=$place/root
(cd "$root" && cmake --preset aarch64)
cmake --build "$build" --target dwarfsweep dwarfsweep_tests
echo "--- tests without a device"
qemu-aarch64 "$build/tests/dwarfsweep_tests" '~[device]~[long]'
echo "--- on PoCL for arm64"
export OCL_ICD_VENDORS=$place/root/etc/OpenCL/vendors
for dwarf in saxpy lud crc needle srad bfs sgemv kmeans des hotspot; do
  qemu-aarch64 "$build/dwarfsweep" run --dwarf $dwarf --size tiny --device pocl | grep '^result'
done
