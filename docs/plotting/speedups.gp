# Speedups of the best candidates of each dwarf, which were measured again, with 95 % intervals. If the budget was
# too short to measure any again: of all settings that are faster than the baseline. Variants score_only... compute part
# of the result and are left out.
#
#     gnuplot -e "run='results/runs/RUN'" docs/plotting/speedups.gp        writes speedups.svg
if (!exists("run")) {
  print "usage: gnuplot -e \"run='RUN'\" speedups.gp   (RUN is the folder of a run)"
  exit status 2
}
set datafile separator comma
set datafile columnheaders
set terminal svg size 760,480 background "white"
set output "speedups.svg"
set logscale x
set xrange [1:*]
set xlabel "speedup over the baseline"
set grid x
set offsets 0, 0, 1, 1
unset ytics
unset key
file = run."/measurements.csv"
line = 0
again = 1
best(x) = strcol("kernel") eq "total" && strcol("verdict") eq "faster" && substr(strcol("variant"), 1, 10) ne "score_only" && (!again || strcol("stop_reason") eq "confirmed") ? x : NaN
stats file using (best(1)) nooutput name "again"
again = exists("again_records") && again_records > 0
next(x) = best(x) == x ? (line = line - 1, line) : NaN
plot file using (best(column("speedup"))):(next(1)):(column("speedup_low")):(column("speedup_high")) with xerrorbars pointtype 7, \
     line = 0, file using (best(column("speedup"))):(next(1)):(strcol("dwarf")." ".strcol("variant")) with labels left offset 1,0 noenhanced
