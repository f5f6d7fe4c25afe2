#!/usr/bin/env bash
# What takes too long for every change; `./run test --nightly` runs it. Each step is one of NAMES, in this order:
#
#   tests/nightly.sh [STEP...]    all of them, or these
#
#   tests     all tests but the long ones, random ones by the seed of the day
#   judge     300 random points of ours, which `judge` must call correct
#   tidy      clang-tidy on all files
#   asan      unit tests, and the quick tests on PoCL, under AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan      unit tests, and those of the harness on PoCL, under ThreadSanitizer
#   clang     a build by clang, warnings being errors, and its unit tests
#   fuzz      every reader for ten minutes
#   packages  packages built, installed and used in empty Debian roots; needs root
#
# All steps run, and a failed one is named at the end.
set -u -o pipefail
export DWARFSWEEP_TEST_SEED=${DWARFSWEEP_TEST_SEED:-$(($(date +%s) / 86400))}
names=(tests judge tidy asan tsan clang fuzz packages)
case "${1-}" in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  '') set -- "${names[@]}" ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
for step; do
  [[ " ${names[*]} " == *" $step "* ]] || {
    echo "nightly.sh: there is no step '$step'; there are ${names[*]}" >&2
    exit 2
  }
done

# Builds the preset $1 and runs the tests that the rest of the arguments choose.
sanitized() {
  cmake --preset "$1" && cmake --build "build/$1" --target dwarfsweep_tests fault_layer &&
    ctest --test-dir "build/$1" "${@:2}" --output-on-failure --no-tests=error
}

step_tests() {
  ./run test --all &&
    ctest --test-dir build/release --label-regex '^nightly$' --parallel "$(nproc)" --output-on-failure --no-tests=error
}
step_judge() { ctest --test-dir build/release -R '^check_judge_long$' --output-on-failure --no-tests=error; }
step_tidy() { tests/clang_tidy.sh --all; }
step_asan() { sanitized asan-ubsan --label-regex '^quick$' -R '^(unit|pocl_)' --parallel "$(nproc)"; }
step_tsan() { sanitized tsan -R '^(unit|unit_statistics|pocl_harness)$'; }
step_clang() {
  CXX=clang++ cmake --preset compiler && cmake --build build/compiler-clang++ &&
    build/compiler-clang++/tests/dwarfsweep_tests '~[device]~[long]'
}
step_fuzz() { FUZZ_SECONDS=600 BUILD_SECONDS=3600 TEST_SECONDS=1800 tests/sanitized.sh; }
step_packages() { ./run list >/dev/null && DWARFSWEEP=build/release/dwarfsweep python3 -B tests/packages/check.py; }

echo "seed: DWARFSWEEP_TEST_SEED=$DWARFSWEEP_TEST_SEED"
failed=()
for step; do
  echo "--- $step"
  "step_$step" || failed+=("$step")
done
echo "nightly: $(($# - ${#failed[@]})) steps passed, ${#failed[@]} failed${failed[*]:+: ${failed[*]}}"
[ ${#failed[@]} = 0 ]
