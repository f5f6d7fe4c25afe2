#!/usr/bin/env bash
# ./run with fake system tools: what it installs, what it says, what it hands on. Prints each failure; the exit status is
# 0 where there is none. .ci/run uses the real tools.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -u
script=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/run
place=$(mktemp -d)
tools=$(mktemp -d)
trap 'rm -rf "$place" "$tools"' EXIT
unset DWARFSWEEP_PRESET
failures=0

# Every case starts from an empty tree, in a folder whose name has a space, on a machine where every package is installed.
fresh_tree() {
  tree="$place/a tree"
  rm -rf "${place:?}"/*
  mkdir -p "$tree" "$place/bin"
  cp "$script" "$tree/run"
  system_tools=/usr/bin:/bin
  export CALLS=$place/calls MISSING='' NOT_OFFERED='' USER_ID=0 TREE=$tree
  : >"$CALLS"
  pretend id 'echo "$USER_ID"'
  pretend dpkg-query 'case " $MISSING " in *" ${*: -1} "*) exit 1 ;; esac; echo installed'
  pretend apt-cache 'case " $NOT_OFFERED " in *" ${*: -1} "*) exit 1 ;; esac'
  pretend apt-get 'echo "apt-get ${*: -3}" >>"$CALLS"'
  pretend cmake '[ "$1" != --version ] || { echo "cmake version ${CMAKE_IS:-3.22.0}" && exit; }
    echo "cmake $*" >>"$CALLS"
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
  (cd / && PATH="$place/bin:$system_tools" "$tree/run" "$@" >"$place/out" 2>"$place/err" </dev/null)
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
export MISSING='git g++'
run devices
expect "what is missing is installed" grep -q 'apt-get .*g++ git' "$CALLS"
expect "and the package lists are read before" grep -q 'apt-get .*update' "$CALLS"
expect "and it is said" grep -q 'installing 2 packages: g++ git' "$place/err"

fresh_tree
export MISSING='catch2 oclgrind'
run devices
expect "packages of the tests are not installed for anything else" test "$(grep -c apt-get "$CALLS")" = 0
export MISSING=oclgrind NOT_OFFERED=oclgrind
run test '[nothing]'
expect "a test device that no source offers is done without" test "$(grep -c 'apt-get .*install' "$CALLS")" = 0
expect "which is said" grep -q 'continuing without oclgrind, .*no apt source offers oclgrind' "$place/err"

fresh_tree
export MISSING='git g++'
run setup
expect "setup installs" grep -q 'apt-get .*g++ git' "$CALLS"
expect "setup names the packages" grep -q 'installing 2 packages: g++ git' "$place/err"
expect "setup builds nothing" test "$(grep -c cmake "$CALLS")" = 0
fresh_tree
run setup
expect "setup is done where nothing is missing" test "$status" = 0
run setup --everything
expect "setup refuses other options in a sentence" test "$status" = 4 -a "$(wc -l <"$place/err")" = 1

for way in option variable; do
  fresh_tree
  export MISSING=git
  if [ $way = option ]; then run --no-install devices; else DWARFSWEEP_NO_INSTALL=1 run devices; fi
  expect "no-install by $way: apt is not called" test "$(grep -c apt-get "$CALLS")" = 0
  expect "no-install by $way: the program runs" test "$status" = 7
  expect "no-install by $way: the missing package is named" grep -q 'continuing without git, .*--no-install' "$place/err"
done

goes_on() {
  expect "$1: the program runs all the same" test "$status" = 7
  expect "$1: what is missing is named in one sentence" test "$(grep -c "continuing without cmake, .*$2" "$place/err")" = 1
  expect "$1: and what to do about it" grep -qE "; (as root: apt install cmake|docs/install.md says .*)\$" "$place/err"
}

# cmake fails as it would without something that is needed.
fails_to_configure() {
  pretend cmake 'echo "CMake Error: in its own words"; exit 1'
  run devices
  expect "$1: where the configuration fails, that is the end" test "$status" = 4
  expect "$1: and the message names what is missing" grep -q 'missing packages: cmake' "$place/err"
}

fresh_tree
export MISSING=cmake NOT_OFFERED=cmake
run devices
goes_on "not offered" "no apt source offers cmake"
: >"$CALLS"
run devices
expect "what could not be installed is not tried at every run" test ! -s "$place/err" -a "$(grep -c apt-get "$CALLS")" = 0
fresh_tree
export MISSING=cmake NOT_OFFERED=cmake
fails_to_configure "not offered"

fresh_tree
export MISSING=cmake
pretend apt-get 'echo "no route to host"; exit 100'
run devices
goes_on "a failing apt" "apt-get update failed (no route to host)"
fresh_tree
export MISSING=cmake
pretend apt-get 'echo "no route to host"; exit 100'
fails_to_configure "a failing apt"

fresh_tree
export MISSING=cmake USER_ID=1000
pretend sudo 'echo sudo >>"$CALLS"; exec "$@"'
run devices
expect "without being root, sudo is used" grep -q 'sudo' "$CALLS"
expect "and it installs" grep -q 'apt-get .*cmake' "$CALLS"

# A folder with all tools but those named. Thousands of links take seconds, so they are made once.
mkdir "$tools/all" "$tools/hidden"
ln -sf /usr/bin/* "$tools/all/"
[ /bin -ef /usr/bin ] || ln -sf /bin/* "$tools/all/"
tools_without() {
  mv "$tools"/hidden/* "$tools/all/" 2>/dev/null
  (cd "$tools/all" && mv "$@" "$tools/hidden/" 2>/dev/null)
  system_tools=$tools/all
}

fresh_tree
tools_without sudo
export MISSING=cmake USER_ID=1000
run devices
goes_on "neither root nor sudo" "neither root nor sudo"
expect "neither root nor sudo: apt is not tried" test "$(grep -c apt-get "$CALLS")" = 0
fresh_tree
tools_without sudo
export MISSING=cmake USER_ID=1000
fails_to_configure "neither root nor sudo"

fresh_tree
tools_without apt-get dpkg-query ninja
rm "$place/bin/apt-get" "$place/bin/dpkg-query"
pretend c++ 'exec cat >/dev/null'
run devices
expect "without apt, the program runs all the same" test "$status" = 7
expect "and what is missing is named as packages" grep -q 'continuing without .*ninja-build.*: there is no apt' "$place/err"
expect "but nothing that is there" test "$(grep -c 'without .*cmake' "$place/err")" = 0

# A machine that has dnf or pacman in the place of apt, and neither ninja nor the CSV parser; NOT_OFFERED as for apt.
machine_with() {
  fresh_tree
  tools_without apt-get dpkg-query ninja
  rm "$place/bin/apt-get" "$place/bin/dpkg-query"
  pretend c++ 'case " $* " in *" -E "*) ! grep -q csv ;; esac'
  pretend "$1" 'echo "${0##*/} $*" >>"$CALLS"
    case "$1 $2" in "-q info" | "-Si "*) case " $NOT_OFFERED " in *" ${*: -1} "*) exit 1 ;; esac ;; esac'
}
for manager in 'dnf ninja-build' 'pacman ninja'; do
  read -r manager ninja <<<"$manager"
  machine_with "$manager"
  run devices
  expect "$manager installs what is missing, by its own names" grep -qE "^$manager .* fast-cpp-csv-parser $ninja\$" "$CALLS"
  expect "$manager, which is said" grep -q "installing 2 packages: fast-cpp-csv-parser $ninja" "$place/err"
  expect "$manager: the program runs" test "$status" = 7
  expect "$manager: nothing of another name is asked for" test "$(grep -cE 'libfccp|libboost' "$CALLS")" = 0

  machine_with "$manager"
  export NOT_OFFERED=fast-cpp-csv-parser
  run devices
  expect "$manager installs the rest where one is not offered" grep -qE "^$manager .*(install|-S) $ninja\$" "$CALLS"
  expect "$manager: one sentence names what to install" \
    grep -q "continuing without fast-cpp-csv-parser.*: no $manager source offers fast-cpp-csv-parser" "$place/err"
