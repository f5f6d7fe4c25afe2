"""The search for motion judged by NumPy in integers, and the stream by ffmpeg (see tests/judging.py)."""
import pathlib
import shutil
import subprocess
import tempfile

import numpy

from judging import first_beyond, shape_errors

# Height and width of the partitions, in blocks of 4 x 4.
SIZES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 4), (4, 2), (4, 4)]


def partition_sums(current, reference):
    """Absolute differences of two frames, summed by partition: (macroblocks, 41)."""
    rows, cols = current.shape
    blocks = abs(current - reference).reshape(rows // 16, 4, 4, cols // 16, 4, 4).sum((2, 5)).transpose(0, 2, 1, 3)
    blocks = blocks.reshape(-1, 4, 4)
    return numpy.concatenate([blocks.reshape(-1, 4 // h, h, 4 // w, w).sum((2, 4)).reshape(len(blocks), -1)
                              for h, w in SIZES], axis=1)


def bits(pixels):
    """Length of a signed Exp-Golomb code of a difference in quarters of a pixel."""
    number = numpy.where(pixels > 0, 8 * pixels - 1, -8 * pixels)
    return 2 * numpy.floor(numpy.log2(number + 1)).astype(int) + 1


def search(current, reference, expected, size, weight):
    """Vectors and costs of all macroblocks; expected vectors are (macroblocks, 2)."""
    rows, cols = current.shape
    wide = numpy.pad(reference, size, "edge")
    best = numpy.full((rows // 16 * (cols // 16), 41), 1 << 30)
    vectors = numpy.zeros(best.shape + (2,), int)
    for dy in range(-(size // 2), size - size // 2):
        for dx in range(-(size // 2), size - size // 2):
            moved = wide[size + dy:size + dy + rows, size + dx:size + dx + cols]
            cost = partition_sums(current, moved) + weight * (bits(dy - expected[:, 0]) + bits(dx - expected[:, 1]))[:, None]
            less = cost < best
            best[less] = cost[less]
            vectors[less] = dy, dx
    return vectors, best


def decoder():
    """ffmpeg of the system, or of a Python package; none if there is neither."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        import imageio_ffmpeg
        return imageio_ffmpeg.get_ffmpeg_exe()
    except ImportError:
        return None


def left_out():
    """What cannot be judged here, and why; nothing if all can."""
    return None if decoder() else "h264's stream is not decoded: neither ffmpeg nor the Python package imageio-ffmpeg is installed"


def decoding_error(dump):
    """What ffmpeg makes of the stream must be the encoder's own reconstruction, bit for bit."""
    program = decoder()
    if program is None:
        return None  # left_out() says so
    with tempfile.TemporaryDirectory() as folder:
        stream = pathlib.Path(folder) / "stream.264"
        stream.write_bytes(dump["stream.264"])
        done = subprocess.run([program, "-v", "error", "-i", stream, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"],
                              capture_output=True)
    frames, rows, cols = dump["reconstruction"].shape
    size = rows * cols * 3 // 2
    if done.returncode != 0 or done.stderr or len(done.stdout) != frames * size:
        return f"ffmpeg decodes {len(done.stdout)} bytes of {frames * size}: {done.stderr.decode()}"
    decoded = numpy.frombuffer(done.stdout, "u1").reshape(frames, size).astype(int)
    first = 0
    for name in ("reconstruction", "reconstruction_cb", "reconstruction_cr"):
        plane = dump[name]
        end = first + plane[0].size
        wrong = first_beyond(name, plane.astype(int), decoded[:, first:end].reshape(plane.shape), 0)
        if wrong:
            return wrong
        first = end
    return None


def judge(dump):
    problem = dump["problem"]
    rows, cols, count, size = (problem[key] for key in ("rows", "cols", "frames", "search"))
    macroblocks = -(-rows // 16) * -(-cols // 16)
    wrong = shape_errors(dump, frames=("u1", (count, rows, cols)), vectors=("i2", (count - 1, macroblocks, 41, 2)),
                         costs=("i4", (count - 1, macroblocks, 41)), reconstruction=("u1", (count, rows, cols)),
                         reconstruction_cb=("u1", (count, rows // 2, cols // 2)),
                         reconstruction_cr=("u1", (count, rows // 2, cols // 2)))
    if wrong:
        return wrong
    frames = numpy.pad(dump["frames"].astype(int), ((0, 0), (0, -rows % 16), (0, -cols % 16)), "edge")
    expected = numpy.zeros((macroblocks, 2), int)
    for f in range(1, count):
        vectors, costs = search(frames[f], frames[f - 1], expected, size, problem["lambda"])
        wrong = (first_beyond(f"vectors of frame {f}", dump["vectors"][f - 1].astype(int), vectors, 0)
                 or first_beyond(f"costs of frame {f}", dump["costs"][f - 1].astype(int), costs, 0))
        if wrong:
            return wrong
        if problem["predictor"] == "previous":
            expected = vectors[:, 40]
    if (dump["reconstruction"][0] != dump["frames"][0]).any():
        return "the first picture, which is raw, is not its source"
    return decoding_error(dump)
