#!/usr/bin/env python3
"""results/plots/plot.py on a run made here: the plots are there and show something, and bad files are refused with a clear message."""

import contextlib
import csv
import gzip
import io
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__" and {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__)
    sys.exit(0)

import matplotlib.image
import matplotlib.pyplot
import pandas

PLOT = Path(__file__).resolve().parent.parent / "results" / "plots" / "plot.py"
RUN_ID = "example-20260102T030405Z"
IDENTITY = "run_id device_id dwarf kernel size problem variant work_group granularity vector_width unroll padding options"
MEASUREMENTS = (
    "schema_version run_id timestamp host platform device device_type device_id driver dwarf kernel size problem variant "
    "work_group granularity vector_width unroll padding options baseline status reason samples launches min_ns q1_ns "
    "median_ns q3_ns mean_ns stddev_ns ci_low_ns ci_high_ns stop_reason wall_ns upload_ns download_ns build_ns bytes "
    "operations items gb_per_s gop_per_s items_per_s peak_fraction bound max_error tolerance local_bytes private_bytes "
    "registers spill_bytes speedup speedup_low speedup_high verdict timer cache").split()
SAMPLES = (IDENTITY + " round block confirmation pair order role process launches events ns queued_ns submit_ns start_ns end_ns "
           "host_begin_ns host_end_ns wall_ns fault").split()

TRACE = "run_id device device_id dwarf size problem evaluation seconds proposer outcome config time_ns best_ns".split()

DEVICES = {"gpu0": ("Example GPU", "gpu", 1.0), "cpu0": ("Example processor with a long name", "cpu", 14.0)}
SIZES = [("tiny", "n=64;" + ";".join(f"key_{i}=0" for i in range(16)), 2e4), ("small", "n=240", 3e5), ("medium", "n=1440", 4e7)]
# Setting over the baseline, gain on the GPU, gain on the CPU; none: rejected there.
SETTINGS = [({}, 1, 1), ({"work_group": "32"}, 0.7, 1.02), ({"granularity": "2"}, 1.3, 1.01),
            ({"granularity": "4"}, 1.6, 0.8), ({"granularity": "8"}, None, 0.5), ({"unroll": "4"}, 1.08, 1.2),
            ({"vector_width": "4"}, 0.95, 2.4), ({"variant": "blocked"}, 6.5, 4.1),
            ({"variant": "blocked", "granularity": "4"}, 9.2, 3.9)]
BASE = {"variant": "tiled", "work_group": "16", "granularity": "1", "vector_width": "1", "unroll": "1", "padding": "0",
        "options": "direction=x"}


def search():
    """The lines of a search that improves by a third at every sixth evaluation, with every kind of outcome."""
    best = 4e6
    for number in range(40):
        outcome = ["faster", "dropped", "screened", "tied", "failed", "dropped"][number % 6]
        best *= 2 / 3 if outcome == "faster" else 1
        time = {"screened": 9 * best, "dropped": 1.4 * best, "failed": ""}.get(outcome, best)
        yield [RUN_ID, "Example GPU", "gpu0", "lud", "medium", "n=1440", number, 0.7 * number, "local", outcome, "variant=tiled",
               time, best]


