"""The compilers for devices that are not there: Intel's `ocloc`, and clang with AMD's device libraries."""
import functools
import hashlib
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile

from offline import amd_assembly, intel_binary

AMD_ROOT = pathlib.Path("/usr/lib/x86_64-linux-gnu/amdgcn")
CLANG = "clang-15"
TRIPLE = "amdgcn-amd-amdhsa"
LIMIT_S = 30  # of processor time
LOG_BYTES = 2000


def run(command, folder, limit_s):
    """Exit status, output and processor time of a command that may take `limit_s` of it; status None: it took more."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
    with open(folder / "log", "w+b") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   preexec_fn=limit)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        seconds = used.ru_utime + used.ru_stime
        too_long = seconds >= limit_s or process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return (None if too_long else process.returncode), log.read().decode(errors="replace"), seconds


def preprocessed(text, options, device, folder):
    """What is left for a compiler behind the preprocessor: programs that are the same here are the same program. The
    device's extensions are macros, as in its own compiler."""
    target = "spir64" if device["offline"]["compiler"] == "ocloc" else TRIPLE
    extensions = [f"-D{name}=1" for name in device["extensions"] if name.startswith("cl_")]
    (folder / "all.cl").write_text(text)
    done = subprocess.run([CLANG, "-x", "cl", "-E", "-P", "-w", "-nogpulib", "-target", target, *extensions,
                           *options.split(), "all.cl"], cwd=folder, capture_output=True)
    if done.returncode:
        return text.encode()  # an #error: the compiler will say so
    return done.stdout


class Ocloc:
    tools = ("ocloc", CLANG)

    def __init__(self, device):
        self.target = device["offline"]["target"]

    @staticmethod
    @functools.cache
    def version():
        done = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${Version}\n", "intel-opencl-icd", "libigc1"],
                              capture_output=True, text=True)
        return done.stdout.strip().replace("\n", ", ")

    def compile(self, text, options, folder, limit_s):
        (folder / "program.cl").write_text(text)
        command = ["ocloc", "compile", "-file", "program.cl", "-device", self.target, "-options", options, "-output",
                   "program", "-output_no_suffix", "-out_dir", "out"]
        status, log, seconds = run(command, folder, limit_s)
        kernels = intel_binary.kernels_of((folder / "out/program").read_bytes()) if status == 0 else []
        for kernel in kernels:
            told = re.findall(rf"kernel {kernel['kernel']}\s.*spilled around (\d+)", log)
            kernel["spills"] = max(map(int, told), default=0)
        return status, log, seconds, kernels


class Clang:
    tools = (CLANG,)
    # As clang chooses them for the options of the suite's programs and waves of 32.
    libraries_of_settings = ("daz_opt_off", "unsafe_math_off", "finite_only_off", "correctly_rounded_sqrt_off",
                             "wavefrontsize64_off", "abi_version_400")

    def __init__(self, device):
        self.processor = device["offline"]["target"]
        self.isa_version = device["offline"].get("isa_version")

    @staticmethod
    @functools.cache
    def version():
        done = subprocess.run([CLANG, "--version"], capture_output=True, text=True)
        return done.stdout.splitlines()[0]

    def libraries(self, folder):
        """Options for the device libraries. Of a device with `isa_version` they lack the file that says which it is: it
        holds that constant and nothing else."""
        bitcode = AMD_ROOT / "bitcode"
        if self.isa_version is None or (bitcode / f"oclc_isa_version_{self.isa_version // 10}.bc").exists():
            return [f"--rocm-path={AMD_ROOT}", f"--rocm-device-lib-path={bitcode}"]
        (folder / "isa.ll").write_text("@__oclc_ISA_version = protected local_unnamed_addr addrspace(4) constant i32 "
                                       f"{self.isa_version}, align 4\n")
        subprocess.run([CLANG, "-target", TRIPLE, "-nogpulib", "-w", "-c", "-emit-llvm", "isa.ll", "-o", "isa.bc"],
                       cwd=folder, check=True)
        names = ["opencl", "ocml", "ockl", *(f"oclc_{each}" for each in self.libraries_of_settings)]
        files = [*(bitcode / f"{name}.bc" for name in names), "isa.bc"]
        return ["-nogpulib", *(word for file in files
                               for word in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(file)))]

    def compile(self, text, options, folder, limit_s):
        (folder / "program.cl").write_text(text)
        command = [CLANG, "-x", "cl", "-target", TRIPLE, f"-mcpu={self.processor}", *options.split(),
                   *self.libraries(folder), "-O3", "-S", "program.cl", "-o", "program.s"]
        status, log, seconds = run(command, folder, limit_s)
        kernels = amd_assembly.kernels_of((folder / "program.s").read_text()) if status == 0 else []
        return status, log, seconds, kernels


def compiler_of(device):
    return (Ocloc if device["offline"]["compiler"] == "ocloc" else Clang)(device)


def why_not(device):
    """Why programs cannot be compiled here for this device; None where they can."""
    compiler = compiler_of(device)
    missing = [tool for tool in compiler.tools if not shutil.which(tool)]
    if missing:
        return f"{' and '.join(missing)} not installed"
    if isinstance(compiler, Clang) and not (AMD_ROOT / "bitcode/opencl.bc").exists():
        return "rocm-device-libs not installed"
    with tempfile.TemporaryDirectory() as name:
        status, log, _, _ = compiler.compile("kernel void nothing() {}", "-cl-std=CL1.2", pathlib.Path(name), LIMIT_S)
    return None if status == 0 else f"the compiler does not know it: {log.strip().splitlines()[0]}"


def build(text, options, device, limit_s=LIMIT_S):
    """What came of compiling: status (ok, refused, too_long), log, seconds, kernels."""
    with tempfile.TemporaryDirectory() as name:
        status, log, seconds, kernels = compiler_of(device).compile(text, options, pathlib.Path(name), limit_s)
    word = "too_long" if status is None else "ok" if status == 0 else "refused"
    return {"status": word, "log": log[:LOG_BYTES], "seconds": round(seconds, 2), "kernels": kernels}


def key_of(text, options, device):
    """The same for two programs that a compiler of the device cannot distinguish."""
    with tempfile.TemporaryDirectory() as name:
        source = preprocessed(text, options, device, pathlib.Path(name))
    others = [word for word in options.split() if word.startswith("-cl")]
    words = [" ".join(others), device["offline"]["target"], compiler_of(device).version()]
    return hashlib.sha256(b"\0".join([source, *(word.encode() for word in words)])).hexdigest()[:32]
