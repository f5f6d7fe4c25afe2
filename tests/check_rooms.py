"""The rooms of the house: who may include whom, and where kernels may order work-groups. Reads the
sources, needs no device.

Includes point one way: suite -> dwarfs -> harness, inside suite: commands -> sharing -> exports -> merge -> report -> compare -> tune ->
sweep -> published -> output -> engine -> judge -> worker -> plan -> search -> record, inside harness: peaks -> energy -> run -> program ->
device -> formats -> statistics -> space. OpenCL is seen, also through other headers, by few rooms."""
import pathlib
import re

from checks import check, run_checks

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("harness", "dwarfs", "suite", "kernels_cl", "tests", "results", "cmake")
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')

# From the lowest to the highest: a room includes itself and those before it.
SUITE_ROOMS = ("record", "search", "plan", "worker", "judge", "engine", "output", "published", "sweep", "tune", "compare", "report",
               "merge", "exports", "sharing", "commands")
HARNESS_ROOMS = ("space", "statistics", "formats", "device", "program", "run", "energy", "peaks")
# What only the suite may use: prefixes of headers of other projects.
SUITE_LIBRARIES = ("boost/", "nlohmann/", "csv.h", "zlib.h")
# Who may see OpenCL, be it through other headers: these rooms, a dwarf's own folder, and tests.
OPENCL_ROOMS = (("harness", "device"), ("harness", "program"), ("harness", "run"), ("harness", "peaks"), ("suite", "worker"))
# Of these rooms, what others include to describe a device, a program, a point or a sample.
PLAIN_HEADERS = ("harness/device/caches.hpp", "harness/device/device.hpp", "harness/device/host.hpp",
                 "harness/device/inventory.hpp", "harness/device/kinds.hpp", "harness/peaks/peaks.hpp",
                 "harness/program/kernel_source.hpp", "harness/program/macros.hpp", "harness/program/program_cache.hpp",
                 "harness/run/case.hpp", "harness/run/dwarf.hpp", "harness/run/sample.hpp", "cmake/precompiled.hpp")
OPENCL_HEADER, OPENCL_WRAPPER = "CL/opencl.hpp", "harness/device/opencl.hpp"


def sources():
    """Path within the project -> text, of all C++, OpenCL C and Python files."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")
             if path.suffix in (".cpp", ".hpp", ".cl", ".py")]
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def room_of(path):
    """("suite", "plan") of suite/plan/plan.hpp, ("dwarfs", "") of dwarfs/registry.hpp, ("", "") of another project's."""
    parts = pathlib.PurePosixPath(path).parts
    if len(parts) < 2 or parts[0] not in ("harness", "dwarfs", "suite", "tests"):
        return "", ""
    return parts[0], parts[1] if len(parts) > 2 else ""


def broken_rule(path, included):
    """The rule that this include breaks, or None."""
    floor, room = room_of(path)
    other_floor, other_room = room_of(included)
    if included == OPENCL_HEADER and path != OPENCL_WRAPPER:
        return f"{OPENCL_HEADER} is included by {OPENCL_WRAPPER} only"
    if floor in ("harness", "dwarfs", "suite") and other_floor == "tests":
        return "nothing but tests includes tests"
    if floor in ("harness", "dwarfs") and included.startswith(SUITE_LIBRARIES):
        return f"{floor} uses neither Boost nor nlohmann-json nor csv.h nor zlib.h"
    if floor == "harness" and other_floor in ("dwarfs", "suite"):
        return "harness includes neither dwarfs nor suite"
    if floor == "harness" and other_floor == "harness":
        for each in (room, other_room):
            if each not in HARNESS_ROOMS:
                return f"harness has the rooms {', '.join(reversed(HARNESS_ROOMS))}; '{each}' is none of them"
        if HARNESS_ROOMS.index(other_room) > HARNESS_ROOMS.index(room):
            return "harness' rooms include only those below them: " + " -> ".join(reversed(HARNESS_ROOMS))
    if floor == "dwarfs" and other_floor == "suite":
        return "dwarfs do not include suite"
    if floor == "dwarfs" and other_floor == "dwarfs" and other_room not in ("", room):
        return "a dwarf includes no other dwarf's room"
    if floor == "suite" and other_floor == "suite":
        for each in (room, other_room):
            if each not in SUITE_ROOMS:
                return f"suite has the rooms {', '.join(reversed(SUITE_ROOMS))}; '{each}' is none of them"
        if SUITE_ROOMS.index(other_room) > SUITE_ROOMS.index(room):
            return "suite's rooms include only those below them: " + " -> ".join(reversed(SUITE_ROOMS))
    return None


