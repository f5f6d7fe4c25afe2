"""What the compilers for Intel's and AMD's GPUs make of the suite's programs, without such a device: nothing is
refused, nothing takes more than 30 s of processor time, no variant's default spills registers.

    check_offline.py                                 every variant's default, of the nine dwarfs of the front page, on
                                                     every third device by DWARFSWEEP_TEST_SEED
    check_offline.py --long                          the corners of its axes as well, of all dwarfs, on all devices
    check_offline.py --long --dwarf=fft_1d,sad       the same, of these alone
    check_offline.py --long --write=results/offline  of all again, and writes the table there

Programs that were compiled before, by the same compiler, are known from a file next to the program."""
import hashlib
import pathlib
import sys

from checks import PROGRAM, check, run_checks, share_of_seed
from offline import amd_assembly, compilers, intel_binary, table
from offline.builds import Builds, devices, listed

# Of these readers alone: other ones may read something else from the same program.
READERS = [pathlib.Path(module.__file__).read_bytes() for module in (amd_assembly, intel_binary)]
KNOWN = pathlib.Path(PROGRAM).resolve().parent / f"offline-{hashlib.sha256(b''.join(READERS)).hexdigest()[:8]}.jsonl"
GIVEN = {name: word for name, _, word in (argument.partition("=") for argument in sys.argv[1:]) if word}
WRITE = pathlib.Path(GIVEN["--write"]).resolve() if "--write" in GIVEN else None
DWARFS = GIVEN.get("--dwarf", "all" if "--long" in sys.argv else "")  # none given: the nine


def usable_devices():
    usable = {}
    for name, device in share_of_seed(list(devices().items()), parts=3):
        hindrance = compilers.why_not(device)
        if hindrance:
            print(f"skipped {name}: {hindrance}")
        else:
            usable[name] = device
    return usable


def compiled(name, device, only_defaults):
    """The rows of a device."""
    groups = listed(PROGRAM, name, *(["--dwarf", DWARFS] if DWARFS else []))
    for group in groups:
        if only_defaults:
            group["points"] = [point for point in group["points"] if point["default"]]
        for point in group["points"]:
            reason = point.get("reason", "")
            check(not point["default"] or not reason or reason.startswith("unsupported"),
                  f"the default of {group['dwarf']} {point['variant']} has no program for {name}: {reason}")
    wanted = {program: each for group in groups for each in group["programs"]
              for program in [each["id"]] if any(program in point.get("programs", []) for point in group["points"])}
    results = dict(zip(wanted, Builds(KNOWN).results(list(wanted.values()), device)))
    return [row for group in groups for row in table.rows_of(name, device, group, results)]


def programs_of_devices(folder):
    rows = []
    usable = usable_devices()
    for name, device in usable.items():
        more = compiled(name, device, "--long" not in sys.argv)
        check(more, f"no program for {name}")
        for sentence in table.problems(more):
            check(False, sentence)
        print(f"{name}: {len(more)} kernels", flush=True)
        rows += more
    if WRITE and rows:
        WRITE.mkdir(parents=True, exist_ok=True)
        table.write_csv(rows, WRITE / "kernels.csv")
        versions = {compilers.compiler_of(device).version() for device in usable.values()}
        table.write_markdown(rows, usable, WRITE / "README.md", versions)


SPILLING = """
// More live values than any device of the table has registers for a work-item.
kernel void spilling(global float16* data) {
  float16 all[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) all[i] = data[i];
#pragma unroll
  for (int i = 0; i < 64; ++i) all[i] = all[i] * all[63 - i] + all[(i * 7) % 64];
#pragma unroll
  for (int i = 0; i < 64; ++i) data[i] = all[63 - i];
}
"""


def planted(folder):
    """The table's reader and its judgement see a refused program, a spill, and one that takes too long."""
    group = {"dwarf": "planted", "points": [{"variant": "one", "config": "variant=one", "default": True,
                                             "group_items": 64, "programs": ["p"]}]}
    for name, device in usable_devices().items():
        def told(text, limit_s=compilers.LIMIT_S):
            result = compilers.build(text, "-cl-std=CL1.2", device, limit_s)
            rows = list(table.rows_of("planted", device, group, {"p": result}))  # no device that is excused
            return rows, " ".join(table.problems(rows))
        rows, sentence = told("kernel void plain(global int* to) { local int at[16]; at[get_local_id(0) % 16] = 1;"
                              " barrier(CLK_LOCAL_MEM_FENCE); to[get_global_id(0)] = at[3]; }")
        check(len(rows) == 1 and rows[0]["kernel"] == "plain" and rows[0]["local_bytes"] == 64, f"{name}: {rows}")
        check(sentence == "" and rows[0]["registers"] > 0, f"{name}: {sentence} {rows}")
        check(0.5 <= rows[0]["occupancy"] <= 1, f"{name}: {rows}")
        _, sentence = told("kernel void wrong(global int* to) { *to = there_is_no_such_thing; }")
        check("is refused by the compiler" in sentence and "there_is_no_such_thing" in sentence, f"{name}: {sentence}")
        rows, sentence = told(SPILLING)
        check("the default spills registers in spilling" in sentence, f"{name}: {sentence} {rows}")
        endless = "#define A(x) x x x x x x x x\nkernel void long_one(global float* d) { " \
                  "A(A(A(A(A(d[1] = sin(d[0]) + cos(d[2]);))))) }"
        _, sentence = told(endless, 1)
        check("compiles for more than" in sentence, f"{name}: {sentence}")


run_checks([planted, programs_of_devices])
