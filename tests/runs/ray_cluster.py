"""A Ray head and a second node, each with one worker, on 127.0.0.1 alone, for as long as stdin is
open. A line `lose` kills the second node, `join` starts another."""

from __future__ import annotations

import os
import sys

LOCAL = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Else Ray takes the machine's outer address for 127.0.0.1 and listens there.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    # Else workers stand back behind all that runs beside the test.
    "RAY_worker_niceness": "0",
}


def main():
    os.environ.update(LOCAL)
    from ray.cluster_utils import Cluster

    def joined(**more):
        return cluster.add_node(
            node_ip_address="127.0.0.1", num_cpus=1, object_store_memory=80 * 2**20, **more
        )

    cluster = Cluster()
    joined(include_dashboard=False)
    second = joined()
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line.strip() == "lose":
            cluster.remove_node(second, allow_graceful=False)
        else:
            second = joined()
        print("done", flush=True)


if __name__ == "__main__":
    main()
