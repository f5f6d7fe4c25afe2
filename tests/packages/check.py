#!/usr/bin/env python3
"""The ways to install, as users meet them, in Debian roots without a compiler and without OpenCL: the wheel as an ordinary
user, with each of its OpenCL runtimes; the Debian package and the tarball; `./run sweep` of a clone; the steps of the Containerfile.
Words name the checks to run. Needs root, debootstrap, the network; ends with 77 without."""
import contextlib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests"))
from checks import PROGRAM, check, run_checks

BUILD = pathlib.Path(PROGRAM).resolve().parent
NOBODY = "65534"


class Root:
    """Runs commands in the root of another Debian."""

    def __init__(self, path):
        self.path = path

    def run(self, command, user="0", expected=0):
        """A line of shell; returns what it prints."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": f"/home/check{user}", "LC_ALL": "C.UTF-8",
                       "PIP_DISABLE_PIP_VERSION_CHECK": "1", "DEBIAN_FRONTEND": "noninteractive",
                       "PIP_CERT": "/etc/ssl/certs/ca-certificates.crt",
                       "CMAKE_BUILD_PARALLEL_LEVEL": os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))}
        script = ('for each in proc sys dev; do mkdir -p "$0/$each"; mount --rbind "/$each" "$0/$each"; done; '
                  'exec chroot --userspec="$1:$1" "$0" sh -ec "cd; $2"')
        begin = time.monotonic()
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script, str(self.path), user, command], env=environment,
                              capture_output=True, text=True, check=False)
        output = done.stdout + done.stderr
        print(f"  {self.path.name}: {time.monotonic() - begin:.0f} s: {command}", flush=True)
        check(done.returncode == expected, f"{command} ended with {done.returncode}: {output[-3000:]}")
        return output

    def copy_network(self):
        """Copies this machine's network settings; a mirror or a proxy may need its own certificate."""
        for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/pip.conf"):
            if os.path.exists(f"/{name}"):
                (self.path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(f"/{name}", self.path / name)

    @contextlib.contextmanager
    def prepared(self):
        """The root with the network, and an empty home for each user."""
        self.copy_network()
        homes = []
        for user in ("0", NOBODY):
            homes.append(self.path / "home" / f"check{user}")
            shutil.rmtree(homes[-1], ignore_errors=True)
            homes[-1].mkdir(parents=True)
            shutil.chown(homes[-1], int(user), int(user))
        try:
            yield self
        finally:
            for home in homes:
                shutil.rmtree(home)


@functools.cache
def built_packages(folder):
    """The wheel, the Debian package and the tarball, built for the first check that needs one."""
    packages = folder / "packages"
    wheel = build_wheel(folder)
    subprocess.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", packages], check=True, stdout=subprocess.DEVNULL)
    return wheel, next(packages.glob("*.deb")), next(packages.glob("*.tar.gz"))


def build_wheel(folder):
    subprocess.run([SOURCE / "packaging" / "wheel.sh", folder / "wheels", BUILD], check=True, stdout=subprocess.DEVNULL)
    wheels = list((folder / "wheels").iterdir())
    check(len(wheels) == 1 and "-py3-none-manylinux_2_" in wheels[0].name, f"the wheels are {wheels}")
    return wheels[0]


def sweep_and_plot(root, command, plot):
    """A sweep of 20 s as an ordinary user, and its plots."""
    output = root.run(f"{command} sweep --budget 20s --out run", user=NOBODY)
    check(" ok" in output, f"the sweep prints {output[-1000:]}")
    plots = root.run(f"{plot} run --out plots", user=NOBODY)
    check("plots/overview" in plots, f"dwarfsweep-plot prints {plots}")


def try_wheel(root, wheel, extra):
    """As an ordinary user in a root that has python3-venv and no OpenCL."""
    shutil.copy(wheel, root.path / "home" / f"check{NOBODY}")
    root.run(f"python3 -m venv venv && venv/bin/pip install -q ./{wheel.name}", user=NOBODY)
    output = root.run("venv/bin/dwarfsweep devices", user=NOBODY, expected=3)
    check("there is no OpenCL device; install one" in output, f"without a device: {output}")
    output = root.run("venv/bin/dwarfsweep-plot run", user=NOBODY, expected=1)
    check("dwarfsweep[plots]" in output, f"without pandas: {output}")
    root.run("venv/bin/dwarfsweep-plot --help", user=NOBODY)
    root.run(f"venv/bin/pip install -q './{wheel.name}[{extra},plots]'", user=NOBODY)
    if extra == "pocl":
        output = root.run("venv/bin/dwarfsweep devices", user=NOBODY, expected=3)
        check("install binutils" in output, f"PoCL without a linker: {output}")
        root.run("apt-get -q update && apt-get -q -y install --no-install-recommends binutils")
    sweep_and_plot(root, "venv/bin/dwarfsweep", "venv/bin/dwarfsweep-plot")


def wheel_in_debian_11(extra):
    """The check of the wheel with one of its extras."""
    def check_wheel(folder):
        wheel, *_ = built_packages(folder)
        with Root(BUILD / "debian11").prepared() as root:
            # Left by a check that was ended.
            root.run("if command -v ld; then apt-get -q -y purge binutils-common; fi")
            try_wheel(root, wheel, extra)
    check_wheel.__name__ = f"wheel_with_{extra}_in_debian_11"
    return check_wheel


def wheel_in_bookworm(folder):
    wheel, *_ = built_packages(folder)
    with fresh_root("bookworm", folder) as root:
        root.run("apt-get -q update && apt-get -q -y install --no-install-recommends python3-venv")
        root.copy_network()  # python3-venv installs ca-certificates, which overwrites the copied file
        try_wheel(root, wheel, "intel")


def clone_into(root):
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", SOURCE, root.path / "home" / "check0" / "dwarfsweep"], check=True)


def source_in_bookworm(folder):
    with fresh_root("bookworm", folder) as root:
        clone_into(root)
        output = root.run("cd dwarfsweep && ./run sweep --budget 30s --out swept")
        check(" ok" in output, f"the sweep prints {output[-1000:]}")


def source_in_bullseye(folder):
    """Too old for the build, which ends with a line that says so and names a way on."""
    with fresh_root("bullseye", folder) as root:
        clone_into(root)
        output = root.run("cd dwarfsweep && ./run sweep --budget 30s --out swept", expected=4)
        check(re.search("too old for the build: cmake is 3.18.* and must be 3.22; GCC is 10 .*packaging/wheel.sh", output), output[-1000:])


def containerfile(folder):
    """Its steps, each stage in a root of its own; then a sweep as by `podman run`."""
    text = (SOURCE / "packaging" / "Containerfile").read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    stages, place = [], "/"
    with contextlib.ExitStack() as stack:
        for keyword, rest in re.findall(r"^([A-Z]+) +(.*)$", text, re.MULTILINE):
            if keyword == "FROM":
                check(rest.startswith("debian:bookworm"), f"FROM {rest}")
                stages.append(stack.enter_context(fresh_root("bookworm", folder)))
            elif keyword == "COPY" and rest.startswith(". "):
                subprocess.run(["git", "clone", "-q", "--no-hardlinks", SOURCE, stages[-1].path / rest[2:].strip("/")], check=True)
            elif keyword == "COPY":
                pattern, target = rest.removeprefix("--from=build ").split()
                for file in stages[0].path.glob(pattern.strip("/")):
                    shutil.copy(file, stages[-1].path / target.strip("/"))
            elif keyword == "RUN":
                stages[-1].run(f"cd / && DRIVERS= && {rest}")
            elif keyword == "WORKDIR":
                place = rest
                (stages[-1].path / rest.strip("/")).mkdir()
            else:
                check(keyword in ("ARG", "ENV", "ENTRYPOINT", "CMD"), f"{keyword} is not known here")
        output = stages[-1].run(f"cd {place} && dwarfsweep sweep --budget 20s")
        check(" ok" in output, f"the sweep prints {output[-1000:]}")


@contextlib.contextmanager
def fresh_root(release, folder):
    """A copy of the root, which is gone afterwards."""
    path = folder / f"{release}-{time.monotonic_ns()}"
    subprocess.run(["cp", "-a", "--reflink=auto", debian_root(release), path], check=True)
    try:
        with Root(path).prepared() as root:
            yield root
    finally:
        shutil.rmtree(path)


def debian_root(release):
    """Made once, below the build folder; without recommended packages."""
    path = BUILD / f"empty-{release}"
    if not (path / "complete").exists():
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", release, path], check=True, stdout=subprocess.DEVNULL)
        (path / "complete").touch()
    return path


def package_in(release, sweeps=True):
    """The check of the Debian package and of the tarball in an empty root of that release."""
    def check_package(folder):
        _, package, tarball = built_packages(folder)
        install = "apt-get -q -y install --no-install-recommends"
        with fresh_root(release, folder) as root:
            root.run("apt-get -q update")
            shutil.copy(package, root.path / "home" / "check0")
            shutil.copy(tarball, root.path / "home" / f"check{NOBODY}")
            root.run(f"dpkg -i {package.name}")
            unpacked = tarball.name.removesuffix(".tar.gz")
            root.run(f"tar xf {tarball.name}", user=NOBODY)
            programs = ("dwarfsweep", f"{unpacked}/bin/dwarfsweep")
            for program in programs:
                output = root.run(f"{program} devices", user=NOBODY, expected=3)
                check("there is no OpenCL device; install one" in output, f"without a device: {output}")
            if sweeps:
                root.run(f"{install} pocl-opencl-icd ocl-icd-libopencl1 python3-pandas python3-matplotlib")
                for program in programs:
                    root.run("rm -rf run plots", user=NOBODY)
                    sweep_and_plot(root, program, f"{program}-plot")
    check_package.__name__ = f"package_in_{release}"
    return check_package


if os.getuid() != 0 or not shutil.which("debootstrap"):
    print("the packages are tried in roots that debootstrap makes, as root: skipped")
    sys.exit(77)
# PoCL 1.6 of bullseye has a compiler that does not know recent processors.
run_checks([source_in_bookworm, source_in_bullseye, containerfile, wheel_in_debian_11("pocl"), wheel_in_debian_11("intel"), wheel_in_bookworm,
            package_in("bookworm"), package_in("bullseye", sweeps=False)])
