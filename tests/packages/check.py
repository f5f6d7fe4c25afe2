#!/usr/bin/env python3
"""The packages as their users meet them, in Debian roots without a compiler and without OpenCL: the wheel as an ordinary
user, with each of its OpenCL runtimes; the Debian package and the tarball. Needs root, debootstrap, the network; ends with 77 without."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys

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
                       "PIP_CERT": "/etc/ssl/certs/ca-certificates.crt"}
        script = ('for each in proc sys dev; do mkdir -p "$0/$each"; mount --rbind "/$each" "$0/$each"; done; '
                  'exec chroot --userspec="$1:$1" "$0" sh -ec "cd; $2"')
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script, str(self.path), user, command], env=environment,
                              capture_output=True, text=True, check=False)
        output = done.stdout + done.stderr
        check(done.returncode == expected, f"{command} ended with {done.returncode}: {output[-3000:]}")
        return output

    @contextlib.contextmanager
    def prepared(self):
        """The root with this machine's way to the network, and an empty home for each user."""
        # As given here: a mirror or a proxy may have a certificate of its own.
        for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/pip.conf"):
            if os.path.exists(f"/{name}"):
                (self.path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(f"/{name}", self.path / name)
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


def build_wheel(folder):
    subprocess.run([SOURCE / "packaging" / "wheel.sh", folder / "wheels", BUILD], check=True, stdout=subprocess.DEVNULL)
    wheels = list((folder / "wheels").iterdir())
    check(len(wheels) == 1 and "-py3-none-manylinux_2_" in wheels[0].name, f"the wheels are {wheels}")
    return [wheels[0]]


def sweep_and_plot(root, command, plot):
    """A sweep of 20 s as an ordinary user, and its plots."""
    output = root.run(f"{command} sweep --budget 20s --out run", user=NOBODY)
    check(" ok" in output, f"the sweep prints {output[-1000:]}")
    plots = root.run(f"{plot} run --out plots", user=NOBODY)
    check("plots/overview" in plots, f"dwarfsweep-plot prints {plots}")


def wheel_in_debian_11(extra):
    """The check of the wheel with one of its extras."""
    def check_wheel(_folder, wheel, *_):
        with Root(BUILD / "debian11").prepared() as root:
            # Left by a check that was ended.
            root.run("if command -v ld; then apt-get -q -y purge binutils-common; fi")
            shutil.copy(wheel, root.path / "home" / f"check{NOBODY}")
            root.run(f"python3 -m venv venv && venv/bin/pip install -q ./{wheel.name}", user=NOBODY)
            output = root.run("venv/bin/dwarfsweep devices", user=NOBODY, expected=3)
            check("there is no OpenCL device; install one" in output, f"without a device: {output}")
            output = root.run("venv/bin/dwarfsweep-plot run", user=NOBODY, expected=1)
            check("dwarfsweep[plots]" in output, f"without pandas: {output}")
            root.run(f"venv/bin/pip install -q './{wheel.name}[{extra},plots]'", user=NOBODY)
            if extra == "pocl":
                output = root.run("venv/bin/dwarfsweep devices", user=NOBODY, expected=3)
                check("install binutils" in output, f"PoCL without a linker: {output}")
                root.run("apt-get -q update && apt-get -q -y install --no-install-recommends binutils")
            sweep_and_plot(root, "venv/bin/dwarfsweep", "venv/bin/dwarfsweep-plot")
    check_wheel.__name__ = f"wheel_with_{extra}_in_debian_11"
    return check_wheel


def build_packages(folder):
    wheel = build_wheel(folder)
    packages = folder / "packages"
    subprocess.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", packages], check=True, stdout=subprocess.DEVNULL)
    return wheel + [next(packages.glob("*.deb")), next(packages.glob("*.tar.gz"))]


def debian_root(release):
    """Made once, below the build folder; without recommended packages."""
    path = BUILD / f"root-{release}"
    if not (path / "complete").exists():
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", release, path], check=True, stdout=subprocess.DEVNULL)
        (path / "complete").touch()
    return Root(path)


def package_in(release, sweeps=True):
    """The check of the Debian package and of the tarball in an empty root of that release."""
    def check_package(_folder, _wheel, package, tarball):
        install = "apt-get -q -y install --no-install-recommends"
        with debian_root(release).prepared() as root:
            # Left by an earlier check; dpkg only warns if the package is not installed.
            root.run("apt-get -q update && dpkg --purge dwarfsweep && apt-get -q -y purge ocl-icd-libopencl1 && apt-get -q -y autoremove")
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
run_checks([wheel_in_debian_11("pocl"), wheel_in_debian_11("intel"), package_in("bookworm"), package_in("bullseye", sweeps=False)],
           build_packages)
