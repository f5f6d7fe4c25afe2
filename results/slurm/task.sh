#!/usr/bin/env bash
# One task of a fleet's job array: a shard of the plan, on the node that Slurm has chosen. Begun by `fleet submit`, as
#   task.sh DIR KIND SHARDS
# It goes on with what an earlier try of the same shard has left, on this node or another. Every try writes lines of its
# own into DIR/tasks/KIND-SHARD.log: time, job, node, event, remark, with tabs between.
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -u
dir=$1 kind=$2 shards=$3
shard=$SLURM_ARRAY_TASK_ID
node=${SLURMD_NODENAME:-$(hostname)}
out=$dir/runs/$kind-$shard
program=$dir/dwarfsweep
mapfile -d '' -t options < "$dir/options"

note() {
  printf '%s\t%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "${SLURM_ARRAY_JOB_ID}_$shard" "$node" "$1" "$2" \
    >> "$dir/tasks/$kind-$shard.log"
}

# Slurm asks this script alone to end (--signal=B:TERM), the sweep then ends by itself and writes what it has.
child=
trap '[ -n "$child" ] && kill -TERM "$child" 2>/dev/null' TERM
run() {
  "$program" sweep "$@" &
  child=$!
  wait "$child"; local status=$?
  # A signal ends the first wait, not the sweep.
  while kill -0 "$child" 2>/dev/null; do wait "$child"; status=$?; done
  child=
  return "$status"
}

note begin ""
missing=$(ldd "$program" 2>&1 | grep 'not found' | awk '{print $1}' | sort -u | tr '\n' ' ')
if [ -n "$missing" ]; then
  note unable "the program needs ${missing% }"
  exit 3
fi

if [ -s "$out/log.jsonl" ] && [ "$(head -c 1000000 "$out/log.jsonl" | grep -c '"type":"run"')" -gt 0 ]; then
  run --resume "$out" --host "$node"
  status=$?
  # 2: another node, or the same one with another driver.
  if [ "$status" -eq 2 ]; then
    run --resume "$out" --host "$node" --new-part
    status=$?
  fi
else
  rm -rf "$out"
  run "${options[@]}" --shard "$shard/$shards" --host "$node" --out "$out"
  status=$?
fi

case $status in
  0) note "done" "" ;;
  1) note "done" "some points failed" ;;
  3) note unable "no OpenCL device that was asked for, or no OpenCL loader (libOpenCL.so.1)" ;;
  130) note interrupted "stopped before its end" ;;
  *) note failed "exit status $status" ;;
esac
[ "$status" -le 1 ] && exit 0
exit "$status"