done

fresh_tree
pretend cmake 'echo "CMake Error: in its own words"; exit 1'
run devices
expect "a failing configuration shows what cmake said" grep -q 'in its own words' "$place/err"
expect "and ends the run with status 4" test "$status" = 4

fresh_tree
pretend cmake 'mkdir -p "$TREE/build/release"; [ "$1" = --preset ] || { echo "FAILED: first.o"; seq 60; exit 1; }'
run devices
expect "a failing build shows the first step that failed, not the last lines" grep -q 'FAILED: first.o' "$place/err"

# A build of four steps in words like ninja's, with a pause of $1 seconds before each.
build_with_pauses() {
  export PAUSE=$1
  fresh_tree
  pretend cmake 'if [ "$1" = --version ]; then exit; fi
    if [ "$1" = --preset ]; then
      touch "$TREE/build/release/CMakeCache.txt" "$TREE/build/release/build.ninja"
    else
      for step in 1 2 3 4; do sleep "$PAUSE"; echo "[$step/4] Building CXX object $step.o"; done
      ln -sf /bin/true "$TREE/build/release/dwarfsweep"
    fi'
}
build_with_pauses 0.3
export DWARFSWEEP_PROGRESS_SECONDS=1
run devices
expect "while configuring, a line says so" grep -qF "dwarfsweep: configuring $tree/build/release" "$place/err"
expect "while building, a line says how far it is" grep -qE '^dwarfsweep: building: [1-4] of 4 steps, [0-9]+ %' "$place/err"
unset DWARFSWEEP_PROGRESS_SECONDS
build_with_pauses 0.6
run devices
expect "lines of progress are ten seconds apart" test "$(grep -c building "$place/err")" = 0
if command -v script >/dev/null; then
  build_with_pauses 0
  (cd / && PATH="$place/bin:/usr/bin:/bin" script -qec "'$tree/run' devices" /dev/null >"$place/out" 2>&1 </dev/null)
  expect "on a terminal one line is rewritten in place" grep -q $'\r\033\\[Kdwarfsweep: building: 1 of 4 steps, 25 %\r' "$place/out"
  expect "and is cleared at the end" grep -q $'steps, 100 %\r\033\\[K$' "$place/out"
