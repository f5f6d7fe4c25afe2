# Speedup of the best setting of each dwarf and device, which was measured again, as a table and as speedups.pdf.
#
#     Rscript docs/plotting/speedups.R results/runs/RUN
run <- commandArgs(trailingOnly = TRUE)
if (length(run) != 1) stop("usage: Rscript speedups.R RUN   (RUN is the folder of a run)")
rows <- subset(read.csv(file.path(run, "measurements.csv")), status == "ok" & kernel == "total" & stop_reason == "confirmed")
best <- aggregate(speedup ~ dwarf + device, rows, max)
print(best)
pdf("speedups.pdf", width = 8, height = 5)
dotchart(log10(best$speedup), labels = best$dwarf, groups = factor(best$device), xlab = "log10 of the speedup over the baseline")
invisible(dev.off())
