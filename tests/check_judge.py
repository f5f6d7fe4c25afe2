"""`judge` names each planted cheat for its own reason, and calls our own kernels correct. With --long 300 random legal
points of ours instead of a few.

A cheat is a small edit of the shipped kernels: dwarf, problem that is timed, settings, file, text, its replacement, the
kind of finding."""
import json
import os
import pathlib
import random
import subprocess
import sys
import time

from checks import FIXED_SEED, PROGRAM, check, listed_dwarfs, run_checks

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels_cl"
SECONDS = 40  # a cheat ends its judgement when it is found, mostly after two or three
OCLGRIND = any(pathlib.Path(folder, "liboclgrind-rt-icd.so").exists() for folder in
               ("/usr/lib/oclgrind", "/usr/lib/x86_64-linux-gnu", "/usr/lib", "/usr/local/lib"))

ROWS = "FOR_EACH_SLOT(g) finish(first + g * WORK_GROUP, sums[g], outputs, alpha, beta, y_in, y);"
EACH_ROW = ("FOR_EACH_SLOT(g) {{ const int i = first + g * WORK_GROUP; if (i < outputs) {{ {0} }} }}")
HONEST = "finish(i, sums[g], outputs, alpha, beta, y_in, y);"
SGEMV = ("sgemv", "m=301,n=203", "variant=row_per_item,work_group=16", "sgemv/rows.cl")
GROUPS = ("sgemv", "m=301,n=203", "variant=row_per_group,work_group=16", "sgemv/rows.cl")
DIRECT = ("cp", "", "variant=direct,functions=precise", "cp/direct.cl")
STORE = "    store_points(potential + (size_t)row * pitch + column_of(g), sums[g], nx - column_of(g), add);"
MARKED_STORE = ("    const int c = column_of(g);\n    global float* const to = potential + (size_t)row * pitch + c;\n"
                "    if (c >= nx || ({0} && (as_uint(*to) & 7u) == 2u)) continue;\n    store_points(to, sums[g], nx - c, add);\n"
                "    *to = as_float((as_uint(*to) & ~7u) | 2u);")
CRC = ("crc", "bytes=5000", "variant=per_byte", "crc/per_byte.cl")
SAXPY = ("saxpy", "n=5003", "variant=interleaved", "saxpy/saxpy.cl")
STEP = "  OCCUPY_LOCAL_MEMORY\n  const size_t first = get_group_id(0) * GRANULARITY * WORK_GROUP;"
NO_TOKENS = "".join(f"#define E{i} E{i - 1} E{i - 1}\n" for i in range(1, 41))

