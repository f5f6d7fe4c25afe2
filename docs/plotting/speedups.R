# Speedup of the best setting of each dwarf and device, as a table and as speedups.pdf.
#
#     Rscript docs/plotting/speedups.R results/runs/RUN
run <- commandArgs(trailingOnly = TRUE)
if (length(run) != 1) stop("usage: Rscript speedups.R RUN   (RUN is the folder of a run)")
rows <- subset(read.csv(file.path(run, "measurements.csv")), status == "ok" & kernel == "total" & verdict == "faster")
rows <- rows[!startsWith(rows$variant, "score_only"), ]  # these compute part of the result
# The best candidate was measured again, unless the budget was too short.
rows <- rows[order(rows$stop_reason != "confirmed", -rows$speedup), ]
best <- rows[!duplicated(rows[c("dwarf", "device", "problem")]), c("dwarf", "device", "variant", "speedup")]
print(best, row.names = FALSE)
pdf("speedups.pdf", width = 8, height = 5)
dotchart(log10(best$speedup), labels = best$dwarf, groups = factor(best$device), xlab = "log10 of the speedup over the baseline")
invisible(dev.off())
