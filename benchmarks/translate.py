"""Translates problems in PDDL to tasks in the format of planners, by the package `fast-downward-translate`."""

import subprocess
import sys
from pathlib import Path


class NotTranslated(Exception):
    """There is no task; the text says why."""


def translate(domain: Path, problem: Path, task: Path, seconds: float | None = None) -> None:
    """Write the task of a problem into a file, in at most these seconds. Raises NotTranslated."""
    part = task.absolute().with_suffix(".part")
    files = "--sas-file", str(part), str(domain.absolute()), str(problem.absolute())
    command = [sys.executable, "-m", "fast_downward.translate", *files]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
        if done.returncode:
            said = (done.stdout + done.stderr).strip().splitlines()
            raise NotTranslated(said[-1] if said else f"the translator has ended with code {done.returncode}")
        part.replace(task)
    except subprocess.TimeoutExpired:
        raise NotTranslated(f"not translated in {seconds} s") from None
    finally:
        part.unlink(missing_ok=True)
