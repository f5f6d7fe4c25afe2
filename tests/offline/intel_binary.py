"""What Intel's compiler says of its kernels: the patch tokens of a device binary that `ocloc compile` writes.

The layout is that of igc/AdaptorOCL/ocl_igc_shared/executable_format/patch_list.h in
github.com/intel/intel-graphics-compiler: a program header, and for each kernel a header, its name, its heaps, and a list
of tokens that each begin with their number and their size."""
import struct

DEVICE_BINARY = 0xff000005  # the type of the section that holds it
MAGIC = b"CTNI"
LOCAL_MEMORY, SCRATCH, EXECUTION, PRIVATE, SECOND_SCRATCH = 15, 18, 23, 38, 59
# Places in the token EXECUTION, in words behind its number and size.
GROUP_SIZE, SIMD, BARRIERS, REGISTERS = slice(0, 3), 3, 5, 20


def sections(file):
    """Type and content of each section of an ELF file of 64 bits."""
    table, = struct.unpack_from("<Q", file, 40)
    count, = struct.unpack_from("<H", file, 60)
    for number in range(count):
        _, kind, _, _, offset, size = struct.unpack_from("<IIQQQQ", file, table + 64 * number)
        yield kind, file[offset:offset + size]


def tokens(data, begin, end):
    """Number and words of each token."""
    while begin < end:
        number, size = struct.unpack_from("<II", data, begin)
        if size < 8:
            raise ValueError(f"a token of {size} bytes")
        yield number, struct.unpack_from(f"<{(size - 8) // 4}I", data, begin + 8)
        begin += size


def kernel_facts(name, data, begin, end):
    """`scratch_bytes`: of a work-item, for registers that were spilled and for private arrays that are not in
    registers. How many were spilled the binary does not say."""
    facts = {"kernel": name, "local_bytes": 0, "spills": 0}
    of_thread = of_item = 0
    for number, words in tokens(data, begin, end):
        if number == LOCAL_MEMORY:
            facts["local_bytes"] = words[1]
        elif number in (SCRATCH, SECOND_SCRATCH):
            of_thread += words[1]
        elif number == PRIVATE:
            of_item += words[3]
        elif number == EXECUTION:
            items = words[GROUP_SIZE]
            facts.update(simd=words[SIMD], barriers=words[BARRIERS], registers=words[REGISTERS],
                         group_items=items[0] * items[1] * items[2])
    facts["scratch_bytes"] = of_item + of_thread // facts["simd"]
    return facts


def kernels_of(file):
    """A dictionary for each kernel in the bytes of a file. Throws ValueError where there is none."""
    for kind, data in sections(file):
        if kind != DEVICE_BINARY or data[:4] != MAGIC:
            continue
        _, _, _, _, count, _, patches = struct.unpack_from("<7I", data)
        place = 28 + patches
        kernels = []
        for _ in range(count):
            name_size, token_size, *heaps, _ = struct.unpack_from("<7I", data, place + 12)
            place += 40
            name = data[place:place + name_size].rstrip(b"\0").decode()
            place += name_size + sum(heaps)
            kernels.append(kernel_facts(name, data, place, place + token_size))
            place += token_size
        return kernels
    raise ValueError("the file holds no device binary with patch tokens")