def wrong_includes(files):
    """A sentence for each include that breaks a rule."""
    sentences = []
    for path, text in sorted(files.items()):
        if not path.endswith((".cpp", ".hpp")):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            included = INCLUDE.match(line)
            rule = included and broken_rule(path, included[1])
            if rule:
                sentences.append(f"{path}:{number} includes {included[1]}, but {rule}")
    return sentences


# Of a dwarf only the cases see OpenCL: not what it says of itself, its data, its check and its host version.
DESCRIBES_A_DWARF = re.compile(r"dwarfs/(\w+)/(?:\1|space|input|host|verification)\.[ch]pp")


def way_to_opencl(path, includes):
    """The files through which this one includes OpenCL, itself first; None where it does not."""
    from_file, waiting = {path: None}, [path]
    while waiting:
        file = waiting.pop(0)
        for included in includes.get(file, ()):
            if included == OPENCL_HEADER:
                chain = [OPENCL_HEADER]
                while file:
                    chain.append(file)
                    file = from_file[file]
                return chain[::-1]
            if included in includes and included not in from_file:
                from_file[included] = file
                waiting.append(included)
    return None


def wrong_views_of_opencl(files):
    """A sentence for each file that sees OpenCL, and is not in a room of those that may."""
    includes = {path: [found[1] for line in text.splitlines() if (found := INCLUDE.match(line))]
                for path, text in files.items() if path.endswith((".cpp", ".hpp"))}
    sentences = []
    for path in sorted(includes):
        floor, room = room_of(path)
        may = (floor, room) in OPENCL_ROOMS and path not in PLAIN_HEADERS
        if may or (floor == "dwarfs" and room and not DESCRIBES_A_DWARF.fullmatch(path)) or floor == "tests":
            continue
        chain = way_to_opencl(path, includes)
        if chain:
            sentences.append(f"{path} must compile without OpenCL, but includes it: {' -> '.join(chain[1:])}")
    return sentences


def few_see_opencl(_):
    files = sources()
    for path in PLAIN_HEADERS:
        check(path in files, f"{path} is missing: is it still to be plain?")
    for sentence in wrong_views_of_opencl(files):
        check(False, sentence)
    check(True, "views of OpenCL")


# Who may ask a worker to prepare, measure and verify points. A kernel that is judged is run by a protocol of its own:
# its output is checked in another process, so that it cannot reach what it is compared with.
REQUESTS_OF_POINTS = re.compile(r"\b(?:PreparePoint|MeasureBlock|MeasureEnergy|FinishPoint|DigestPoint)\b")
REQUESTS_OF_JUDGE = re.compile(r"\b(?:StagePoint|LaunchStaged|CollectOutput|CheckOutput)\b")
# So are points that are launched once to be compiled.
LAUNCHES_AHEAD, UNTIMED = "suite/engine/build_ahead.cpp", re.compile("StagePoint|LaunchStaged")
FULL_STDERR = re.compile(r"fmt::print\(\s*stderr")


def wrong_requests(files):
    """A sentence for each line that names a request of another room, or prints by what throws if standard error is full."""
    sentences = []
    for path, text in sorted(files.items()):
        floor, room = room_of(path)
        if floor != "suite":
            continue
        for number, line in enumerate(text.splitlines(), 1):
            code = line.split("//")[0]
            for names, own_room in ((REQUESTS_OF_POINTS, "engine"), (REQUESTS_OF_JUDGE, "judge")):
                found = names.search(code)
                if found and room not in (own_room, "worker") and not (path == LAUNCHES_AHEAD and UNTIMED.fullmatch(found[0])):
                    sentences.append(f"{path}:{number} sends {found[0]}, which only suite/{own_room} may")
            if FULL_STDERR.search(code):
                sentences.append(f"{path}:{number} must print by print_stderr: fmt::print throws if standard error is full")
    return sentences


def one_engine(_):
    files = sources()
    check(REQUESTS_OF_POINTS.search(files["suite/engine/measurer.cpp"]), "the engine sends no request")
    for sentence in wrong_requests(files):
        check(False, sentence)


# Fences, ordered atomics and volatile flags among work-groups are in one file. Volatile local memory is within a group.
ORDERING = "kernels_cl/ordering.cl"
ORDERS = re.compile(r"\w*mem_fence|work_item_fence|membar[.\w]*|fence\.acq\w*|(?:ld|st|red|atom)\.(?:acquire|release|acq_rel)"
                    r"|memory_order_\w+|atomic_\w+_explicit|\bvolatile\b")
