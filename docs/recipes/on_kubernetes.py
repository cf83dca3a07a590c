"""Levels on a Kubernetes cluster: workers as pods, by dask-kubernetes and its operator.

    helm install --repo https://helm.dask.org --create-namespace -n dask-operator \\
        --generate-name dask-kubernetes-operator
    pip install '.[cluster]' dask-kubernetes     # in a clone of puzzlemc
    python on_kubernetes.py LEVELS… --store levels.sqlite

IMAGE has Python and puzzlemc with its extra `cluster`, of the versions that run here:

    FROM python:3.12-slim
    COPY puzzlemc /src
    RUN apt-get update && apt-get install -y gcc git && pip install '/src[cluster]'
"""

import subprocess
import sys

from dask_kubernetes.operator import KubeCluster, make_cluster_spec

IMAGE = "registry.example.org/puzzlemc:latest"
WORKERS = 20


def spec() -> dict:
    """One thread and one level a pod."""
    resources = {"requests": {"cpu": "1", "memory": "5Gi"}, "limits": {"cpu": "1", "memory": "6Gi"}}
    found = make_cluster_spec(name="puzzlemc", image=IMAGE, n_workers=WORKERS, resources=resources)
    (worker,) = found["spec"]["worker"]["spec"]["containers"]
    worker["args"] += ["--nthreads", "1"]
    return found


if __name__ == "__main__":
    with KubeCluster(custom_cluster_spec=spec()) as cluster:
        command = ["puzzlemc", "batch", *sys.argv[1:], "--cluster", cluster.scheduler_address]
        sys.exit(subprocess.run(command, check=False).returncode)
