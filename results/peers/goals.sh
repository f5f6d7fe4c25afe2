#!/bin/sh
# The goals on this machine: each dwarf is searched at three random sizes and then measured beside the libraries; what is
# held to the device's own limits is measured at its fixed sizes. Writes CSV files into a folder and prints a table.
#   goals.sh PROGRAM DEVICE [FOLDER [SECONDS OF EACH SEARCH [SEED]]]
set -e
if [ $# -lt 2 ]; then
  sed -n '2,4s/^# *//p' "$0" >&2
  exit 2
fi
here=$(dirname "$0")
program=$1 device=$2 folder=${3:-goals} seconds=${4:-200} seed=${5:-17}
mkdir -p "$folder"
python3 "$here/peers.py" "$program" --device "$device" --sizes random --seed "$seed" --tune "${seconds}s" \
  --work "$folder/tuned" --out "$folder/random.csv"
python3 "$here/peers.py" "$program" --device "$device" --sizes fixed --peer none --work "$folder/tuned" \
  --out "$folder/limits.csv"
python3 "$here/goals.py" "$folder/random.csv" "$folder/limits.csv"
