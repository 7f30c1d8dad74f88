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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:18:06+00:00','','{"budget": "16777216", "id": "cb6b03d86dc74e2a37507ef4ee6994f0", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','feeae89237aedde748b91d150167cee8839565153579df2104e2858dad150294');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:18:06+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','feeae89237aedde748b91d150167cee8839565153579df2104e2858dad150294','cb12fcaa29d1d3c098dd53c51829be655de2a114e042c831aa270243611fa1c3');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:18:06+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','cb12fcaa29d1d3c098dd53c51829be655de2a114e042c831aa270243611fa1c3','a99ebdbeea142e555cd937330d456a29912ebdf4b3857ffc7bbb473458f9ad85');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:18:06+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": ["1"]}], "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','a99ebdbeea142e555cd937330d456a29912ebdf4b3857ffc7bbb473458f9ad85','0d5d19389a2e8b009641b12f654dc3e72747dcb6f7011fd66fa3f311d6ef2410');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:18:06+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','0d5d19389a2e8b009641b12f654dc3e72747dcb6f7011fd66fa3f311d6ef2410','56542245076a4767e2d77072412020c6df227f2448f0507e7b405c755189735e');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'release','2026-11-16T03:18:06+00:00','owner','{"questions": [{"text": "RELEASE illness, weight, height", "widths": []}], "factor": "112", "paid": [[{"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "flu", "cough"], "answers": "3"}], "policies": [{"columns": ["weight", "height"], "policy": "Shift", "changes": "weight", "error": "20", "epsilon": "0.6477695416947609", "charged as": "336"}]}, "1"]], "cells": {"[]": {"product": "1344", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','56542245076a4767e2d77072412020c6df227f2448f0507e7b405c755189735e','41d23489fd96efce4c46c2ded164ed9e5a8c39ab249b128d474d0a5390932b02');
INSERT INTO "noiseless_entries" VALUES('sizes',6,'ask','2026-11-16T03:18:06+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "1", "paid": [], "cells": {}}','41d23489fd96efce4c46c2ded164ed9e5a8c39ab249b128d474d0a5390932b02','f2e50bf4b867f7efb6db02783d71f96d77cf2e4747e4813fff0186f7f4a14050');
COMMIT;
