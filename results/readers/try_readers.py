"""Every export and the reader that it is for, on the reference runs of the H200 and of PoCL. Started by try_readers.sh."""

import json
import math
import os
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__)
    sys.exit(0)
PROGRAM, WORK = Path(sys.argv[1]), Path(sys.argv[2])
REFERENCE = Path("results/reference")
LARGE, SMALL, POCL = (REFERENCE / name for name in ("nvidia-large", "nvidia-small", "pocl-small"))
BIN = Path(sys.executable).parent


class NotHere(Exception):
    """The reader is not on this machine."""


def checkout(variable):
    folder = os.environ.get(variable, "")
    if not folder:
        raise NotHere(f"{variable} names no checkout of it")
    return Path(folder)


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout


def export(form, *runs, name=None):
    file = WORK / (name or form)
    file.write_text(run(PROGRAM, "table", *runs, "--format", form))
    return file


def t4():
    import jsonschema
    import kernel_tuner
    data = json.loads(export("t4", LARGE).read_text())
    schema = Path(kernel_tuner.__file__).parent / "schema" / "T4" / "1.0.0" / "results-schema.json"
    jsonschema.validate(data, json.loads(schema.read_text()))
    valid = [result for result in data["results"] if result["invalidity"] == "correct"]
    missing = {"compilation", "benchmark", "framework", "search_algorithm", "validation", "runtimes"} - set(valid[0]["times"])
    if missing:
        raise RuntimeError(f"the hub's files have {missing}")
    return f"{len(data['results'])} results valid by the schema, {len(valid)} of them correct"


def simulate(cache_file):
    """Best time that Kernel Tuner finds in the cache, and in how many evaluations."""
    from constraint import FunctionConstraint
    from kernel_tuner import tune_kernel
    cache = json.loads(cache_file.read_text())
    parameters = {key: cache["tune_params"][key] for key in cache["tune_params_keys"]}
    restrictions = None
    if len(cache["cache"]) < math.prod(map(len, parameters.values())):
        restrictions = [FunctionConstraint(lambda *values: ",".join(map(str, values)) in cache["cache"])]
    found = []
    for strategy, options in (("brute_force", {}), ("genetic_algorithm", {"max_fevals": 25})):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results, _ = tune_kernel(cache["kernel_name"], "", cache["problem_size"], [], parameters, lang="OpenCL",
                                     cache=str(cache_file), simulation_mode=True, restrictions=restrictions,
                                     strategy=strategy, strategy_options=options, quiet=True)
        times = [result["time"] for result in results if isinstance(result["time"], float)]
        found.append(f"{strategy} {min(times):.4g} ms in {len(results)}")
    best = min(entry["time"] for entry in cache["cache"].values() if not isinstance(entry["time"], str))
    if abs(float(found[0].split()[1]) - best) > 1e-3 * best:
        raise RuntimeError(f"the best in the file is {best} ms: {found}")
    return f"{cache['kernel_name']}: " + ", ".join(found)


def kernel_tuner():
    folder = WORK / "kernel-tuner"
    run(PROGRAM, "table", REFERENCE / "nvidia-small", "--format", "kernel-tuner", "--out", folder)
    # The products of the other dwarfs' axes are too large for a search space that is made by asking for each point.
    chosen = [next(folder.glob(f"{dwarf}_*")) for dwarf in ("srad", "needle")]
    return "; ".join(simulate(file) for file in chosen)


def google_benchmark():
    tool = checkout("GOOGLE_BENCHMARK") / "tools" / "compare.py"
    old = export("google-benchmark", LARGE, name="old.json")
    new = export("google-benchmark", LARGE, name="new.json")
    lines = run(sys.executable, tool, "--no-color", "benchmarks", old, new).splitlines()
    geomean = [line for line in lines if line.startswith("OVERALL_GEOMEAN")]
    if not geomean:
        raise RuntimeError("compare.py printed no geometric mean")
    return f"{len(lines)} lines; {' '.join(geomean[0].split())}"


