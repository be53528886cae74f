"""slurm_test.py PROGRAM: the commands of app/README.md that share a corpus out among processes, run as they are written there.

A Slurm of its own (munged, slurmctld and slurmd on the loopback, in a temporary folder; as root or as an ordinary user) runs the array of the README: one
task is stopped in the middle and requeued, another is killed and requeued; merged, the shards must be the bytes of one run. The same for GNU parallel. The lines for
Ray are compiled. All daemons are ended, whatever happens. Fails where Slurm cannot be started."""
import ctypes
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = 2400  # two passages of the generator each; about a second of computing for each shard
DEADLINE = time.monotonic() + 170
REQUEUED, KILLED = 3, 5  # tasks of the array
DAEMONS = ("munged", "slurmctld", "slurmd")

# Found on PATH before the program itself. The first attempt of two tasks ends when it has computed for a third of a second: one is stopped until Slurm
# ends it, as it does with every job that is requeued, the other is killed as if its machine had failed.
SHIM = """#!/bin/bash
first=$([ -z "$SLURM_RESTART_COUNT" ] && echo yes)
if [ "$first" != yes ] || { [ "$SLURM_ARRAY_TASK_ID" != REQUEUED ] && [ "$SLURM_ARRAY_TASK_ID" != KILLED ]; }; then exec PROGRAM "$@"; fi
PROGRAM "$@" &
own=$!
ticks() { awk '{ sub(/.*\\) /, ""); print $12 + $13 }' /proc/$own/stat 2>/dev/null; }
while used=$(ticks) && [ -n "$used" ] && [ "$used" -lt 30 ]; do sleep 0.02; done
if [ "$SLURM_ARRAY_TASK_ID" = KILLED ]; then kill -KILL $own; else kill -STOP $own; touch stopped; fi
wait $own
"""

CONFIG = """
ClusterName=headlight
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoAddrCache
StateSaveLocation={folder}/controller
SlurmdSpoolDir={folder}/node
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
PropagateResourceLimits=NONE
ReturnToService=2
KillWait=20
MinJobAge=600
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 Port={node_port} CPUs=8 State=UNKNOWN
PartitionName=all Nodes=node Default=YES MaxTime=INFINITE State=UP
"""


class Failure(Exception):
    """What went wrong, in words."""


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


def run(command, **options):
    left = DEADLINE - time.monotonic()
    check(left > 0, f"no time left for: {command}")
    try:
        found = subprocess.run(command, shell=isinstance(command, str), executable="/bin/bash" if isinstance(command, str) else None,
                               capture_output=True, text=True, timeout=left, check=False, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"took too long: {command}") from None
    check(found.returncode == 0, f"ended with {found.returncode}: {command}\n{found.stdout[-1000:]}{found.stderr[-2000:]}")
    return found.stdout


def wait_until(holds, sentence, seconds=60):
    end = min(DEADLINE, time.monotonic() + seconds)
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.2)
    raise Failure(sentence)


def readme_block(first_words):
    """The line of app/README.md that begins so, or the block of Python that holds it."""
    text = (ROOT / "app" / "README.md").read_text()
    for block in re.findall(r"```(?:py|text|sh)\n(.*?)```", text, re.S):
        if first_words == "import ray" and "import glob, subprocess, ray" in block:
            return block
        for line in block.splitlines():
            if line.startswith(first_words):
                return line
    raise Failure(f"app/README.md has no line that begins with: {first_words}")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def descendants():
    """Processes that this one started, directly or not: it adopts those whose parents ended."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
    found, new = set(), {os.getpid()}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


class Slurm:
    """munged, slurmctld and slurmd in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))

    def start(self):
        missing = [name for name in (*DAEMONS, "sbatch") if self.path_of(name) is None]
        check(not missing, f"not installed: {', '.join(missing)} (third_party/setup.sh all)")
        for name in ("controller", "node"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        controller_port, node_port = free_ports(2)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        config = CONFIG.format(folder=self.folder, host=socket.gethostname().split(".")[0], user=user, controller_port=controller_port,
                               node_port=node_port)
        (self.folder / "slurm.conf").write_text(config)
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        self.launch("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                    f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                    f"--seed-file={self.folder}/munged.seed", "--num-threads=2")
        wait_until(lambda: (self.folder / "munge.socket").exists(), "munged made no socket", 20)
        self.launch("slurmctld", "-D", "-i", "-f", self.environment["SLURM_CONF"])
        self.launch("slurmd", "-D", "-N", "node", "-f", self.environment["SLURM_CONF"])
        wait_until(self.is_idle, "the node did not come up", 60)

    def path_of(self, name):
        return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/local/sbin")

    def launch(self, name, *options):
        with open(self.folder / f"{name}.out", "wb") as output:
            self.daemons.append(subprocess.Popen([self.path_of(name), *options], stdin=subprocess.DEVNULL, stdout=output,
                                                 stderr=subprocess.STDOUT, env=self.environment, start_new_session=True))

    def is_idle(self):
        for daemon in self.daemons:
            check(daemon.poll() is None, f"{daemon.args[0]} ended with {daemon.returncode}")
        found = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True, env=self.environment, check=False)
        return found.stdout.strip() == "idle"

    def states(self, job):
        """Task of an array: its state, such as COMPLETED."""
        found = run(["squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%K %T"], env=self.environment)
        return dict(line.split() for line in found.splitlines())

    def logs(self):
        for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")):
            yield f"-- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:])

    def stop(self):
        """Ends the daemons and what they started, politely and then surely."""
        for daemon in reversed(self.daemons):
            daemon.terminate()
        end = time.monotonic() + 10
        while descendants() and time.monotonic() < end:
            self.reap()
            time.sleep(0.1)
        for process in descendants():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.1)
        self.reap()

    @staticmethod
    def reap():
        try:
            while os.waitpid(-1, os.WNOHANG)[0] > 0:
                pass
        except ChildProcessError:
            pass


