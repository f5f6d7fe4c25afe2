"""The CRC-32 of a stream, judged by zlib, or its CRC-8 (see tests/judging.py)."""
import zlib

from judging import shape_errors


def crc8(data):
    """CRC-8/SMBUS: the remainder of the stream, as one number, times x^8."""
    rest = int.from_bytes(data, "big") << 8
    for power in range(rest.bit_length() - 9, -1, -1):
        if rest >> (power + 8) & 1:
            rest ^= 0x107 << power
    return rest


def judge(dump):
    wrong = shape_errors(dump, data=("u1", (dump["problem"]["bytes"],)), crc=("u4", (1,)))
    if wrong:
        return wrong
    is_crc8 = dump["problem"].get("code") == "crc8"
    data = dump["data"].tobytes()
    found, wanted = int(dump["crc"][0]), crc8(data) if is_crc8 else zlib.crc32(data)
    return None if found == wanted else f"crc is {found:#010x}, {'Python' if is_crc8 else 'zlib'} says {wanted:#010x}"
