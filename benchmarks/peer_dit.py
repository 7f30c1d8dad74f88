"""Runs inside the peers' environment: Gács–Körner common information of a weighted joint range."""

import json
import sys
import time

import dit
from dit.multivariate import gk_common_information

weights = json.load(sys.stdin)
joint = dit.Distribution(list(weights), list(weights.values()))
start = time.perf_counter()
value = gk_common_information(joint, [[0], [1]])
print(json.dumps({"bits": float(value), "seconds": time.perf_counter() - start, "version": dit.__version__}))