def write_texts(path):
    """Passages of the built-in models' generator in another order, some of them twice."""
    passages = (ROOT / "tests" / "reference" / "studies" / "sentences.txt").read_text().splitlines()
    chosen = random.Random(15)
    path.write_text("".join(" ".join(chosen.sample(passages, 2)) + "\n" for _ in range(TEXTS)))


def write_shim(folder, program):
    tools = folder / "bin"
    tools.mkdir()
    shim = SHIM.replace("REQUEUED", str(REQUEUED)).replace("KILLED", str(KILLED)).replace("PROGRAM", f"'{program}'")
    (tools / "headlight").write_text(shim)
    (tools / "headlight").chmod(0o755)
    return str(tools)


def merged_equals(name, whole, merge, **options):
    for ending in ("csv", "study"):
        run(merge.replace("heads.csv", f"{name}.{ending}"), **options)
        found = (options["cwd"] / f"{name}.{ending}").read_bytes()
        check(found == whole[ending], f"{name}: the merged .{ending} is not that of one run")
    print(f"   {name}: merged, equal to one run ({len(whole['study'])} bytes)")


def array_of_slurm(slurm, work, tools, whole):
    environment = dict(slurm.environment, PATH=f"{tools}:{os.environ['PATH']}")
    line = readme_block("sbatch ")
    tasks = int(re.search(r"--array=1-(\d+)", line)[1])
    check(tasks >= 8, "the array of the README has fewer than 8 tasks")
    job = re.search(r"\d+", run(line, cwd=work, env=environment))[0]
    wait_until(lambda: (work / "stopped").exists(), f"task {REQUEUED} did not get as far as to be stopped", 90)
    check(slurm.states(job).get(str(REQUEUED)) == "RUNNING", f"task {REQUEUED} does not run")
    run(["scontrol", "requeue", f"{job}_{REQUEUED}"], env=environment)
    wait_until(lambda: slurm.states(job).get(str(KILLED)) not in ("RUNNING", "PENDING"), f"task {KILLED} did not fail", 60)
    check(slurm.states(job).get(str(KILLED)) == "FAILED", f"task {KILLED} was killed and is {slurm.states(job).get(str(KILLED))}")
    run(["scontrol", "requeue", f"{job}_{KILLED}"], env=environment)
    wait_until(lambda: list(slurm.states(job).values()) == ["COMPLETED"] * tasks, "the array did not finish", 120)
    said = (work / f"slurm-{job}_{REQUEUED}.out").read_text()
    gone_on = re.search(r"going on where the run before stopped, after (\d+) records", said)
    check(gone_on is not None and int(gone_on[1]) > 0, f"task {REQUEUED} began anew:\n{said}")
    print(f"   task {REQUEUED} was requeued and went on after {gone_on[1]} records, task {KILLED} was killed and requeued; {tasks} shards")
    check(not list(work.glob("*.state")), "a state file is left")
    merged_equals("slurm", whole, readme_block("headlight merge part-*.study"), cwd=work, env=environment)


def shards_of_parallel(work, tools, whole):
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", HOME=str(work))
    check(shutil.which("parallel"), "not installed: parallel (third_party/setup.sh all)")
    for path in work.glob("part-*"):
        path.unlink()
    run(readme_block("parallel "), cwd=work, env=environment)
    merged_equals("parallel", whole, readme_block("headlight merge part-*.study"), cwd=work, env=environment)


def shards_of_ray():
    block = readme_block("import ray")
    compile(block, "app/README.md", "exec")
    lines = [line for line in block.splitlines() if line.strip() and not line.startswith("import")]
    check(len(lines) <= 10, "the lines for Ray have grown beyond ten")
    print("   Ray: the lines compile")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: daemons' children come back here
    folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-slurm-"))
    slurm = Slurm(folder)
    work = folder / "work"
    work.mkdir()
    try:
        write_texts(work / "sentences.txt")
        tools = write_shim(folder, program)
        slurm.start()
        whole = {}
        for ending in ("study", "csv"):
            run([program, "heads", "-m", "story-gpt", "--texts", "sentences.txt", "-o", f"whole.{ending}"], cwd=work)
            whole[ending] = (work / f"whole.{ending}").read_bytes()
        array_of_slurm(slurm, work, tools, whole)
        shards_of_parallel(work, tools, whole)
        shards_of_ray()
        return 0
    except Failure as failure:
        print(f"slurm: {failure}", file=sys.stderr)
        for log in slurm.logs():
            print(log, file=sys.stderr)
        for path in sorted(work.glob("slurm-*.out")):
            print(f"-- {path.name}\n{path.read_text(errors='replace')[-500:]}", file=sys.stderr)
        return 1
    finally:
        slurm.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