fi
remaining() { bash -c "$(sed -n '/^remaining_time() {/,/^}/p' "$script"); remaining_time $*"; }
expect "the remaining time is judged by the steps done" test "$(remaining 50 150 60)" = ", about 2 min left"
expect "in seconds where it is short" test "$(remaining 100 150 60)" = ", about 30 s left"
expect "and not before a tenth is done" test -z "$(remaining 10 150 60)"

for question in --help 'setup --help' 'test --help' '--no-install --help'; do
  fresh_tree
  export MISSING=git
  read -ra words <<<"$question"
  run "${words[@]}"
  expect "$question is answered" test "$status" = 0 -a "$(grep -c './run setup' "$place/out")" = 1
  expect "$question installs, builds and writes nothing" test ! -s "$CALLS" -a ! -e "$tree/build"
done

refuses() {
  expect "$1: status 4, and no configuration" test "$status" = 4 -a "$(grep -c -- --preset "$CALLS")" = 0
  expect "$1: one line says it, and names a way on" test "$(grep -c "$2; set CXX .*packaging/wheel.sh" "$place/err")" = 1
}
# The macros that the compiler has.
compiler_is() { pretend c++ "case \" \$* \" in *' -dM '*) printf '#define %s\n' $1 ;; esac"; }
fresh_tree
CMAKE_IS=3.18.4 run devices
refuses "cmake 3.18" "cmake is 3.18.4 and must be 3.22"
fresh_tree
CMAKE_IS=3.100.1 run devices
expect "cmake 3.100 is newer than 3.22" test "$status" = 7
fresh_tree
compiler_is '"__GNUC__ 10"'
run devices
refuses "GCC 10" "GCC is 10 and must be 12, or clang 14"
fresh_tree
compiler_is '"__GNUC__ 4" "__clang_major__ 13"'
CMAKE_IS=3.18.4 run devices
refuses "both" "cmake is 3.18.4 and must be 3.22; clang is 13 and must be 14"
fresh_tree
compiler_is '"__GNUC__ 4" "__clang_major__ 14"'
run devices
expect "clang 14, which calls itself GCC 4, is new enough" test "$status" = 7
fresh_tree
tools_without c++
run devices
expect "without a compiler a way on is named" grep -q 'apt install g++ .*packaging/wheel.sh' "$place/err"

fresh_tree
pretend apt-get '[[ " $* " != *" update "* ]] || exit 0
  echo "3 upgraded, 2 newly installed"
  for package in g++ git; do echo "Get:1 http://somewhere $package"; done
  sleep 1.1
  for package in g++ git; do echo "Setting up $package"; done'
export MISSING='git g++' DWARFSWEEP_PROGRESS_SECONDS=1
run devices
expect "while installing, a line says how far it is" grep -q 'installing packages: 1 of 2 set up' "$place/err"
unset DWARFSWEEP_PROGRESS_SECONDS

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
: >"$CALLS"
run test
expect "tests that a configuration left out are configured" grep -q -- --preset "$CALLS"
echo "build dwarfsweep_tests" >"$tree/build/release/build.ninja"
: >"$CALLS"
run test
expect "and others are not configured again" test "$(grep -c -- --preset "$CALLS")" = 0
expect "the quick tests build what they need" grep -q -- '--target quick_tests$' "$CALLS"
run test --all
expect "and --all builds all" grep -q -- '--target all$' "$CALLS"

echo "$failures failures"
[ "$failures" = 0 ]
