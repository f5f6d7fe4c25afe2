#!/usr/bin/env bash
# Installs Intel's OpenCL runtime for CPUs below a build folder, as the fourth implementation that the tests run on:
#   tests/install_intel_runtime.sh [BUILD_FOLDER]     default: build/ci
# Its licence is Intel's End User License Agreement for Developer Tools, so it comes only where somebody asks for it:
# neither ./run nor CMake calls this script, and nothing of the runtime is in this repository. It is about 800 MB, in a
# virtual environment; CMake finds it by the .icd file. The exit status is 1 where it cannot be installed.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -u -o pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
build=$(realpath -m "${1:-$root/build/ci}")
runtime=$build/tests/intel_runtime
icd=$build/tests/icd/intel/intel.icd
packages=(intel-opencl-rt==2025.3.3 intel-cmplr-lib-rt==2025.3.3 intel-cmplr-lic-rt==2025.3.3 tbb==2022.3.1 tcmlib==1.6.0)

give_up() {
  rm -rf "$runtime" "$icd"
  echo "Intel's OpenCL runtime is not installed: $1" >&2
  exit 1
}

# The system's Python, whose packages apt has, before any other.
python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3) || give_up "there is no python3."

if [ -e "$icd" ] && [ "$(cat "$runtime/packages" 2>/dev/null)" = "${packages[*]}" ]; then
  echo "Intel's OpenCL runtime is in $runtime already."
  exit 0
fi
rm -rf "$runtime" "$icd"
mkdir -p "$(dirname "$runtime")" "$(dirname "$icd")" || give_up "cannot write to $build."
"$python" -m venv "$runtime" >/dev/null 2>&1 ||
  give_up "$python makes no virtual environments; Debian has them in the package python3-venv."
output=$("$runtime/bin/pip" install -q --disable-pip-version-check "${packages[@]}" 2>&1) ||
  give_up "pip found no ${packages[0]}; is there a network? ($(tail -n 1 <<<"$output"))"
# A loader for OpenCL of its own, in the place of the system's.
rm -f "$runtime"/lib/libOpenCL.so*
[ -e "$runtime/lib/libintelocl.so" ] || give_up "the package has no lib/libintelocl.so."
echo "$runtime/lib/libintelocl.so" >"$icd"
echo "${packages[*]}" >"$runtime/packages"
echo "Intel's OpenCL runtime is installed in $runtime."
