#!/usr/bin/env python3
"""Speedup of the best setting of each dwarf and device, as a table and as speedups.svg.

    docs/plotting/speedups.py results/runs/RUN
"""
import argparse
import pathlib

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("run", type=pathlib.Path, metavar="RUN", help="folder of a run")
run = parser.parse_args().run

try:
    import matplotlib
    import pandas
except ModuleNotFoundError as error:
    raise SystemExit(f"speedups.py: this Python has no {error.name}. Debian: apt install python3-pandas python3-matplotlib, then /usr/bin/python3 {__file__}")

matplotlib.use("Agg")
rows = pandas.read_csv(run / "measurements.csv")
rows = rows[(rows.status == "ok") & (rows.kernel == "total") & (rows.verdict == "faster")]
rows = rows[~rows.variant.str.startswith("score_only")]  # these compute part of the result
if rows.empty:
    raise SystemExit("speedups.py: no setting of this run is faster than its baseline")
# The best candidate was measured again, unless the budget was too short.
rows = rows.assign(again=rows.stop_reason == "confirmed").sort_values(["again", "speedup"])
best = rows.groupby(["device", "dwarf", "problem"], sort=False).tail(1).sort_values(["device", "dwarf"])
print(best[["device", "dwarf", "variant", "speedup", "speedup_low", "speedup_high"]].to_string(index=False))
chart = best.pivot_table(index="dwarf", columns="device", values="speedup").plot.barh(logx=True, grid=True, figsize=(8, 5))
chart.set_xlabel("speedup over the baseline")
chart.figure.savefig("speedups.svg", bbox_inches="tight")
