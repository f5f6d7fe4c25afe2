"""`run --against DIR`: an edited kernel and the embedded one as a pair. The same text, a slower one, a wrong one, one that
does not build, and folders that are none."""
import json
import pathlib
import shutil
import subprocess

from checks import PROGRAM, check, run_checks

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels_cl"
POINT = ["run", "--dwarf", "saxpy", "--size", "small", "--budget", "2s"]
RESULT = "  const size_t first = get_group_id(0) * SHARE * WORK_GROUP;\n"


def run(*arguments):
    done = subprocess.run([PROGRAM, *POINT, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr.strip()


def edited(folder, name, more):
    """The kernels with these lines at the beginning of saxpy's."""
    copy = folder / name
    shutil.copytree(KERNELS, copy)
    file = copy / "saxpy" / "saxpy.cl"
    text = file.read_text()
    check(text.count(RESULT) == 1, "the line that is edited is there")
    file.write_text(text.replace(RESULT, RESULT + more))
    return copy


def the_same_text(folder):
    copy = folder / "same"
    shutil.copytree(KERNELS, copy)
    status, out, err = run("--against", copy)
    check(status == 0 and "are one program here" in out, f"one program: {status} {out} {err}")
    check("speedup over the kernels of the program" in out, out)


def a_slower_kernel(folder):
    slow = edited(folder, "slow", "  for (uint i = 0; i < 20; ++i)\n    if (a * i == -1.25f) y[get_global_id(0) % n] = i;\n")
    status, out, err = run("--against", slow, "--json")
    if not check(status == 0, f"a slower kernel is measured: {status} {err}"):
        return
    found = json.loads(out)
    speedups = {each["kernel"]: each for each in found["speedups"]}
    check(set(speedups) == {"saxpy", "total"}, f"each kernel and the total: {set(speedups)}")
    total = speedups["total"]
    check(total["verdict"] == "slower" and total["speedup_low"] <= total["speedup"] <= total["speedup_high"] < 1, f"{total}")
    roles = {sample["role"] for visit in found["visits"] for sample in visit["samples"]}
    check(roles == {"baseline", "variant"}, f"samples of both: {roles}")
    status, out, _ = run("--against", KERNELS, "--kernels", slow)
    check(status == 0 and f"speedup over the kernels of '{slow}'" in out and "] faster" in out,
          f"the other way round: {out}")


def wrong_kernels(folder):
    wrong = edited(folder, "wrong", "  if (n > 0) y[0] += 1.0f;\n")
    status, _, err = run("--against", wrong)
    check(status == 1 and "wrong_result on" in err and f"the kernels of '{wrong}': " in err, f"a wrong result: {status} {err}")
    broken = edited(folder, "broken", "  this is no OpenCL C\n")
    status, _, err = run("--against", broken)
    check(status == 1 and "build_failed on" in err and f"the kernels of '{broken}': " in err, f"no program: {status} {err}")
    status, _, err = run("--against", KERNELS, "--kernels", broken)
    check(status == 1 and f"the kernels of '{broken}': " in err, f"the reference does not build: {status} {err}")


def no_kernels(folder):
    status, _, err = run("--against", folder / "nowhere")
    check(status == 2 and "--against takes a folder of edited .cl files" in err, f"no folder: {status} {err}")
    empty = folder / "empty"
    empty.mkdir()
    status, _, err = run("--against", empty)
    check(status == 2 and "cannot read the kernel file" in err, f"an empty folder: {status} {err}")


run_checks([the_same_text, a_slower_kernel, wrong_kernels, no_kernels])
