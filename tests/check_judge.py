"""`judge` names each planted cheat for its own reason, and calls our own kernels correct. A third of the cheats are tried,
the others on the next days. With --long all of them, and 300 points of ours instead of a few.

A cheat is a small edit of the shipped kernels: dwarf, problem that is timed, settings, file, text, its replacement, the
kind of finding."""
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

from checks import FIXED_SEED, PROGRAM, check, run_checks, share_of_seed

LONG = "--long" in sys.argv
KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels_cl"
ALLOWANCE = 5  # what docs/judge.md states: seconds
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
STEP = "  OCCUPY_LOCAL_MEMORY\n  const size_t first = get_group_id(0) * SHARE * WORK_GROUP;"
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
    # The processor's clock decides.
    "by_chance": (*SGEMV, ROWS, 'uint clock, rest; __asm__ volatile("rdtsc" : "=a"(clock), "=d"(rest)); '
                  + EACH_ROW.format(f"{HONEST} if ((rest ^ clock >> 26) % 2 == 1) y[i] += 1.0f;"), "nondeterministic"),
    # Half of the work-items wait at one barrier, and half at another.
    "two_barriers": (*GROUPS, "    shared[lane] = TO_SHARED(sums[g]);\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
                     "    shared[lane] = TO_SHARED(sums[g]);\n    if (lane % 2 == 0) {\n      barrier(CLK_LOCAL_MEM_FENCE);\n    } else {\n"
                     "      barrier(CLK_LOCAL_MEM_FENCE);\n    }\n", "divergent_barrier"),
    "right_on_one": (*SGEMV, ROWS, ROWS + "\n#ifndef POCL_DEVICE_ADDRESS_BITS\n  if (first == 0) y[0] += 1.0f;\n#endif\n",
                     "wrong_elsewhere"),
    # It takes all memory that its process may have.
    # It asks the system for memory by brk, and uses it, until there is none.
    "memory": (*CRC, "  STORE_ANSWERS(own);\n", """  ulong end;
  __asm__ volatile("syscall" : "=a"(end) : "a"(12ul), "D"(0ul) : "rcx", "r11", "memory");
  for (ulong next = end;; end = next) {
    __asm__ volatile("syscall" : "=a"(next) : "a"(12ul), "D"(end + (1ul << 26)) : "rcx", "r11", "memory");
    for (ulong i = 1; i < 1ul << 26; i += 4096) *(volatile global uchar*)(end + i) = 1;
  }
  STORE_ANSWERS(own);
""", "crashes"),
    "no_kernel": (*CRC, "COMPUTE void compute_per_byte(", "COMPUTE void compute_per_byte(missing ", "build_failed"),
}
NEEDS_X86 = {"by_chance", "memory"}
NEEDS_OCLGRIND = {"missing_barrier", "read_past_the_end", "uninitialised", "two_barriers"}
VERDICTS = {"build_failed": "fails", "build_timeout": "fails", "hangs": "fails", "crashes": "fails",
            "replays_result": "cheats", "skips_later_launches": "cheats", "senses_poison": "cheats", "known_input_only": "cheats",
            "constant_result": "cheats", "includes_file": "cheats", "prints": "cheats"}


def two_platforms(folder):
    """PoCL, and another that the tests have found."""
    icds = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent
    for name in ("intel", "rusticl"):
        if (icds / name).is_dir() and name != pathlib.Path(os.environ["OCL_ICD_VENDORS"]).name:
            both = folder / "two_platforms"
            both.mkdir()
            for icd in [*(icds / "pocl").glob("*.icd"), *(icds / name).glob("*.icd")]:
                (both / icd.name).write_text(icd.read_text())
            return {**os.environ, "OCL_ICD_VENDORS": str(both), "RUSTICL_ENABLE": "llvmpipe", "JUDGED_DEVICE": "Portable"}
    return None


def judge(*options, timeout=300, environment=None):
    if environment and "JUDGED_DEVICE" in environment:
        options = [*options, "--device", environment["JUDGED_DEVICE"]]
    return subprocess.run(["prlimit", "--data=2000000000", PROGRAM, "judge", *options], capture_output=True, text=True, timeout=timeout, env=environment)