CHEATS = {
    # The result of an earlier launch is recognised by a mark in its last bits, and left as it is.
    "replay": (*DIRECT, STORE, MARKED_STORE.format("true"), "replays_result"),
    # The same, but for every other column.
    "first_launch_only": (*DIRECT, STORE, MARKED_STORE.format("c % 2"), "skips_later_launches"),
    # Work is done where the output holds the pattern that the checks are known to write.
    "poison_as_signal": (*SGEMV, ROWS, EACH_ROW.format(f"if ((as_uint(y[i]) | 0x80000000u) == 0xFFA5A5A5u) {{ {HONEST} }}"),
                         "senses_poison"),
    "every_second": (*SGEMV, ROWS, EACH_ROW.format(f"if (i % 2 == 0) {{ {HONEST} }}"), "left_out"),
    "hard_coded_shape": (*SGEMV, "fold(sums, slots, ld, x, terms, 0, 1);", "fold(sums, slots, ld, x, min(terms, 203), 0, 1);",
                         "hard_coded_shape"),
    "constant": (*SGEMV, ROWS, EACH_ROW.format("y[i] = 0.5f;"), "constant_result"),
    "half_precision": (*SGEMV, ROWS, EACH_ROW.format(f"{HONEST} y[i] = as_float(as_uint(y[i]) & 0xFFFFE000u);"), "low_precision"),
    # Right if the work-items of a group run one after the other.
    "missing_barrier": (*GROUPS, "    shared[lane] = TO_SHARED(sums[g]);\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
                        "    shared[lane] = TO_SHARED(sums[g]);\n    if (lane > 0 && shared[lane - 1] == 12345.0f) sums[g] += 1.0f;\n"
                        "    barrier(CLK_LOCAL_MEM_FENCE);\n", "data_race"),
    "past_the_end": (*SGEMV, ROWS, ROWS + " if (first == 0) y[outputs] = 1.0f;", "writes_out_of_bounds"),
    "before_the_beginning": (*SGEMV, ROWS, ROWS + " if (first == 0) y[-1] = 1.0f;", "writes_out_of_bounds"),
    "read_past_the_end": (*SGEMV, ROWS, ROWS + " if (first == 0 && x[terms] == 12345.0f) y[0] = 1.0f;", "reads_out_of_bounds"),
    "uninitialised": (*SGEMV, ROWS, "local float unset[1]; " + EACH_ROW.format(f"y[i] = unset[0]; {HONEST}"), "reads_uninitialised"),
    "endless": (*CRC, "  STORE_ANSWERS(own);\n", "  volatile int stop = 0;\n  while (!stop) {}\n  STORE_ANSWERS(own);\n", "hangs"),
    "compile_bomb": (*CRC, "// One answer", f"#define E0\n{NO_TOKENS}E40\n// One answer", "build_timeout"),
    "printing": (*SAXPY, STEP, STEP + '\n  if (get_global_id(0) == 0) printf("verdict: correct\\n");', "prints"),
    "include": (*SAXPY, STEP, '  %:include "/etc/passwd"\n' + STEP, "includes_file"),
    "include_above": (*SAXPY, "#include \"saxpy/vectors.cl\"", "#include \"saxpy/vectors.cl\"\n#include \"../../secret.cl\"",
                      "includes_file"),
    "known_seed": (*SGEMV, ROWS, EACH_ROW.format(f"{HONEST} if (as_uint(matrix[0]) != KNOWN_BITS) y[i] *= 2.0f;"),
                   "known_input_only"),
    # It looks for the reference results in the memory of its process.
    "search_for_reference": (*SGEMV, ROWS, ROWS + " for (ulong i = 1024; y[0] != matrix[i]; i *= 2) {}", "crashes"),
    "wrong_sign": (*SGEMV, "sums[g], outputs, alpha, beta", "-sums[g], outputs, alpha, beta", "wrong_result"),
    "no_kernel": (*CRC, "COMPUTE void compute_per_byte(", "COMPUTE void compute_per_byte(missing ", "build_failed"),
}
NEEDS_OCLGRIND = {"missing_barrier", "read_past_the_end", "uninitialised"}
VERDICTS = {"build_failed": "fails", "build_timeout": "fails", "hangs": "fails", "crashes": "fails",
            "replays_result": "cheats", "skips_later_launches": "cheats", "senses_poison": "cheats", "known_input_only": "cheats",
            "constant_result": "cheats", "includes_file": "cheats", "prints": "cheats"}


def judge(*options, timeout=300):
    return subprocess.run([PROGRAM, "judge", *options], capture_output=True, text=True, timeout=timeout)


def judged(dwarf, problem, settings, kernels, seconds=SECONDS, seed=7):
    """Exit status and judgement."""
    options = ["--dwarf", dwarf, "--kernels", str(kernels), "--seconds", str(seconds), "--seed", str(seed), "--json"]
    options += ["--problem", problem] if problem else ["--size", "tiny"]
    options += ["--set", settings] if settings else []
    begin = time.monotonic()
    done = judge(*options)
    took = time.monotonic() - begin
    check(took < 2 * seconds + 10, f"{dwarf} {settings}: {took:.1f} s with --seconds {seconds}")
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        check(False, f"{options}: {done.returncode} {done.stdout} {done.stderr}")
        return done.returncode, {"verdict": "", "findings": [], "score": None, "trials": {"verified": 0}, "unchanged": None}


def known_bits(folder):
    """The first word of sgemv's matrix with the seed that everybody has."""
    subprocess.run([PROGRAM, "run", "--dwarf", "sgemv", "--problem", SGEMV[1], "--seed", "1", "--budget", "1ms", "--dump",
                    str(folder / "dump")], check=True, capture_output=True, timeout=120)
    data = max((file.read_bytes() for file in (folder / "dump").glob("*.npy")), key=len)  # the matrix is the largest
    header = 10 + int.from_bytes(data[8:10], "little")
    return f"0x{int.from_bytes(data[header:header + 4], 'little'):08x}u"