def github_action_benchmark():
    folder = checkout("GITHUB_ACTION_BENCHMARK")
    file = export("github-action-benchmark", LARGE, name="github.json")
    script = WORK / "extract.mts"
    script.write_text(f"""import {{ extractResult }} from '{folder.resolve()}/src/extract.ts';
const result = await extractResult({{ tool: 'customSmallerIsBetter', outputFilePath: '{file}', ref: undefined }} as any);
console.log(result.benches.length, JSON.stringify(result.benches[0]));
""")
    event = WORK / "event.json"
    event.write_text(json.dumps({"head_commit": {"id": "0", "message": "", "timestamp": "", "author": {}, "committer": {}}}))
    environment = {**os.environ, "GITHUB_EVENT_PATH": str(event)}
    return run("npx", "--no-install", "tsx", script, cwd=folder, env=environment).strip()


def lnt():
    file = export("lnt", LARGE, name="lnt.json")
    run(BIN / "lnt", "checkformat", file)
    run(BIN / "lnt", "create", WORK / "lnt")
    said = run(BIN / "lnt", "import", WORK / "lnt", file)
    return " ".join(line for line in said.split("\n") if line.startswith(("Added", "PASS")))


REFRAME_TEST = """
import reframe as rfm
import reframe.utility.sanity as sn

@rfm.simple_test
class Dwarfs(rfm.RunOnlyRegressionTest):
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = 'cat'
    executable_opts = ['{file}']

    @sanity_function
    def has_lines(self):
        return sn.assert_eq(sn.count(sn.findall(r'^FOM \\S+ \\S+ \\S+ \\S+$', self.stdout)), 9)

    @performance_function('ns')
    def lud(self):
        return sn.extractsingle(r'FOM lud \\S+ \\S+ (?P<ns>\\S+)', self.stdout, 'ns', float)
"""


def reframe():
    file = export("fom", LARGE, name="fom.txt")
    test = WORK / "fom_check.py"
    test.write_text(REFRAME_TEST.format(file=file))
    said = run(BIN / "reframe", "-c", test, "-r", "--performance-report", "--prefix", WORK / "reframe",
               env={**os.environ, "HOME": str(WORK)})
    lines = [line.strip() for line in said.split("\n") if "lud" in line or "PASSED" in line]
    return "; ".join(lines)


def p3():
    sys.path.insert(0, str(checkout("P3_ANALYSIS")))
    import pandas
    from p3analysis import metrics, plot
    folder = WORK / "p3"
    run(PROGRAM, "table", SMALL, POCL, "--format", "p3", "--out", folder)
    said = []
    for file in sorted(folder.glob("*.csv")):
        table = pandas.read_csv(file)
        whole = not table["arch eff"].isna().any()
        found = metrics.pp(table if whole else pandas.read_csv(folder / "app-eff" / file.name))
        cascade = plot.cascade(table, eff="app")
        cascade.save(str(WORK / "cascade.png"))
        metrics.application_efficiency(table)
        best = found.loc[found["app pp"].idxmax()]
        said.append(f"{table['problem'][0].split()[0]} {best['app pp']:.2f}")
    return "PP of the most portable setting on H200 and PoCL: " + ", ".join(said)


def code_base_investigator():
    folder = checkout("CODE_BASE_INVESTIGATOR")
    out = WORK / "cbi"
    run(sys.executable, Path(__file__).parent / "compile_commands.py", "--program", PROGRAM, "--out", out,
        SMALL / "run.json", POCL / "run.json")
    said = run(sys.executable, "-m", "codebasin", "-R", "summary", "analysis.toml", cwd=out,
               env={**os.environ, "PYTHONPATH": str(folder)})
    if "Coverage (%): 0.00" in said:
        raise RuntimeError(f"no line of a kernel is used: {said}")
    return "; ".join(" ".join(line.split()) for line in said.split("\n") if "│ {" in " ".join(line.split()) or ":" in line)


READERS = [("T4's JSON schema", t4), ("Kernel Tuner's simulation mode", kernel_tuner),
           ("Google Benchmark's compare.py", google_benchmark), ("github-action-benchmark", github_action_benchmark),
           ("LNT", lnt), ("ReFrame", reframe), ("p3-analysis-library", p3),
           ("Code Base Investigator", code_base_investigator)]


def main():
    tempfile.tempdir = str(WORK)
    refused = 0
    for name, read in READERS:
        try:
            print(f"{name}: {read()}", flush=True)
        except (NotHere, ModuleNotFoundError) as missing:
            print(f"{name}: not here: {missing}", flush=True)
        except Exception as error:  # whatever a reader throws is its refusal
            refused += 1
            traceback.print_exc()
            print(f"{name}: REFUSED: {error}", flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
