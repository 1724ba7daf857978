#!/usr/bin/env python3
"""Run the chapters on nodes of a Slurm cluster, which Dask gets and returns.

    .venv/bin/python book/cluster/slurm_dask.py --nodes 4 -- --preset M

Start it where sbatch works and the nodes reach this host.  What follows --
goes to scripts/run.py.  It needs dask-jobqueue.
"""

import argparse
import pathlib
import shlex
import shutil
import subprocess
import sys

from dask_jobqueue import SLURMCluster

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parse(arguments=None):
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--nodes", type=int, default=2, help="each runs a page at a time")
    add("--gpu", action="store_true", help="nodes with a GPU, one is used")
    add("--time", default="04:00:00", help="for which a node is asked")
    add("--partition", help="of which the nodes are")
    add("--interface", help="network by which they reach this host: ib0")
    add("--show", action="store_true", help="print the job, submit nothing")
    add("run", nargs="*", metavar="-- ...", help="what run.py gets")
    return parser.parse_args(arguments)


def make(options):
    """Return the cluster, without nodes: a scheduler in this process."""
    lab = shlex.quote(str(ROOT / "notebooks"))
    return SLURMCluster(
        job_name="onthefly",
        queue=options.partition,
        walltime=options.time,
        interface=options.interface,
        # One page at a time; its own threads take the node's processors.
        cores=1,
        processes=1,
        # The worker's own, which waits; a page has all of the node's.
        memory="4 GiB",
        job_mem="0",
        job_directives_skip=["--cpus-per-task"],
        # Nobody else computes where something is timed.
        job_extra_directives=[
            "--exclusive",
            "--nodes=1",
            *["--gpus-per-node=1"] * options.gpu,
        ],
        worker_extra_args=["--resources", "GPU=1"] if options.gpu else [],
        python=sys.executable,
        job_script_prologue=[f"export PYTHONPATH={lab}"],
        local_directory="/tmp",
        log_directory=str(ROOT / "_build" / "slurm"),
    )


def main():
    """Get the nodes, run the chapters there, and give the nodes back."""
    options = parse()
    if not options.show and shutil.which("sbatch") is None:
        print("slurm_dask.py: no sbatch here; repair: start it on a host of "
              "the cluster, or use --show", file=sys.stderr)  # fmt: skip
        return 2
    with make(options) as cluster:
        if options.show:
            print(cluster.job_script())
            return 0
        cluster.scale(jobs=options.nodes)
        print("waiting for a first node; Ctrl-C gives up", flush=True)
        cluster.wait_for_workers(1)
        line = [sys.executable, ROOT / "scripts" / "run.py"]
        line += ["--scheduler", cluster.scheduler_address, *options.run]
        return subprocess.call(line)


if __name__ == "__main__":
    sys.exit(main())
