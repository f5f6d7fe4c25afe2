"""Logs of a fleet that does not exist: many nodes of a few kinds, each with a run of the same plan. Times of a kind
scatter by 1 % from node to node and from point to point; some nodes are planted to be slower, or to fail.

    simulated_fleet.py FOLDER NODES [POINTS]     prints the planted nodes as JSON
"""
import hashlib
import json
import pathlib
import random
import sys

DWARFS = ("lud", "crc", "needle", "srad", "bfs", "sgemv", "kmeans", "des")
KINDS = (("Made-up GPU, large", 1.0), ("Made-up GPU, small", 2.5), ("Made-up processor", 9.0))
PEAK_GB_PER_S = 1000  # of the first kind
SLOW = 1.15  # a planted node's time over that of its kind


def record(fields):
    return json.dumps(fields, separators=(",", ":"), sort_keys=True) + "\n"


def head(node, kind, name, kernels):
    run = {"arguments": ["sweep", "--size", "large", "--host", node], "builders": {}, "environment": {},
           "host": {"cpus": {}, "memory_bytes": 1 << 36, "name": node, "processor": "made up", "system": "none", "threads": 64},
           "kernels": kernels, "notes": [], "revision": "made-up", "run_id": f"{node}-20260102T030405Z", "schema_version": 2,
           "timestamp": "2026-01-02T03:04:05Z", "type": "run", "version": "0.1.0"}
    limits = {"allocation_bytes": 1 << 30, "constant_bytes": 65536, "fp64": True, "global_bytes": 1 << 34, "images": True,
              "local_bytes": 49152, "local_is_dedicated": True, "work_group_items": 1024, "work_item_sizes": [1024, 1024, 64]}
    info = {"base_alignment_bytes": 128, "c_version": "OpenCL C 1.2", "checks_bounds": False, "clock_mhz": 1000,
            "compute_units": 80, "driver": "1.0", "extensions": [], "fma": True, "global_cache_bytes": 0, "id": "gpu0",
            "index": "0:0", "limits": limits, "name": name, "newest_c_version": "1.2", "ordered_atomics": False,
            "platform": "Made-up platform", "platform_vendor": "", "platform_version": "OpenCL 1.2",
            "progress": {"fault": "", "groups": 0, "pairs_met": 0, "tested": False}, "sub_group_sizes": [],
            "timer_resolution_ns": 1, "type": "gpu", "unified_memory": False, "vendor": "", "version": "OpenCL 1.2"}
    timer = {"launch_ns": 5000.0, "reason": "", "scaling": 10.0, "span_reason": "", "spans": True, "tick_ns": 1,
             "timer": "device"}
    speed = PEAK_GB_PER_S / dict(KINDS)[kind]
    peaks = {"copy_gb_per_s": speed, "gflop_per_s": 10 * speed, "read_gb_per_s": speed, "triad_gb_per_s": speed}
    values = {"half_width": 0.001, "self_comparison": 1.0}
    return (record(run) + record({"info": info, "timer": timer, "type": "device"}) +
            record({"device_id": "gpu0", "type": "peaks", "values": peaks}) +
            record({"device_id": "gpu0", "failure": "", "type": "selftest", "values": values}))


# Lines with places for what varies, since 16 million of them are written.
KEY = '{"config":"%s","device_id":"gpu0","dwarf":"%s","problem":"n=4096","size":"large"}'
POINT = ('{"baseline":%s,"cache":"hot","driver":"1.0","key":%s,"preparation":{"build_ns":1000000,"check":{"max_error":0.0,'
         '"message":"","ok":true,"tolerance":0.0},"download_ns":0,"facts":[],"paths":[],"program_id":"0","reason":"%s",'
         '"sample_ns":1000.0,"status":"%s","upload_ns":0,"verify_ns":0.0,"warm_up_ns":0.0,"work":'
         '[{"bytes":%d,"items":0.0,"kernel":"total","operations":0.0}]},"timer":"device","timestamp":"2026-01-02T03:04:05Z","type":"point"}\n')
