"""Runs inside the peers' environment: scikit-learn's uniform bins, transform only."""

import json
import sys
import time

import numpy as np
import sklearn
from sklearn.preprocessing import KBinsDiscretizer

task = json.load(sys.stdin)
values = np.random.default_rng(0).random(task["samples"]) * (task["high"] - task["low"]) + task["low"]
bins = KBinsDiscretizer(task["levels"], encode="ordinal", strategy="uniform", subsample=None)
bins.fit(np.array([[task["low"]], [task["high"]]], dtype=float))
start = time.perf_counter()
bins.transform(values.reshape(-1, 1))
print(json.dumps({"seconds": time.perf_counter() - start, "version": sklearn.__version__}))
