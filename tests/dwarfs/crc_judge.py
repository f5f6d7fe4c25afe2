"""The CRC-32 of a stream, judged by zlib (see tests/judging.py)."""
import zlib

from judging import shape_errors


def judge(dump):
    wrong = shape_errors(dump, data=("u1", (dump["problem"]["bytes"],)), crc=("u4", (1,)))
    if wrong:
        return wrong
    found, wanted = int(dump["crc"][0]), zlib.crc32(dump["data"].tobytes())
    return None if found == wanted else f"crc is {found:#010x}, zlib says {wanted:#010x}"