class Run:
    """The rows of a run whose times follow from the gains above, with some noise."""

    def __init__(self):
        self.random = random.Random(7)
        self.measurements, self.samples = [], []
        for size, problem, base_ns in SIZES:
            for device in DEVICES:
                for setting in SETTINGS:
                    self.add_point(device, size, problem, base_ns, setting)
            for variant, factor in [("serial", 60), ("openmp", 12)]:
                self.add_host(size, problem, base_ns * factor, variant)

    def add_host(self, size, problem, ns, variant):
        self.measurements.append({
            **dict.fromkeys(MEASUREMENTS, ""), "schema_version": 1, "run_id": RUN_ID, "host": "example",
            "device": "Example processor", "device_type": "host", "device_id": "host", "dwarf": "lud",
            "kernel": "total", "size": size, "problem": problem, "variant": variant, "baseline": "false",
            "status": "ok", "median_ns": ns, "ci_low_ns": ns, "ci_high_ns": ns})

    def add_point(self, device, size, problem, base_ns, setting):
        name, kind, factor = DEVICES[device]
        changes, *gains = setting
        gain = gains[0 if device == "gpu0" else 1]
        row = {**dict.fromkeys(MEASUREMENTS, ""), "schema_version": 1, "run_id": RUN_ID, "host": "example",
               "device": name, "device_type": kind, "device_id": device, "driver": "1.0", "dwarf": "lud", "size": size,
               "problem": problem, **BASE, **changes, "baseline": "true" if not changes else "false",
               "kernel": "total", "status": "ok", "timer": "device", "cache": "hot"}
        if gain is None:
            self.measurements.append({**row, "status": "rejected", "reason": "too large, by far"})
            return
        for kernel, share in [("diagonal", 0.2), ("internal", 0.8), ("total", 1.0)]:
            self.add_kernel({**row, "kernel": kernel}, base_ns * factor * share, gain if kernel != "diagonal" else 1)

    def add_kernel(self, row, base_ns, gain):
        times = []
        for block in range(6):
            drift = 1 + 0.02 * math.sin(block)
            for pair in range(5):
                ns = base_ns / gain * drift * math.exp(self.random.gauss(0, 0.012))
                times.append(ns)
                sample = {**dict.fromkeys(SAMPLES, "0"), **{key: row[key] for key in IDENTITY.split()}}
                self.samples.append({**sample, "round": block, "block": block, "pair": pair, "role": "variant",
                                     "ns": ns, "fault": ""})
        times.sort()
        spread = 0.006
        verdict = "faster" if gain > 1 + 2 * spread else "slower" if gain < 1 - 2 * spread else "within_noise"
        self.measurements.append({
            **row, "median_ns": times[15], "ci_low_ns": times[10], "ci_high_ns": times[20], "bytes": base_ns * 10,
            "operations": base_ns * 30, "gop_per_s": base_ns * 30 / times[15], "speedup": gain,
            "speedup_low": gain * (1 - 2 * spread), "speedup_high": gain * (1 + 2 * spread), "verdict": verdict})

    def write(self, folder):
        for name, columns, rows in [("measurements.csv", MEASUREMENTS, self.measurements),
                                    ("samples.csv", SAMPLES, self.samples)]:
            with open(folder / name, "w", newline="") as file:
                writer = csv.DictWriter(file, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
        with open(folder / "trace.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(TRACE)
            writer.writerows(search())
        peaks = {"read_gb_per_s": 900, "copy_gb_per_s": 800, "cached_read_gb_per_s": 2500, "gflop_per_s": 9000,
                 "gop_per_s": 8000}
        description = {"run_id": RUN_ID, "devices": [{"info": {"id": "gpu0"}, "peaks": peaks}]}
        (folder / "run.json").write_text(json.dumps(description))


def plot(*arguments):
    return subprocess.run([sys.executable, "-B", PLOT, *map(str, arguments)], capture_output=True, text=True)


def plot_module():
    """The script in this process, since importing the libraries takes most of the time."""
    sys.path.insert(0, str(PLOT.parent))
    import plot as module
    return module


def refuse(*arguments):
    """Exit status and what was said."""
    module = plot_module()
    said = io.StringIO()
    sys.argv = ["plot.py", *map(str, arguments)]
    with contextlib.redirect_stderr(said):
        status = module.main()
    return status, said.getvalue()


def require(condition, what):
    if not condition:
        raise SystemExit(f"check_plots: {what}")


def check_compressed(folder):
    """The same plots of samples, from compressed files; a damaged one is refused in a sentence."""
    packed = folder / "packed"
    packed.mkdir()
    shutil.copy(folder / "run.json", packed)
    for name in ("measurements.csv", "samples.csv"):
        (packed / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    runs = plot_module().run_files
    require(runs.read_samples(packed).equals(runs.read_samples(folder)), "samples.csv.gz is read like samples.csv")
    require(runs.read_measurements([packed]).equals(runs.read_measurements([folder])), "so is measurements.csv.gz")
    damaged = packed / "samples.csv.gz"
    damaged.write_bytes(damaged.read_bytes()[:-20])
    status, said = refuse(packed, "--out", folder / "no_plots")
    require(status == 2 and "samples.csv.gz: is no table" in said, f"a damaged file: {status} {said}")


def check_plots(folder):
    done = plot(folder, "--out", folder / "plots")
    require(done.returncode == 0, f"plot.py failed: {done.stderr}")
    files = sorted((folder / "plots").glob("*.png"))
    names = [file.name for file in files]
    require(sorted(map(str, files)) == sorted(done.stdout.split("\n")[:-1]), "the plots differ from the list printed")
    expected = {"speedups": 3, "samples": 6, "sizes": 1, "roofline": 1, "trace": 1, "overview": 1,
                "payoff": 2, "portability": 1, "cascade": 1}
    for kind, count in expected.items():
        found = sum(name.startswith(kind) for name in names)
        require(found == count, f"expected {count} plots of {kind}, found {found}: {names}")
    for file in files:
        image = matplotlib.image.imread(file)[:, :, :3]
        require(min(image.shape[:2]) > 200, f"{file.name} is only {image.shape[:2]}")
        ink = (image.min(axis=2) < 0.9).mean()
        require(0.005 < ink < 0.6, f"{file.name} is blank or black: {ink:.1%} ink")
        require(image.std(axis=2).max() > 0.1, f"{file.name} has no colour")
    return len(files)


def texts_of(figure):
    """Every text that is drawn, with its place."""
    texts = [figure._suptitle] if figure._suptitle else []
    for axes in figure.axes:
        texts += [*axes.texts, axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label]
        if axes.get_legend():
            texts += [*axes.get_legend().get_texts(), axes.get_legend().get_title()]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = axis.get_major_ticks() if axes.axison else []
            texts += [tick.label1 for tick in ticks if low <= tick.get_loc() <= high]
    return [(text.get_text(), text.get_window_extent()) for text in texts if text.get_visible() and text.get_text().strip()]


def check_texts(folder):
    """No text is cut by the figure's edge, or written over another."""
    module = plot_module()
    saved = []

    def save(self, figure, *name):
        if figure is None:
            return
        figure.canvas.draw()
        whole = figure.bbox.padded(1)
        texts = texts_of(figure)
        for i, (text, box) in enumerate(texts):
            inside = whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1
            require(inside, f"{name}: '{text}' is cut")
            for other, beside in texts[:i]:
                require(not box.padded(-1).overlaps(beside.padded(-1)), f"{name}: '{text}' is written over '{other}'")
        saved.append(name)
        matplotlib.pyplot.close(figure)

    module.Plotter.save, original = save, module.Plotter.save
    try:
        sys.argv = ["plot.py", str(folder), "--out", str(folder / "none")]
        with contextlib.redirect_stderr(io.StringIO()):
            require(module.main() == 0 and len(saved) == 17, f"plots of {saved}")
    finally:
        module.Plotter.save = original


def check_gallery(folder):
    """The one command that draws the figures of docs/gallery.md does so, and each is small enough for a page."""
    gallery = PLOT.parent / "gallery.py"
    done = subprocess.run([sys.executable, "-B", gallery, "--out", folder / "gallery"], capture_output=True, text=True)
    require(done.returncode == 0, f"gallery.py failed: {done.stderr}")
    page = (PLOT.parent.parent.parent / "docs" / "gallery.md").read_text()
    sizes = {file.name: file.stat().st_size for file in (folder / "gallery").iterdir()}
    require(len(sizes) == 4 and max(sizes.values()) < 100_000, f"the gallery's figures have {sizes} bytes")
    for name in sizes:
        require(f"(gallery/{name})" in page, f"docs/gallery.md does not show {name}")
    for script in (PLOT, gallery):
        told = subprocess.run([sys.executable, "-B", script, "--help"], capture_output=True, text=True)
        require(told.returncode == 0 and "--out" in told.stdout, f"{script.name} --help: {told.stdout}{told.stderr}")


def check_examples(folder):
    """The scripts of docs/plotting.md for pandas, R and gnuplot, as far as these are installed: on a committed run, and on one whose best
    candidates were not measured again."""
    scripts = PLOT.parent.parent.parent / "docs" / "plotting"
    installed = [("py", "svg")] + [("gp", "svg")] * bool(shutil.which("gnuplot")) + [("R", "pdf")] * bool(shutil.which("Rscript"))
    packed = PLOT.parent.parent / "reference" / "nvidia-large" / "measurements.csv.gz"
    rows = gzip.decompress(packed.read_bytes()).decode()
    committed, in_haste = folder / "committed", folder / "in_haste"
    # In haste nothing was measured again, so a variant that computes less may be the fastest.
    for run, text in ((committed, rows), (in_haste, rows.replace(",confirmed,", ",precision,"))):
        run.mkdir()
        (run / "measurements.csv").write_text(text)
    for run in (committed, folder, in_haste):
        commands = {"py": [sys.executable, "-B", scripts / "speedups.py", run], "R": ["Rscript", scripts / "speedups.R", run],
                    "gp": ["gnuplot", "-e", f"run='{run}'", scripts / "speedups.gp"]}
        for script, form in installed:
            (folder / f"speedups.{form}").unlink(missing_ok=True)
            done = subprocess.run(list(map(str, commands[script])), cwd=folder, capture_output=True, text=True)
            require(done.returncode == 0, f"speedups.{script} {run}: {done.stderr[:400]}")
            require((folder / f"speedups.{form}").stat().st_size > 3000, f"speedups.{script} {run} draws nothing")
            require("score_only" not in done.stdout, f"speedups.{script} {run} draws part of a result")
    return ", ".join(script for script, _ in installed)


def check_partial_variants():
    """The variants that plot.py leaves out of the best are those that the program leaves out."""
    listed = subprocess.run([os.environ["DWARFSWEEP"], "list", "--json"], capture_output=True, text=True, check=True)
    listed_variants = {dwarf["name"]: dwarf["partial_variants"] for dwarf in json.loads(listed.stdout) if dwarf["partial_variants"]}
    require(plot_module().run_files.PARTIAL_VARIANTS == listed_variants, f"partial variants are {listed_variants}")


def check_best_rows():
    """As in the program's tables, a setting that was measured again is the best, though one that was not looks faster."""
    rows = pandas.DataFrame([{"dwarf": "crc", "variant": "v", "column": 0, "size": "tiny", "problem": "p", "baseline": False,
                              "verdict": "faster", "run_id": run, "stop_reason": reason, "speedup": speedup, "speedup_low": low,
                              "speedup_high": high, "median_ns": 1 / speedup}
                             for run, reason, speedup, low, high in (("r", "confirmed", 2, 1.9, 2.1), ("r", "rounds", 3, 2.5, 4))])
    best = plot_module().run_files.best_rows
    require(best(rows)[0]["speedup"] == 2, "the setting that was measured again is the best")
    require(best(rows.assign(run_id="r-merged"))[0]["speedup"] == 3, "of merged runs another shard's is, beyond the intervals")


def check_refusals(folder):
    good = (folder / "measurements.csv").read_text()
    broken = folder / "broken"
    broken.mkdir()
    file = broken / "measurements.csv"
    lines = good.split("\n")
    cases = [("", "is empty"), (lines[0] + "\n", "holds no rows"), ("a,b\n1,2\n", "lacks the columns"),
             ("\n".join(lines[:2]) + "\n1,2\n", "row 3: has 2 cells"),
             (lines[0] + "\n" + "1,\"" + "\n", "is no table"), (None, "there is no such file")]
    middle = lines[1].split(",")
    middle[MEASUREMENTS.index("median_ns")] = "fast"
    cases.append((lines[0] + "\n" + ",".join(middle) + "\n", "column median_ns: expected a number, found 'fast'"))
    for text, expected in cases:
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text)
        status, said = refuse(broken, "--out", folder / "none")
        require(status == 2, f"'{expected}': exit status {status}: {said}")
        require(expected in said, f"'{expected}' is not said: {said}")
    status, said = refuse(folder, "--dwarf", "nothing", "--out", folder / "none")
    require(status == 2 and "lud" in said, "an unknown dwarf is not refused")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        Run().write(folder)
        check_best_rows()
        count = check_plots(folder)
        check_texts(folder)
        check_gallery(folder)
        examples = check_examples(folder)
        check_partial_variants()
        check_compressed(folder)
        check_refusals(folder)
    print(f"check_plots: {count} plots, all with something on them and no text over another; compressed files are read, bad ones refused; "
          f"the examples {examples} draw")


if __name__ == "__main__":
    main()