NO_FLAG = re.compile(r"//.*|\basm volatile\b|\blocal (?:const )?volatile\b")


def wrong_orders(files):
    """A sentence for each line of a kernel that orders work-groups by itself."""
    sentences = []
    for path, text in sorted(files.items()):
        if not path.endswith(".cl") or path == ORDERING:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if found := ORDERS.search(NO_FLAG.sub("", line)):
                sentences.append(f"{path}:{number} has '{found[0]}': work-groups are ordered by {ORDERING} alone")
    return sentences


def groups_are_ordered_in_one_file(_):
    files = sources()
    check(ORDERS.search(files[ORDERING]), f"{ORDERING} orders nothing")
    for sentence in wrong_orders(files):
        check(False, sentence)


def includes_point_one_way(_):
    files = sources()
    check(len(files) > 100, f"only {len(files)} source files found under {ROOT}")
    for sentence in wrong_includes(files):
        check(False, sentence)
    check(True, "includes")


# File, what it includes, a word of the rule it breaks.
PLANTED = [
    ("harness/device/device.cpp", '"dwarfs/registry.hpp"', "neither dwarfs nor suite"),
    ("harness/formats/npy.hpp", '"suite/record/csv.hpp"', "neither dwarfs nor suite"),
    ("harness/device/device.hpp", "<boost/program_options.hpp>", "neither Boost"),
    ("harness/device/device.hpp", "<nlohmann/json.hpp>", "nlohmann-json"),
    ("harness/device/device.hpp", "<csv.h>", "csv.h"),
    ("harness/device/device.hpp", "<CL/opencl.hpp>", "harness/device/opencl.hpp only"),
    ("suite/worker/serve.cpp", '"CL/opencl.hpp"', "harness/device/opencl.hpp only"),
    ("tests/points.cpp", "<CL/opencl.hpp>", "harness/device/opencl.hpp only"),
    ("dwarfs/lud/lud.cpp", '"dwarfs/crc/input.hpp"', "no other dwarf's room"),
    ("dwarfs/registry.cpp", '"dwarfs/crc/input.hpp"', "no other dwarf's room"),
    ("dwarfs/lud/lud.cpp", '"suite/plan/plan.hpp"', "dwarfs do not include suite"),
    ("dwarfs/lud/lud.cpp", "<nlohmann/json.hpp>", "nlohmann-json"),
    ("dwarfs/lud/lud.cpp", '"tests/points.hpp"', "nothing but tests"),
    ("suite/record/rows.cpp", '"suite/output/tables.hpp"', "only those below"),
    ("suite/output/tables.cpp", '"suite/sweep/sweep.hpp"', "only those below"),
    ("suite/plan/plan.cpp", '"suite/sweep/sweep.hpp"', "only those below"),
    ("suite/search/replay.cpp", '"suite/plan/plan.hpp"', "only those below"),
    ("suite/output/tables.cpp", '"suite/published/published.hpp"', "only those below"),
    ("suite/worker/serve.cpp", '"suite/engine/point_measurer.hpp"', "only those below"),
    ("harness/formats/npy.hpp", "<zlib.h>", "zlib.h"),
    ("suite/sweep/sweep.cpp", '"suite/commands/commands.hpp"', "only those below"),
    ("suite/sweep/sweep.cpp", '"suite/tune/race.hpp"', "only those below"),
    ("suite/attic/old.cpp", '"suite/plan/plan.hpp"', "is none of them"),
    ("harness/space/space.cpp", '"harness/device/device.hpp"', "only those below"),
    ("harness/statistics/statistics.cpp", '"harness/formats/npy.hpp"', "only those below"),
    ("harness/formats/npy.cpp", '"harness/device/host.hpp"', "only those below"),
    ("harness/device/inventory.cpp", '"harness/program/macros.hpp"', "only those below"),
    ("harness/program/program.cpp", '"harness/run/session.hpp"', "only those below"),
    ("harness/run/measure.cpp", '"harness/energy/power_phase.hpp"', "only those below"),
    ("harness/energy/power_phase.cpp", '"harness/peaks/peaks.hpp"', "only those below"),
    ("harness/attic/old.cpp", '"harness/space/space.hpp"', "is none of them"),
]
LEGAL = [
    ("harness/device/opencl.hpp", "<CL/opencl.hpp>"), ("harness/peaks/peaks.cpp", '"harness/run/launcher.hpp"'), ("dwarfs/lud/lud.cpp", '"dwarfs/lud/lud.hpp"'),
    ("dwarfs/lud/lud.cpp", '"dwarfs/registry.hpp"'), ("dwarfs/lud/lud.cpp", '"harness/run/dwarf.hpp"'),
    ("suite/commands/sweep.cpp", '"suite/record/rows.hpp"'), ("suite/record/json.hpp", "<nlohmann/json.hpp>"),
    ("suite/plan/plan.cpp", '"dwarfs/registry.hpp"'), ("tests/output_test.cpp", '"suite/output/tables.hpp"'),
]


