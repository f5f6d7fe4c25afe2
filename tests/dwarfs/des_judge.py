"""DES in ECB mode, judged by OpenSSL (see tests/judging.py)."""
import subprocess

import numpy

from judging import first_beyond, shape_errors


def judge(dump):
    size = 8 * (1 if dump["problem"]["mode"] == "search" else dump["problem"]["blocks"])
    wrong = shape_errors(dump, plaintext=("u1", (size,)), ciphertext=("u1", (size,)), key=("u1", (8,)))
    if wrong:
        return wrong
    # DES left OpenSSL's default provider with version 3.
    wanted = subprocess.run(
        ["openssl", "enc", "-des-ecb", "-nopad", "-K", dump["key"].tobytes().hex(), "-provider", "legacy", "-provider",
         "default"], input=dump["plaintext"].tobytes(), check=True, capture_output=True).stdout
    return first_beyond("ciphertext", dump["ciphertext"].astype(int), numpy.frombuffer(wanted, "u1").astype(int), 0)
