#!/bin/bash
# record.sh DEVICE NAME small|large BUDGET PROGRAM [FOLDER]: measures the slices of README.md completely and writes
# FOLDER/<dwarf>-NAME.csv.gz (default: beside this script). small: problems for a few CPU cores, large: for a GPU. BUDGET is of
# each dwarf (such as 110s); where it did not suffice, the same command goes on with the runs that it finds.
set -e
device=$1 name=$2 sizes=$3 budget=$4 program=$5 folder=${6:-$(dirname "$0")}
runs=${RUNS:-results/runs}/$name

record() {  # DWARF SMALL LARGE --axis...
  local dwarf=$1 problem=$2
  [ "$sizes" = small ] || problem=$3
  shift 3
  if [ -e "$runs-$dwarf" ]; then
    "$program" sweep --resume "$runs-$dwarf" --budget "$budget" || [ $? = 1 ]  # some points failed
  else
    "$program" sweep --dwarf "$dwarf" --problem "$problem" --plan full "$@" --device "$device" --pairs 1 --blocks 3 --rounds 3 \
      --no-device-figures --host "$name" --budget "$budget" --out "$runs-$dwarf" || [ $? = 1 ]
  fi
  "$program" table --format space "$runs-$dwarf" | gzip -9n > "$folder/$dwarf-$name.csv.gz"
}

record sgemv m=1024,n=1024 m=8192,n=8192 --axis variant=row_per_item,row_per_group,split_k --axis work_group=16,64,256 \
  --axis granularity=1,2,4,8 --axis vector_width=1,4,8,16 --axis unroll=1,4
record crc bytes=500000 bytes=16777216 --axis variant=slicing,interleaved --axis work_group=8,32,128 \
  --axis granularity=1,16,64 --axis vector_width=1,4,16 --axis unroll=1,4 --axis memory=global,constant --axis slices=4,8,16
record hotspot rows=512,cols=512 rows=2048,cols=2048 --axis variant=single_step,pyramid,streaming \
  --axis work_group=8,16,32,64 --axis granularity=1,4,16,64 --axis vector_width=1,4,16 --axis padding=0,1 \
  --axis pyramid_height=2,4 --axis depth=4,8
record kmeans points=8192,features=34,clusters=5 points=262144,features=34,clusters=5 --axis variant=assign_only,reduce \
  --axis work_group=16,64,256 --axis granularity=1,4 --axis vector_width=1,4,16 --axis unroll=1,8 --axis layout=aos,soa,tiled \
  --axis memory=global,local
