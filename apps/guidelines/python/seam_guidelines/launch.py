"""The runs of a campaign, and its archive: commands for the shell."""

import datetime
import shlex
import subprocess
import sys
import time

from .environment import filled_in
from .folder import Folder, KernelRun
from .placed import UsageError
from .program import Program
from .results import is_done

GRACE = 10  # between SIGTERM and SIGKILL [s]
LONGEST_IN_QUEUE = 30 * 24 * 3600  # [s]
LONGEST_ARCHIVE = 3600  # [s]


def make_runs(made: Folder, program: Program) -> int:
    """Makes all runs whose results are not there, or submits the job scripts if the environment says so.

    Prints a line with the time left after each run. A run that fails or takes too long is left as it is,
    with a line that says so, and the next begins. Returns the number of runs that are still not done.
    """
    runs = _open_runs(made)
    if runs and made.environment.submit:
        _submit(made)
    else:
        begin = time.monotonic()
        for number, run in enumerate(runs, 1):
            _make_run(made, run, program)
            left = (time.monotonic() - begin) / number * (len(runs) - number)
            share = f"{number}/{len(runs)} {100 * number // len(runs)}%"
            _say(f"{made.campaign.name}: runs {share}, {datetime.timedelta(seconds=round(left))} left")
    return len(_open_runs(made))


def make_archive(made: Folder) -> None:
    """Keeps the folder in an archive beside it."""
    folder = ["-C", str(made.place.parent), made.place.name]
    values = {"archive": shlex.quote(f"{made.place}.tar.gz"), "folder": shlex.join(folder)}
    command = filled_in(made.environment.archive, values)
    if run_in_shell(command, LONGEST_ARCHIVE) != 0:
        raise UsageError(f"archive: '{command}' failed")


def run_in_shell(command: str, seconds: float) -> int | None:
    """Runs a command to its end, or ends it after some seconds: by SIGTERM, on which launchers end their
    processes, and later by SIGKILL. Returns its exit code; None if it was ended."""
    with subprocess.Popen(["/bin/sh", "-c", f"exec {command}"]) as child:
        try:
            code = child.wait(seconds)
            return code if code >= 0 else 128 - code  # as shells say that a signal has ended it
        except subprocess.TimeoutExpired:
            child.terminate()
        try:
            child.wait(GRACE)
        except subprocess.TimeoutExpired:
            child.kill()
    return None


def _open_runs(made: Folder) -> list[KernelRun]:
    return [run for run in made.runs() if not is_done(run)]


def _make_run(made: Folder, run: KernelRun, program: Program) -> None:
    minutes = made.campaign.minutes
    code = run_in_shell(made.command_of(run, program) + " >/dev/null", 60 * minutes)
    if code is None:
        _say(f"{run} was ended after {minutes} minutes; it goes on when the campaign is resumed")
    elif code != 0:
        _say(f"{run} ended with exit code {code}")


def _submit(made: Folder) -> None:
    longest = 60 * made.campaign.runs * made.campaign.minutes + LONGEST_IN_QUEUE
    for deployment in made.campaign.deployments:
        script = made.job_script(deployment)
        _say(f"{made.environment.submit} {script}")
        run_in_shell(f"{made.environment.submit} {shlex.quote(str(script))}", longest)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
