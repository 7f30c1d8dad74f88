BEGIN TRANSACTION;
CREATE TABLE noiseless_entries (
	dataset TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	time TEXT NOT NULL, 
	analyst TEXT NOT NULL, 
	body TEXT NOT NULL, 
	previous TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (dataset, number)
);
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T04:44:02+00:00','','{"format": "2", "budget": "16777216", "id": "a5868a21df9a0916fc5f38d6eeceadaf", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": "", "cells": ["[]"]}','0000000000000000000000000000000000000000000000000000000000000000','0626b6f89ce1c6573e5552e8205c0be2707aad6de0a5d700daeecbe34a093740');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T04:44:02+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": [["7", "1"]]}], "factor": "4", "paid": [{"release": {"kind": "total", "condition": ["every"], "reads": [], "changes": "0", "column": "weight"}, "parts": [["0", "7"]]}], "charged": [["0", "4", {"weight": "7"}]]}','0626b6f89ce1c6573e5552e8205c0be2707aad6de0a5d700daeecbe34a093740','13651b6b9e7deb01626eb8d79ff20f4883975baf365118abce1162940cd6f4ee');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T04:44:02+00:00','alice','{"ask": "1", "released": [{"release": {"kind": "total", "condition": ["every"], "reads": [], "changes": "0", "column": "weight"}, "width": "7", "parts": ["0"], "numbers": "4"}]}','13651b6b9e7deb01626eb8d79ff20f4883975baf365118abce1162940cd6f4ee','4f652e38e95fd8bc5a71cc287d989ef84ced26e566e215fa20111d93da1e874e');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T04:44:02+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": [["1", "1"]]}], "factor": "3", "paid": [{"release": {"kind": "histogram", "condition": ["every"], "reads": [], "changes": "0", "column": "illness"}, "parts": [["0", "1"]]}], "charged": [["0", "3", {"illness": "1"}]]}','4f652e38e95fd8bc5a71cc287d989ef84ced26e566e215fa20111d93da1e874e','2d7300219473496cfed4650f894e9a337d6931357ff569595cba256fdb990c82');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T04:44:02+00:00','owner','{"ask": "3", "released": [{"release": {"kind": "histogram", "condition": ["every"], "reads": [], "changes": "0", "column": "illness"}, "width": "1", "parts": ["0"], "numbers": "1,2,1"}]}','2d7300219473496cfed4650f894e9a337d6931357ff569595cba256fdb990c82','4e09b7754f3e3c52f8ce3fdc1a7496bbc93b365f7d8bd3cd68942bf1b0db059a');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'release','2026-11-16T04:44:02+00:00','owner','{"questions": [{"text": "RELEASE illness, weight, height", "widths": []}], "factor": "112", "paid": [{"release": {"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "flu", "cough"], "answers": "3"}], "policies": [{"columns": ["weight", "height"], "policy": "Shift", "changes": "weight", "boundary": "0 0 1/400", "error": "20", "epsilon": "0.44827586206896547", "charged as": "336"}], "seen": ""}, "parts": [["", "1"]]}], "charged": [["0", "112", {}]]}','4e09b7754f3e3c52f8ce3fdc1a7496bbc93b365f7d8bd3cd68942bf1b0db059a','04633fb99144e4fcaf696b1e4ec9d56c25e5c9339e79b4a874c846612710ee0f');
COMMIT;
