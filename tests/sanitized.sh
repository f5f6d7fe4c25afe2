#!/usr/bin/env bash
# The tests without a device, but those of statistics, and the fuzz targets, under AddressSanitizer and
# UndefinedBehaviorSanitizer, from a build that is made for short compile times.
#
#   tests/sanitized.sh    builds for at most BUILD_SECONDS (default 900), fuzzes every reader for FUZZ_SECONDS (default 6), and tests
#                         for at most TEST_SECONDS (default 420); where a limit is too short it says so, and the exit status
#                         is 77 unless something failed before
set -u -o pipefail
case "${1-}" in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
build=build/sanitized
log=$build.log
mkdir -p build
exec 3>&1 # what is said, also while a step writes to the log

# Runs $3.. for at most $2 seconds; $1 says what it is.
run_within() {
  timeout -k 20 "${@:2}"
  status=$?
  if [ $status = 124 ] || [ $status = 137 ]; then
    echo "under the sanitizers: $1 did not end in $2 s" >&3
    exit $((failed ? 1 : 77))
  fi
}
failed=0

cmake --preset sanitized -DDWARFSWEEP_FUZZ_SECONDS="${FUZZ_SECONDS:-6}" >$log 2>&1 || {
  tail -n 20 $log
  exit 1
}
run_within "the build" "${BUILD_SECONDS:-900}" cmake --build $build --target dwarfsweep_tests fuzz_targets >>$log 2>&1
[ "$status" = 0 ] || {
  grep -m 1 -A 30 '^FAILED: ' $log
  exit 1
}
export KMP_BLOCKTIME=0 LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
ctest --test-dir $build --label-regex '^fuzz$' --parallel "$(nproc)" --output-on-failure --no-tests=error || failed=1
ASAN_OPTIONS=detect_stack_use_after_return=0 DWARFSWEEP_BEST=$PWD/$build/best run_within "the tests" "${TEST_SECONDS:-420}" \
  $build/tests/dwarfsweep_tests --warn NoAssertions '~[device]~[long]~[statistics]'
[ "$status" = 0 ] || failed=1
exit $failed