def judged(dwarf, problem, settings, kernels, seconds=SECONDS, seed=7, environment=None):
    """Exit status and judgement."""
    options = ["--dwarf", dwarf, "--kernels", str(kernels), "--seconds", str(seconds), "--seed", str(seed), "--json"]
    options += ["--problem", problem] if problem else ["--size", "tiny"]
    options += ["--set", settings] if settings else []
    begin = time.monotonic()
    done = judge(*options, environment=environment)
    took = time.monotonic() - begin
    print(f"{dwarf} {settings}: {took - seconds:+.1f} s to the limit of {seconds} s")
    check(took < seconds + ALLOWANCE, f"{dwarf} {settings}: {took:.1f} s with --seconds {seconds}")
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
        dwarf, problem, settings, file, *edits, kind = CHEATS[name]
        environment = two_platforms(folder) if kind == "wrong_elsewhere" else None
        if ((name in NEEDS_OCLGRIND and not OCLGRIND) or (kind == "wrong_elsewhere" and not environment)
                or (name in NEEDS_X86 and platform.machine() != "x86_64")):
            print(f"{name}: not possible here")
            return
        kernels = folder / name
        (kernels / file).parent.mkdir(parents=True)
        shipped = (KERNELS / file).read_text()
        for text, replacement in zip(edits[::2], edits[1::2]):
            if not check(shipped.count(text) == 1, f"{name}: {file} has '{text}' {shipped.count(text)} times; plant it elsewhere"):
                return
            if "KNOWN_BITS" in replacement:
                replacement = replacement.replace("KNOWN_BITS", known_bits(folder))
            shipped = shipped.replace(text, replacement)
        (kernels / file).write_text(shipped)
        status, found = judged(dwarf, problem, settings, kernels, environment=environment)
        kinds = [each["kind"] for each in found["findings"]]
        # A fast compiler reaches the worker's limit of memory before that of time.
        if kind == "build_timeout" and kinds == ["crashes"] and "out of memory" in found["findings"][0]["detail"]:
            kinds = [kind]
        check(kinds == [kind] and status == 1 and found["verdict"] == VERDICTS.get(kind, "wrong"),
              f"{name}: {kind} expected: {status} {found['verdict']} {found['findings']}")
        check(found["score"] is None, f"{name}: a candidate that is not correct has no score")
        place = {"past_the_end": "past the last", "before_the_beginning": "before the first"}.get(name, "")
        check(all(place in each["detail"] for each in found["findings"]), f"{name}: '{place}' expected: {found['findings']}")
    planted.__name__ = name
    return planted


def own_kernels_are_correct(folder):
    """On PoCL, and with --long on Intel's runtime as well, if it is installed."""
    icds = pathlib.Path(os.environ["OCL_ICD_VENDORS"]).parent
    vendors = [os.environ["OCL_ICD_VENDORS"]] + ([str(icds / "intel")] if LONG and (icds / "intel").is_dir() else [])
    done = subprocess.run([sys.executable, "-B", pathlib.Path(__file__).parent / "judge_own.py", "--vendors", ",".join(vendors),
                           "--points", "300" if LONG else "4", "--seconds", "60",
                           "--seed", os.environ.get("DWARFSWEEP_TEST_SEED", str(FIXED_SEED))], capture_output=True, text=True)
    print(done.stdout)
    check(done.returncode == 0, done.stdout + done.stderr)


def the_score(folder):
    """A correct candidate has one, with intervals; the point against itself is no faster."""
    status, found = judged("sgemv", "m=2000,n=1000", "variant=row_per_item", KERNELS, 40)
    check(status == 0 and found["schema_version"] == 1 and found["dwarf"] == "sgemv" and found["seed"] == 7, f"{status} {found}")
    score = found["score"] or {}
    check(set(score) == {"speedup_over_baseline", "speedup_over_best", "peak_fraction"}, f"score: {found}")
    baseline = score.get("speedup_over_baseline")
    if check(baseline is not None and found["trials"]["timed"] >= 2, f"no speedup: {found}"):
        check(baseline["low"] <= baseline["value"] <= baseline["high"] and 0.3 < baseline["value"] < 3,
              f"the baseline against itself: {baseline}")


def a_crash_of_the_driver_is_not_the_kernels(_):
    """It crashes while it builds our own kernels too."""
    environment = {**os.environ, "OPENCL_LAYERS": os.environ["FAULT_LAYER"], "FAULT": "build_crash"}
    status, found = judged("saxpy", "n=5003", "variant=interleaved", KERNELS, environment=environment)
    details = [each["detail"] for each in found["findings"] if each["kind"] == "not_runnable"]
    check(status == 1 and found["verdict"] == "fails" and len(details) == 1 and "our own" in details[0], f"{status} {found}")


def the_worker_is_limited(folder):
    """In processor time, should it get away, in files and in core dumps."""
    kernels = folder / "endless_kernels"
    (kernels / "crc").mkdir(parents=True)
    *_, file, text, replacement, _ = CHEATS["endless"]
    (kernels / file).write_text((KERNELS / file).read_text().replace(text, replacement))
    parent = subprocess.Popen([PROGRAM, "judge", "--dwarf", "crc", "--size", "tiny", "--set", "variant=per_byte", "--kernels", str(kernels),
                               "--seconds", "6"], stdout=subprocess.DEVNULL)
    limits = ""
    while parent.poll() is None and not limits:
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if "PPid:\t%d\n" % parent.pid in (process / "status").read_text() and b"confined" in (process / "cmdline").read_bytes():
                    time.sleep(0.5)
                    limits = (process / "limits").read_text()
            except OSError:
                pass  # it has ended
    parent.wait()
    found = {line[:26].strip(): line[26:].split()[0] for line in limits.splitlines()[1:]}
    most = 7 * os.cpu_count()
    check(found.get("Max cpu time", "unlimited") != "unlimited" and int(found["Max cpu time"]) <= most, f"limits: {limits}")
    check(found.get("Max core file size") == "0" and found.get("Max file size") == str(4 << 30), f"limits: {limits}")


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


run_checks([*map(cheat_check, share_of_seed(list(CHEATS), parts=3)), own_kernels_are_correct, the_score, the_worker_is_limited,
            a_crash_of_the_driver_is_not_the_kernels, wrong_usage], at_once=2)
