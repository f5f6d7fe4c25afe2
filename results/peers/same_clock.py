"""Our kernels by the clock of the libraries on NVIDIA's GPUs: PyTorch's profiler.

OpenCL's profiling events report several microseconds more for an empty kernel than that profiler does. So dwarfsweep's
`run --dump` writes the PTX of a point, its launches, and the buffers before and after them. A process of its own repeats
the launches through CUDA, compares the buffers, and times the kernels.
"""
import ctypes
import json
import multiprocessing
import pathlib
import re

import numpy as np

from gpu_libraries import kernels_timed, torch_here
from ours import NotHere

TIMED = "sum of kernels by PyTorch's profiler, data resident: the PTX of OpenCL's compiler, launched through CUDA"
LONGEST_NS = 2e5  # the 4 to 7 us that events report more are at most 4 % of longer times
CALLS = 20
PATIENCE_S = 60  # with a large point's files
CLOSE = 1e-3  # of the largest number: sums may be added in another order


def launchable(ptx):
    """The PTX of an OpenCL kernel as CUDA launches it. Raises NotHere if it reads what only OpenCL launches set."""
    # %envreg0 to 5 have the offsets of an OpenCL launch, here 0; 6 to 8 have the numbers of work-groups.
    for number, axis in enumerate((b"x", b"y", b"z"), 6):
        ptx = re.sub(rb"mov\.b32(\s+%%\w+, )%%envreg%d\b" % number, rb"mov.u32\1%nctaid." + axis, ptx)
    ptx = re.sub(rb"%envreg[0-5]\b", b"0", ptx)
    if b"%envreg" in ptx:
        raise NotHere("a kernel reads a register that only OpenCL sets")
    # The texture mode is an option that CUDA does not have; there are no textures.
    return ptx.replace(b", texmode_independent", b"").rstrip(b"\0")


class Driver:
    """The calls of the CUDA driver that launch a kernel from PTX."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def __call__(self, function, *arguments):
        error = getattr(self.library, function)(*arguments)
        if error != 0:
            raise NotHere(f"{function} gave CUDA error {error}")

    def module(self, ptx):
        module = ctypes.c_void_p()
        self("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(launchable(ptx)))
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function


class Replay:
    """The launches of a dumped point. Raises NotHere where CUDA cannot launch the same."""

    def __init__(self, folder):
        self.torch = torch_here()
        self.torch.zeros(1, device="cuda")  # creates the context
        self.driver = Driver()
        dumped = json.loads((folder / "launches.json").read_text())
        if not dumped["complete"]:
            raise NotHere("the host takes part in the run, or a kernel reads an image")
        self.modules = {}
        for path in folder.glob("program_*.binary"):
            ptx = path.read_bytes()
            if re.search(rb"\.param [^,)]*\.ptr \.(const|shared)", ptx):
                raise NotHere("a kernel has an argument in constant or local memory")
            self.modules[int(path.name.split("_")[1])] = self.driver.module(ptx)
        count = len(list(folder.glob("buffer_*_before.npy")))
        self.original, self.wanted = ([np.load(folder / f"buffer_{i}_{when}.npy") for i in range(count)]
                                      for when in ("before", "after"))
        self.buffers = [self.torch.from_numpy(each).cuda() for each in self.original]
        self.initialised = dumped["initialised"]
        self.launches = [self.prepared(each) for each in dumped["commands"]]

    def prepared(self, command):
        values = [self.argument(each) for each in command["arguments"]]
        if "filled_bytes" in command:
            pattern = bytes.fromhex(command["arguments"][1]["value"])
            if len(set(pattern)) > 1:
                raise NotHere("a fill is no repeated byte")
            size = ctypes.c_size_t(command["filled_bytes"])
            return lambda stream: self.driver("cuMemsetD8Async", values[0], ctypes.c_ubyte(pattern[0]), size, stream)
        function = self.driver.function(self.modules[command["program"]], command["kernel"])
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(each) for each in values))
        if not command["local"]:
            raise NotHere("the OpenCL driver chooses the size of a work-group")
        items = command["local"] + [1] * (3 - len(command["local"]))
        groups = [size // edge for size, edge in zip(command["global"] + [1] * 2, items)]

        def launch(stream):
            self.driver("cuLaunchKernel", function, *groups, *items, 0, stream, pointers, None)

        launch.arguments = values  # the pointers are to these
        return launch

    def argument(self, each):
        if "buffer" in each:
            return ctypes.c_ulonglong(self.buffers[each["buffer"]].data_ptr())
        if "value" in each:
            value = bytes.fromhex(each["value"])
            return (ctypes.c_ubyte * len(value)).from_buffer_copy(value)
        raise NotHere("a kernel has an argument in local memory")

    def run(self):
        stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
        for launch in self.launches:
            launch(stream)

    def is_right(self):
        """Whether the buffers are equal to those after the run by OpenCL, or close to them as numbers."""
        self.torch.cuda.synchronize()
        for got, wanted in zip((each.cpu().numpy() for each in self.buffers), self.wanted):
            whole = len(wanted) // 4 * 4
            differ = np.flatnonzero(got[:whole].view(np.int32) != wanted[:whole].view(np.int32))
            if not np.array_equal(got[whole:], wanted[whole:]):
                return False
            got, wanted = (each[:whole].view(np.float32)[differ].astype(float) for each in (got, wanted))
            if len(differ) > 0 and not np.max(np.abs(got - wanted)) <= CLOSE * np.max(np.abs(wanted)):
                return False
        return True

    def restore(self):
        for buffer, original in self.changed:
            buffer.copy_(original)

    def timer(self):
        """A function like those of the libraries: it returns the sum of kernels and the host's time in ns."""
        self.changed = [(buffer, buffer.clone()) for buffer, before, after, matters in
                        zip(self.buffers, self.original, self.wanted, self.initialised)
                        if matters and not np.array_equal(before, after)]
        self.run()
        if not self.is_right():
            raise NotHere("launched through CUDA, the kernels give another result")
        self.restore()
        return kernels_timed(self.torch, self.run, CALLS, self.restore)


class Child:
    """A process that replays points. If a kernel hangs or breaks its context, one row is lost, and the next has a new one."""

    def __init__(self):
        self.process = None

    def kernels_ns(self, folder=None):
        """Of the point dumped in the folder; without one, of the last. Raises NotHere."""
        if not self.process:
            context = multiprocessing.get_context("spawn")
            self.pipe, other = context.Pipe()
            self.process = context.Process(target=serve, args=(other,), daemon=True)
            self.process.start()
            other.close()  # or its end would not be noticed here
        try:
            self.pipe.send(folder)
            if not self.pipe.poll(PATIENCE_S):
                raise EOFError
            answer = self.pipe.recv()
        except (EOFError, OSError):
            self.process.kill()
            self.process = None
            raise NotHere(f"launched through CUDA, the kernels crash, or do not end within {PATIENCE_S} s") from None
        if isinstance(answer, str):
            raise NotHere(answer)
        return answer


def serve(pipe):
    timer = None
    while True:
        folder = pipe.recv()
        try:
            if folder:
                timer = None  # frees its buffers
                timer = Replay(pathlib.Path(folder)).timer()
            pipe.send(timer()[0])
        except NotHere as reason:
            pipe.send(str(reason))
