"""Runs inside the peers' environment: Gács–Körner common information of a joint range, uniform on it."""

import json
import sys
import time

import dit
from dit.multivariate import gk_common_information

pairs = json.load(sys.stdin)
joint = dit.Distribution(["".join(pair) for pair in pairs], [1 / len(pairs)] * len(pairs))
start = time.perf_counter()
value = gk_common_information(joint, [[0], [1]])
print(json.dumps({"bits": float(value), "seconds": time.perf_counter() - start, "version": dit.__version__}))
