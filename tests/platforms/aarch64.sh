#!/usr/bin/env bash
# Builds the program and its tests for AArch64 with Debian's cross compiler and runs them under qemu-user: the tests that
# need no device, and the program on PoCL for arm64.
#   tests/platforms/aarch64.sh [FOLDER]
# Needs a Debian with g++-aarch64-linux-gnu and qemu-user, and installs nothing: the arm64 packages are unpacked into
# FOLDER (build/aarch64-root), with a state of apt of its own. Fails where a test or a dwarf failed.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
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

# qemu-user leaves execve to the kernel, which starts no arm64 program where binfmt_misc is not set up: in the program's
# worker processes, execl starts qemu instead. And PoCL has its kernels linked by the linker for its own processor, under
# that processor's name, with libgcc; it looks for its library of kernels where the .icd file says, without qemu's prefix.
make_helpers() {
  mkdir -p "$place"/{bin,icd}
  aarch64-linux-gnu-gcc -shared -fPIC -x c - -o "$place/exec_by_qemu.so" <<'END'
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
int execl(const char* path, const char* name, ...) {
  va_list rest;
  va_start(rest, name);
  const char* role = va_arg(rest, const char*);
  va_end(rest);
  return execlp("qemu-aarch64", "qemu-aarch64", getenv("PROGRAM"), role, (char*)0);
}
END
  local libgcc
  libgcc=$(dirname "$(aarch64-linux-gnu-gcc -print-libgcc-file-name)")
  printf '#!/bin/sh\nexec aarch64-linux-gnu-ld "$@" -L%s -L/usr/aarch64-linux-gnu/lib\n' "$libgcc" >"$place/bin/aarch64-unknown-linux-gnu-ld"
  chmod +x "$place/bin/aarch64-unknown-linux-gnu-ld"
  echo "$place/root/usr/lib/aarch64-linux-gnu/libpocl.so.2" >"$place/icd/pocl.icd"
}

[ -e "$place/unpacked" ] || unpack_packages
make_helpers
export AARCH64_ROOT=$place/root QEMU_LD_PREFIX=$place/root
(cd "$root" && cmake --preset aarch64)
cmake --build "$build" --target dwarfsweep dwarfsweep_tests
failed=0
echo "--- tests without a device"
qemu-aarch64 "$build/tests/dwarfsweep_tests" '~[device]~[long]' || failed=1
echo "--- on PoCL for arm64"
export OCL_ICD_VENDORS=$place/icd POCL_CACHE_DIR=$place/pocl_cache DWARFSWEEP_CACHE=off PATH=$place/bin:$PATH
export PROGRAM=$build/dwarfsweep
for dwarf in saxpy lud crc needle srad bfs sgemv kmeans des hotspot; do
  printf '%s: ' $dwarf
  timeout 600 qemu-aarch64 -E LD_PRELOAD="$place/exec_by_qemu.so" "$PROGRAM" run --dwarf $dwarf --size tiny --device pocl \
    --point-timeout 600 2>"$place/log" | grep '^result *right' || { failed=1 && tail -n 5 "$place/log"; }
done
exit $failed