def cheat_check(name):
    def planted(folder):
        dwarf, problem, settings, file, text, replacement, kind = CHEATS[name]
        if name in NEEDS_OCLGRIND and not OCLGRIND:
            return
        kernels = folder / name
        (kernels / file).parent.mkdir(parents=True)
        shipped = (KERNELS / file).read_text()
        if not check(shipped.count(text) == 1, f"{name}: {file} has its text {shipped.count(text)} times; plant it elsewhere"):
            return
        if "KNOWN_BITS" in replacement:
            replacement = replacement.replace("KNOWN_BITS", known_bits(folder))
        (kernels / file).write_text(shipped.replace(text, replacement))
        status, found = judged(dwarf, problem, settings, kernels, SECONDS)
        kinds = [each["kind"] for each in found["findings"]]
        check(kinds == [kind] and status == 1 and found["verdict"] == VERDICTS.get(kind, "wrong"),
              f"{name}: {kind} expected: {status} {found['verdict']} {found['findings']}")
        check(found["score"] is None, f"{name}: a candidate that is not correct has no score")
        place = {"past_the_end": "past the last", "before_the_beginning": "before the first"}.get(name, "")
        check(all(place in each["detail"] for each in found["findings"]), f"{name}: '{place}' expected: {found['findings']}")
    planted.__name__ = name
    return planted


def points_of_program(count, seed):
    """Legal points as `list --programs` has them: (dwarf, settings)."""
    draw = random.Random(seed)
    names = sorted(listed_dwarfs())
    points = []
    while len(points) < count:
        dwarf = names[(seed + len(points)) % len(names)]
        done = subprocess.run([PROGRAM, "list", "--programs", "--json", "--dwarf", dwarf, "--size", "tiny", "--plan", "random:3", "--seed",
                               str(draw.randrange(1, 10**6))], capture_output=True, text=True, timeout=120)
        listed = json.loads(done.stdout)
        listed = listed if isinstance(listed, list) else [listed]
        legal = [point["config"] for group in listed for point in group["points"] if point.get("programs")]
        points.append((dwarf, draw.choice(legal) if legal else {}))
    return points


def own_kernels_are_correct(folder):
    """Each is given as the folder of the shipped kernels."""
    count, seconds = (300, 6) if "--long" in sys.argv else (3, 12)
    seed = int(os.environ.get("DWARFSWEEP_TEST_SEED", FIXED_SEED))
    for dwarf, config in points_of_program(count, seed):
        settings = config if isinstance(config, str) else ",".join(f"{axis}={value}" for axis, value in config.items())
        settings = settings.replace(";", ",")
        status, found = judged(dwarf, "", settings, KERNELS, seconds, seed)
        if [each["kind"] for each in found["findings"]] == ["no_time"]:  # as on a busy machine: that says nothing
            status, found = judged(dwarf, "", settings, KERNELS, 6 * seconds, seed)
        check(status == 0 and found["verdict"] == "correct" and not found["findings"] and found["unchanged"],
              f"{dwarf} {settings}: {status} {found}")
        check(found["trials"]["verified"] > 0, f"{dwarf} {settings}: nothing was verified: {found}")


def the_score(folder):
    """A correct candidate has one, with intervals; the point against itself is no faster."""
    status, found = judged("sgemv", "m=2000,n=1000", "variant=row_per_item", KERNELS, 25)
    check(status == 0 and found["schema_version"] == 1 and found["dwarf"] == "sgemv" and found["seed"] == 7, f"{status} {found}")
    score = found["score"] or {}
    check(set(score) == {"speedup_over_baseline", "speedup_over_best", "peak_fraction"}, f"score: {found}")
    baseline = score.get("speedup_over_baseline")
    if check(baseline is not None and found["trials"]["timed"] >= 2, f"no speedup: {found}"):
        check(baseline["low"] <= baseline["value"] <= baseline["high"] and 0.3 < baseline["value"] < 3,
              f"the baseline against itself: {baseline}")


def wrong_usage(folder):
    empty = folder / "empty"
    empty.mkdir()
    for options, message in ((["--dwarf", "lud"], "needs one dwarf and a folder of kernels"),
                             (["--dwarf", "lud", "--kernels", str(folder / "nowhere")], "is not a folder"),
                             (["--dwarf", "lud", "--kernels", str(empty)], "has none"),
                             (["--dwarf", "nothing", "--kernels", str(KERNELS)], "there is no dwarf 'nothing'"),
                             (["--dwarf", "lud", "--kernels", str(KERNELS), "--seconds", "0"], "--seconds is '0'")):
        done = judge(*options)
        check(done.returncode == 2 and message in done.stderr, f"{options}: {done.returncode} {done.stderr}")
    done = judge("--dwarf", "lud", "--kernels", str(KERNELS), "--device", "no such device")
    check(done.returncode == 3, f"no device: {done.returncode} {done.stderr}")


run_checks([*map(cheat_check, CHEATS), own_kernels_are_correct, the_score, wrong_usage], at_once=2)
