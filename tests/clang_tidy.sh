#!/usr/bin/env bash
# Runs clang-tidy by .clang-tidy, whose WarningsAsErrors decides what fails.
#
#   tests/clang_tidy.sh              the .cpp files changed since the commit that DWARFSWEEP_CI_BASE names, and one reader
#                                    of each changed header; without such a commit those of the files changed last, 12 in
#                                    all. At most TIDY_SECONDS (default 240): what is not reached by then is named, and
#                                    the exit status is 77
#   tests/clang_tidy.sh --all        all files, without a limit
#   tests/clang_tidy.sh FILE.cpp...  these files, without a limit
set -u -o pipefail
seconds=0
case "${1-}" in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

command -v clang-tidy >/dev/null || {
  echo "clang-tidy is not installed" >&2
  exit 2
}
# Presets that build from precompiled headers are of no use here: these are GCC's.
log=build/clang_tidy.log
mkdir -p build
{ cmake --preset dev && cmake --build build/dev --target revision; } >$log 2>&1 || {
  tail -n 5 $log
  exit 2
}
known_files=$(sed -n "s#^  \"file\": \"$PWD/\(.*\)\".*#\1#p" build/dev/compile_commands.json | grep -v '^build' | sort -u)
is_known() { grep -qxF "$1" <<<"$known_files"; }

# Changed headers become a .cpp file that includes them.
with_readers() {
  while IFS= read -r file; do
    case $file in *.hpp) file=$(git grep -lF "#include \"$file\"" -- '*.cpp' | grep -xFf <(echo "$known_files") | head -n 1) ;; esac
    if is_known "$file"; then echo "$file"; fi
  done | awk '!seen[$0]++'
}

case "${1-}" in
  --all) files=$known_files ;;
  '')
    seconds=${TIDY_SECONDS:-240}
    if git rev-parse -q --verify "${DWARFSWEEP_CI_BASE:-}^{commit}" >/dev/null 2>&1; then
      files=$(git diff --name-only --diff-filter=d "$DWARFSWEEP_CI_BASE" HEAD -- '*.cpp' '*.hpp' | with_readers)
    else
      files=$(git log -n 40 --format= --name-only --diff-filter=d HEAD -- '*.cpp' '*.hpp' | with_readers | head -n 12)
    fi
    ;;
  *) files=$(printf '%s\n' "$@" | with_readers) ;;
esac
[ -n "$files" ] || {
  echo "clang-tidy: no file to look at"
  exit 0
}

# One log for each file, so that those of several processes do not mix, and one that is not there was not reached.
logs=build/clang_tidy
rm -rf $logs
mkdir -p $logs
export logs
one='log=$logs/${1//\//_}; clang-tidy -p build/dev --quiet "$1" >"$log.part" 2>&1; echo "status: $?" >>"$log.part"
  mv "$log.part" "$log"'
timeout "$seconds" xargs -P "$(nproc)" -I FILE bash -c "$one" clang-tidy FILE <<<"$files"
failed=0 not_reached=0
while IFS= read -r file; do
  log=$logs/${file//\//_}
  if [ ! -e "$log" ]; then
    echo "clang-tidy: not reached in $seconds s: $file"
    not_reached=77
    continue
  fi
  grep -E '(warning|error):' "$log" | sort -u
  # Its status is 1 for errors, and another where it did not do its work.
  grep -qx 'status: 0' "$log" || {
    failed=1
    grep -q ' error: ' "$log" || { echo "clang-tidy failed on $file:" && tail -n 20 "$log"; }
  }
done <<<"$files"
echo "clang-tidy: $(find $logs -type f ! -name '*.part' | wc -l) of $(wc -l <<<"$files") files"
[ $failed = 0 ] || exit 1
exit $not_reached