def planted_errors_are_found(_):
    for path, included, rule in PLANTED:
        found = wrong_includes({path: f"#pragma once\n\n#include {included}\n"})
        check(len(found) == 1 and found[0].startswith(f"{path}:3 ") and rule in found[0],
              f"{path} including {included}: '{rule}' expected: {found}")
    for path, included in LEGAL:
        found = wrong_includes({path: f"#include {included}\n"})
        check(not found, f"{path} including {included} is legal: {found}")
    headers = {OPENCL_WRAPPER: f"#include <{OPENCL_HEADER}>", "harness/run/launcher.hpp": f'#include "{OPENCL_WRAPPER}"'}
    for path in ("suite/record/rows.cpp", "suite/engine/measurer.hpp", "harness/space/space.hpp", "harness/run/sample.hpp",
                 "dwarfs/registry.cpp", "dwarfs/lud/lud.cpp", "dwarfs/lud/space.cpp", "cmake/precompiled.hpp"):
        found = wrong_views_of_opencl(headers | {path: '#include "harness/run/launcher.hpp"\n'})
        check(len(found) == 1 and found[0].startswith(f"{path} must compile without OpenCL") and
              found[0].endswith(f"harness/run/launcher.hpp -> {OPENCL_WRAPPER} -> {OPENCL_HEADER}"), f"{path}: {found}")
    for path in ("harness/run/measure.cpp", "harness/peaks/bandwidth.cpp", "dwarfs/lud/cases.cpp", "suite/worker/serve.cpp",
                 "tests/points.cpp"):
        found = wrong_views_of_opencl(headers | {path: '#include "harness/run/launcher.hpp"\n'})
        check(not found, f"{path} may see OpenCL: {found}")
    for line in ("  mem_fence(CLK_GLOBAL_MEM_FENCE);", "global volatile uint* flags;", 'asm volatile("membar.gl;");',
                 "atomic_store_explicit(flag, 1, memory_order_relaxed);", "volatile global uint* counts"):
        found = wrong_orders({"kernels_cl/a.cl": f"//\n{line}\n"})
        check(len(found) == 1 and found[0].startswith("kernels_cl/a.cl:2 "), f"{line}: {found}")
    for line in ('asm volatile("bar.sync 1, %0;" : : "r"(n) : "memory");', "local const volatile int* west;",
                 "barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(count);", "x = y;  // volatile, but for mem_fence"):
        check(not wrong_orders({"kernels_cl/a.cl": line}), f"{line} is legal")
    for path, line in (("suite/commands/sharing.cpp", "client.ask(PreparePoint{request}, limit);"),
                       ("suite/judge/bench.cpp", "MeasureBlock block{"),
                       ("suite/engine/measurer.cpp", "ask(StagePoint{request}, limit)"),
                       (LAUNCHES_AHEAD, "ask(CheckOutput{request}, limit)"),
                       ("suite/plan/best.cpp", 'fmt::print(stderr, "{}", text);')):
        found = wrong_requests({path: f"\n{line}\n"})
        check(len(found) == 1 and found[0].startswith(f"{path}:2 "), f"{path}: {line}: {found}")
    for path, line in (("suite/engine/measurer.cpp", "ask(FinishPoint{point}, limit);"), ("suite/judge/bench.cpp", "ask(LaunchStaged{}, limit)"),
                       ("suite/tune/race.cpp", "// MeasureBlock"), ("suite/worker/requests.hpp", "struct StagePoint {")):
        check(not wrong_requests({path: line}), f"{path}: {line} is legal")
    check(not wrong_orders({ORDERING: "global volatile uint* flags;"}), f"{ORDERING} is where they are")


run_checks([includes_point_one_way, few_see_opencl, one_engine, groups_are_ordered_in_one_file, planted_errors_are_found])
