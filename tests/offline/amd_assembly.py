"""What LLVM says of its kernels for AMD's devices: the metadata at the end of the assembly (docs/AMDGPUUsage, code
object metadata), which is YAML of a fixed form."""
import re

INTEGERS = {"vgpr_count": "registers", "sgpr_count": "scalar_registers", "vgpr_spill_count": "spills",
            "sgpr_spill_count": "scalar_spills", "group_segment_fixed_size": "local_bytes",
            "private_segment_fixed_size": "scratch_bytes", "wavefront_size": "simd"}


def kernel_facts(text):
    facts = {"group_items": 0}
    for name, value in re.findall(r"^    \.(\w+):\s+(\d+)$", text, re.M):
        if name in INTEGERS:
            facts[INTEGERS[name]] = int(value)
    facts["kernel"] = re.search(r"^    \.name:\s+(\S+)$", text, re.M).group(1)
    size = re.search(r"^    \.reqd_workgroup_size:\n((?:      - \d+\n)+)", text, re.M)
    if size:
        facts["group_items"] = 1
        for extent in re.findall(r"\d+", size.group(1)):
            facts["group_items"] *= int(extent)
    return facts


def kernels_of(assembly):
    """A dictionary for each kernel in the text. Throws ValueError where there is none."""
    metadata = re.search(r"^amdhsa\.kernels:\n(.*?)^(?:amdhsa\.|\.\.\.)", assembly, re.M | re.S)
    if not metadata:
        raise ValueError("the assembly has no metadata of kernels")
    return [kernel_facts("    " + part) for part in re.split(r"^  - ", metadata.group(1), flags=re.M)[1:]]
