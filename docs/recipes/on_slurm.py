"""Levels on a SLURM cluster: workers as jobs, by dask-jobqueue. Run this where jobs are submitted.

    pip install '.[cluster]' dask-jobqueue     # in a clone of puzzlemc
    python on_slurm.py LEVELS… --store levels.sqlite

The store stays here, with this process; jobs see levels and send answers. A job that ends or is lost is replaced,
and its levels are solved by another. If this process ends, start it again: it goes on.
"""

import subprocess
import sys

from dask_jobqueue import SLURMCluster

JOBS = 20

if __name__ == "__main__":
    cluster = SLURMCluster(
        cores=8,  # levels at a time in a job: each has a process of its own beside the Dask worker
        processes=1,
        memory="40GB",  # what all these levels may take, 4 GiB each, and the interpreter
        walltime="04:00:00",
        worker_extra_args=["--lifetime", "3h50m", "--lifetime-stagger", "5m"],  # ends in order, before it is ended
    )
    cluster.adapt(minimum_jobs=1, maximum_jobs=JOBS)
    command = ["puzzlemc", "batch", *sys.argv[1:], "--cluster", cluster.scheduler_address]
    sys.exit(subprocess.run(command, check=False).returncode)
