#!/bin/sh
# The goals on this machine: each dwarf is searched at three random sizes and then measured beside the libraries; what is
# held to the device's own limits is measured at its fixed sizes. Writes CSV files into a folder, goals.csv of all, and
# prints a table.
#   goals.sh PROGRAM DEVICE[,DEVICE..] [FOLDER [SECONDS OF EACH SEARCH [SEED [OPTIONS OF peers.py..]]]]
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -e
if [ $# -lt 2 ]; then
  sed -n '2,5s/^# *//p' "$0" >&2
  exit 2
fi
here=$(dirname "$0")
program=$1 devices=$2 folder=${3:-goals} seconds=${4:-200} seed=${5:-17}
if [ $# -gt 5 ]; then shift 5; else set --; fi
mkdir -p "$folder"
table=$folder/goals.csv
: >"$table"
add() {
  if [ -s "$table" ]; then sed 1d "$1"; else cat "$1"; fi >>"$table"
}
IFS=,
for device in $devices; do
  unset IFS
  part=$folder/$(printf %s "$device" | tr -c '[:alnum:]' _)
  python3 "$here/peers.py" "$program" --device "$device" --sizes random --seed "$seed" --tune "${seconds}s" \
    --work "$folder/tuned" --out "$part-random.csv" "$@"
  add "$part-random.csv"
  python3 "$here/peers.py" "$program" --device "$device" --sizes fixed --work "$folder/tuned" "$@" --peer none \
    --out "$part-limits.csv"
  add "$part-limits.csv"
done
python3 "$here/goals.py" "$table"