SAMPLE = ('{"order":%d,"pair":0,"role":"%s","sample":{"fault":"","host_begin_ns":%d,"host_end_ns":%d,"host_ns":0.0,"kernels":'
          '[{"end_ns":%d,"events":1,"kernel":"total","ns":%d.0,"queued_ns":%d,"start_ns":%d,"submit_ns":%d}],"launches":1,'
          '"span_ns":%d.0,"wall_ns":%d.0}}')
VISIT = '{"confirmation":false,"key":%s,"paired":true,"process":1,"round":%d,"samples":[%s],"type":"visit"}\n'
DIGEST = ('{"digests":{"inputs":{"data":{"count":4096,"sha256":"%s","type":"uint32"}},"results":{}},"key":%s,"seed":1,'
          '"type":"digest"}\n')
END = '{"key":%s,"stop_reason":"rounds","type":"end"}\n'


def plan(points):
    """(dwarf, configuration, time of the first kind in ns), the baseline of each dwarf first."""
    made = []
    for index, dwarf in enumerate(DWARFS):
        for setting in range(points // len(DWARFS)):
            config = f"variant={'first' if setting < 10 else 'second'};granularity={1 + setting % 10};unroll={1 + setting // 10}"
            made.append((dwarf, config, setting == 0, 1e6 * (1 + index) / (1 + 0.03 * setting)))
    return made


class Clock:
    """Of a node: samples follow each other after pauses, and no other node has the same times."""

    def __init__(self, number):
        self.ns = (1 + number) * 10**12
        self.pauses = random.Random(number)

    def sample(self, order, role, ns):
        begin, ns = self.ns + self.pauses.randrange(1000, 3000), round(ns)
        end = self.ns = begin + ns
        return SAMPLE % (order, role, begin, end, end, ns, begin, begin, begin, ns, ns)


def write_node(folder, number, points, planted, draw, options):
    node = f"node{number:05}"
    kind, factor = KINDS[number % len(KINDS)]
    factor *= 1 + 0.01 * draw.gauss(0, 1)
    own = dict.fromkeys(DWARFS, factor)
    if node in planted["slow"]:
        own = dict.fromkeys(DWARFS, factor * SLOW)
    if node in planted["slow_in_one"]:
        own["sgemv"] = factor * SLOW
    name = options.get("device", "%s") % (number if "device" in options else kind)
    lines = [head(node, kind, name, options.get("kernels", "0")), record({"points": len(points), "type": "plan"})]
    base, clock = {}, Clock(number)
    for dwarf, config, is_baseline, ns in points:
        key = KEY % (config, dwarf)
        if is_baseline:
            work = 0.3 * PEAK_GB_PER_S * ns  # the baseline reaches 30 % of the peak
        ns *= own[dwarf] * (1 + 0.01 * draw.gauss(0, 1))
        if is_baseline:
            base[dwarf] = ns
        failed = node in planted["failing"] and dwarf == "des" and not is_baseline
        lines.append(POINT % ("true" if is_baseline else "false", key, "planted" if failed else "",
                              "launch_failed" if failed else "ok", work))
        if is_baseline:
            lines.append(DIGEST % (hashlib.sha256(dwarf.encode()).hexdigest(), key))
        for block in range(0 if failed else options.get("blocks", 2)):
            samples = (clock.sample(0, "variant", ns * (1 + 0.001 * block)) + "," +
                       clock.sample(1, "baseline", base[dwarf] * (1 + 0.001 * block)))
            lines.append(VISIT % (key, block, samples))
        lines.append(END % key)
    run = folder / node
    run.mkdir()
    (run / "log.jsonl").write_text("".join(lines))


def write_fleet(folder, nodes, count=400, **options):
    """`options`: blocks, the number for each point; device, a name with a place for the node's number, instead of its kind's;
    kernels, their hash."""
    draw = random.Random(5)
    names = [f"node{number:05}" for number in range(nodes)]
    chosen = draw.sample(names, 6)
    planted = {"slow": chosen[:2], "slow_in_one": chosen[2:4], "failing": chosen[4:]}
    points = plan(count)
    folder.mkdir()
    for number in range(nodes):
        write_node(folder, number, points, planted, draw, options)
    return planted


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        sys.exit(0)
    print(json.dumps(write_fleet(pathlib.Path(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:]))))
