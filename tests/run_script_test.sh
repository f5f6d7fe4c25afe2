#!/usr/bin/env bash
# ./run against pretended system tools: what it installs, what it says, what it hands on. Prints each failure; the exit
# status is 0 where there is none. The true tools are exercised by .ci/run.
set -u
script=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/run
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset DWARFSWEEP_PRESET
failures=0

# Every case starts from an empty tree, in a folder with a blank, and a machine where every package is installed.
fresh_tree() {
  tree="$place/a tree"
  rm -rf "${place:?}"/*
  mkdir -p "$tree" "$place/bin"
  cp "$script" "$tree/run"
  export CALLS=$place/calls MISSING='' NOT_OFFERED='' USER_ID=0 TREE=$tree
  : >"$CALLS"
  pretend id 'echo "$USER_ID"'
  pretend dpkg-query 'case " $MISSING " in *" ${*: -1} "*) exit 1 ;; esac; echo installed'
  pretend apt-cache 'case " $NOT_OFFERED " in *" ${*: -1} "*) exit 1 ;; esac'
  pretend apt-get 'echo "apt-get ${*: -3}" >>"$CALLS"'
  pretend cmake 'echo "cmake $1" >>"$CALLS"
    if [ "$1" = --preset ]; then
      echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"$TREE/build/release/CMakeCache.txt"
      touch "$TREE/build/release/build.ninja"
    else
      printf "#!/bin/sh\necho program:\nprintf \"<%%s>\" \"\$@\"\nexit 7\n" >"$TREE/build/release/dwarfsweep"
      chmod +x "$TREE/build/release/dwarfsweep"
    fi'
}

pretend() {
  printf '#!/bin/bash\n%s\n' "$2" >"$place/bin/$1"
  chmod +x "$place/bin/$1"
}

run() {
  (cd / && PATH="$place/bin:/usr/bin:/bin" "$tree/run" "$@" >"$place/out" 2>"$place/err" </dev/null)
  status=$?
}

expect() {
  local what=$1
  shift
  if ! "$@" >/dev/null; then
    failures=$((failures + 1))
    echo "FAILED: $what"
    sed 's/^/  | /' "$place/out" "$place/err" "$CALLS"
  fi
}

fresh_tree
run devices 'a b' ''
expect "the program's exit status is handed on" test "$status" = 7
expect "arguments arrive as they are" grep -qF '<devices><a b><>' "$place/out"
expect "nothing is installed where nothing is missing" test "$(grep -c apt-get "$CALLS")" = 0
expect "a first run configures" grep -q -- 'cmake --preset' "$CALLS"
: >"$CALLS"
run devices
expect "a second run does not configure" test "$(grep -c -- --preset "$CALLS")" = 0
expect "a second run says nothing of its own" test ! -s "$place/err"
sed -i 's/^CMAKE_HOME_DIRECTORY.*/CMAKE_HOME_DIRECTORY:INTERNAL=elsewhere/' "$tree/build/release/CMakeCache.txt"
run devices
expect "a tree that was moved is configured again" grep -q -- --preset "$CALLS"

fresh_tree
export MISSING='catch2 g++'
run devices
expect "what is missing is installed" grep -q 'apt-get .*g++ catch2' "$CALLS"
expect "and the package lists are read before" grep -q 'apt-get .*update' "$CALLS"
expect "and it is said" grep -q 'installing 2 packages: g++ catch2' "$place/err"

fresh_tree
export MISSING=oclgrind
run devices
expect "packages of the tests are not installed for anything else" test "$(grep -c apt-get "$CALLS")" = 0
export NOT_OFFERED=oclgrind
run test '[nothing]'
expect "a test device that no source offers is done without" test "$(grep -c 'apt-get .*install' "$CALLS")" = 0

fresh_tree
export MISSING=cmake NOT_OFFERED=cmake
run devices
expect "a package that no source offers is named" grep -q 'no apt source offers cmake' "$place/err"
expect "and ends the run with status 4" test "$status" = 4

fresh_tree
export MISSING=cmake
pretend apt-get 'echo "no route to host"; exit 100'
run devices
expect "a failing apt is told, with its own words" grep -q 'no route to host' "$place/err"
expect "in one sentence" grep -q 'apt-get update failed: is there a network' "$place/err"
expect "and ends the run with status 4" test "$status" = 4

fresh_tree
export MISSING=cmake USER_ID=1000
pretend sudo 'echo sudo >>"$CALLS"; exec "$@"'
run devices
expect "without being root, sudo is used" grep -q sudo "$CALLS"
if ! [ -x /usr/bin/sudo ] && ! [ -x /bin/sudo ]; then
  rm "$place/bin/sudo"
  run devices
  expect "without sudo, it is said what to install" grep -q 'neither root nor sudo.*apt-get install cmake' "$place/err"
  expect "and the run ends with status 4" test "$status" = 4
fi

fresh_tree
pretend cmake 'echo "CMake Error: told by cmake"; exit 1'
run devices
expect "a failing configuration shows what cmake said" grep -q 'told by cmake' "$place/err"
expect "and ends the run with status 4" test "$status" = 4

fresh_tree
pretend cmake 'mkdir -p "$TREE/build/release"; [ "$1" = --preset ] || { echo "FAILED: first.o"; seq 60; exit 1; }'
run devices
expect "a failing build shows the first step that failed, not the last lines" grep -q 'FAILED: first.o' "$place/err"

fresh_tree
ctest_log() {
  mkdir -p "$tree/build/release/Testing/Temporary"
  cat >"$tree/build/release/Testing/Temporary/LastTest.log"
}
ctest_log <<'LOG'
1/6 Testing: unit
All tests passed (1,204 assertions in 20 test cases)
Test Passed.
2/6 Testing: device
test cases: 9 | 6 passed | 2 failed | 1 failed as expected
Test Failed.
3/6 Testing: killed
Test Failed.
4/6 Testing: python check
Test Passed.
Unable to find executable: gone
5/6 Testing: gone
Test Passed.
6/6 Testing: empty
No tests ran
Test Fail Reason:
LOG
pretend ctest 'exit 8'
run test
expect "test cases are summed up over all processes" grep -qx '27 passed, 5 failed' "$place/out"
expect "failing tests end with status 1" test "$status" = 1
pretend ctest 'exit 0'
run test
expect "passing tests end with status 0" test "$status" = 0

echo "$failures failures"
[ "$failures" = 0 ]
