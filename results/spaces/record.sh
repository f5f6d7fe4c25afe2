#!/bin/bash
# record.sh DEVICE NAME small|large BUDGET PROGRAM [FOLDER [SLICES]]: measures the slices of README.md completely and writes
# FOLDER/<slice>-NAME.csv.gz (default: beside this script). small: problems for a few CPU cores, large: for a GPU. BUDGET is of
# each slice (such as 110s); where it did not suffice, the same command goes on with the runs that it finds. SLICES: only these,
# such as "matmul sgemv".
case "${1-}" in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit ;; esac
set -e
device=$1 name=$2 sizes=$3 budget=$4 program=$5 folder=${6:-$(dirname "$0")} slices=${7:-}
runs=${RUNS:-results/runs}/$name

record() {  # SLICE SMALL LARGE --axis...; a slice is named by its dwarf, and -word where there are several
  local slice=$1 dwarf=${1%%-*} problem=$2
  [[ -z $slices || " $slices " = *" $slice "* ]] || return 0
  [ "$sizes" = small ] || problem=$3
  shift 3
  if [ -e "$runs-$slice" ]; then
    "$program" sweep --resume "$runs-$slice" --budget "$budget" || [ $? = 1 ]  # some points failed
  else
    "$program" sweep --dwarf "$dwarf" --problem "$problem" --plan full "$@" --device "$device" --pairs 1 --blocks 3 --rounds 3 \
      --no-device-figures --host "$name" --budget "$budget" --out "$runs-$slice" || [ $? = 1 ]
  fi
  "$program" table --format space "$runs-$slice" | gzip -9n > "$folder/$slice-$name.csv.gz"
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
record matmul m=256,n=256,k=256 m=2048,n=2048,k=2048 --axis variant=tiled,blocked --axis work_group=8,16 --axis granularity=1 \
  --axis unroll=1,8 --axis buffering=prefetch,double --axis spill=0 --axis vector_width=4 --axis tile_x=4,8,16 \
  --axis tile_y=4,8 --axis tile_k=8,16 --axis packing=a --axis lanes=0,4 --axis band=1
# Optimisation carving's own spaces: as far as the paper describes them.
record cp atoms=512,nx=128,ny=128 atoms=4000,nx=512,ny=512 --axis variant=direct --axis work_group=32,64,128,256,512 \
  --axis granularity=1,2,4,8 --axis output=coalesced,neighbours
record matmul-tiled m=256,n=256,k=256 m=2048,n=2048,k=2048 --axis variant=tiled --axis work_group=8,16 --axis granularity=1,2,4 \
  --axis unroll=1,2,4,8,16 --axis buffering=none,prefetch --axis spill=0,1
record mri voxels=1024,samples=3072,kind=fhd voxels=8192,samples=3072,kind=fhd --axis variant=direct \
  --axis work_group=32,64,96,128,160,192,224,256,288,320,352,384,416,448,480,512 --axis unroll=1,2,3,4,5,6,7,8 \
  --axis samples_per_launch=32,64,128,256,512,1024,2048
record sad rows=144,cols=176,search=33 rows=144,cols=176,search=33 --axis variant=direct --axis work_group=32,64,128,256 \
  --axis granularity=1,2,4,8,16 --axis unroll=1,2,4 --axis unroll_columns=1,2,4 --axis blocks=1,2,4,8
