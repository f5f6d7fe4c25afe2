"""A Slurm cluster of three nodes on this machine, each with one device: munged, slurmctld and three slurmd of Debian's
packages, without systemd. For tests; needs root.

A job that is requeued waits until its old credential has expired, by default two minutes: here 15 seconds."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
NODES = ("north", "east", "south")

CONFIGURATION = """
ClusterName=check
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=15
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmctldPort={port}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=300
KillWait=5
MinJobAge=300
SchedulerParameters=sched_interval=1,batch_sched_delay=0,requeue_delay=0
GresTypes=gpu
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


def why_not():
    """Why there can be no cluster here; empty: there can."""
    missing = [name for name in PROGRAMS if not find(name)]
    if missing:
        return f"Slurm is not installed: {', '.join(missing)} missing (Debian: slurmctld slurmd slurm-client munge)"
    return "" if os.geteuid() == 0 else "Slurm's daemons are started as root here"


def find(name):
    return shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin")


def free_port():
    with socket.socket() as taken:
        taken.bind(("", 0))
        return taken.getsockname()[1]


class Cluster:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / "slurm"
        self.processes = {}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.folder.mkdir()
        self.folder.chmod(0o755)
        host = socket.gethostname().split(".")[0]
        cpus = os.cpu_count()
        # A device of its own for each node; what stands for it need not be one.
        lines = [f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={free_port()} CPUs={cpus} Gres=gpu:1 State=UNKNOWN"
                 for node in NODES]
        self.write("slurm.conf", CONFIGURATION.format(folder=self.folder, host=f"{host}(127.0.0.1)", port=free_port(),
                                                      nodes="\n".join(lines)))
        self.write("gres.conf", "".join(f"NodeName={node} Name=gpu File=/dev/null\n" for node in NODES))
        self.write("cgroup.conf", "CgroupPlugin=autodetect\n")
        for name in ("state", *(f"spool.{node}" for node in NODES)):
            (self.folder / name).mkdir()
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.begin("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", f"--key-file={key}",
                   f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log",
                   f"--seed-file={self.folder}/munge.seed")
        self.wait(lambda: (self.folder / "munge.socket").exists(), "munged")
        self.begin("slurmctld", "-D", "-i")
        for node in NODES:
            self.begin("slurmd", "-D", "-N", node, key=node)
        self.wait(lambda: self.say("sinfo", "--noheader", "-N", "-o", "%T").split() == ["idle"] * len(NODES), "idle nodes")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def begin(self, program, *arguments, key=None):
        log = open(self.folder / f"{key or program}.out", "wb")
        self.processes[key or program] = subprocess.Popen([find(program), *arguments], stdout=log, stderr=log,
                                                          start_new_session=True)

    def wait(self, condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            dead = [name for name, process in self.processes.items() if process.poll() is not None]
            if dead or time.monotonic() > deadline:
                logs = "\n".join(path.read_text(errors="replace")[-600:] for path in sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"no {what}{': ended are ' + ', '.join(dead) if dead else ''}\n{logs}")
            time.sleep(0.1)

    def say(self, *command):
        return subprocess.run(command, capture_output=True, text=True).stdout

    def stop(self):
        for name in (*NODES, "slurmctld", "munged"):
            process = self.processes.pop(name, None)
            if process is None:
                continue
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
