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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:18:20+00:00','','{"budget": "16777216", "id": "01526ac4fe6ae38945888611561db35c", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','c7fa2ee48143943ba6ecf9a38bb9db726974df9e36fd5487d64b1d99b909509d');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:18:20+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','c7fa2ee48143943ba6ecf9a38bb9db726974df9e36fd5487d64b1d99b909509d','af908d2088ceacafaa188d988fa3806720c432991b4dea4287557f68c8e933a5');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:18:20+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','af908d2088ceacafaa188d988fa3806720c432991b4dea4287557f68c8e933a5','cbe479643cabf993014f706c034e648397e752a88122f67db9d7cc89b1980228');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:18:20+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": ["1"]}], "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','cbe479643cabf993014f706c034e648397e752a88122f67db9d7cc89b1980228','d63f3960f720e0d54415608862d8555bc1dadded2b3807b752f73150e3b5d419');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:18:20+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','d63f3960f720e0d54415608862d8555bc1dadded2b3807b752f73150e3b5d419','2d0ffc47458fe86cbd8999b4adece3fc66058cd67ecf045acde19f12da814d7f');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'release','2026-11-16T03:18:20+00:00','owner','{"questions": [{"text": "RELEASE illness, weight, height", "widths": []}], "factor": "112", "paid": [[{"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "flu", "cough"], "answers": "3"}], "policies": [{"columns": ["weight", "height"], "policy": "Shift", "changes": "weight", "boundary": "0 0 1/400", "error": "20", "epsilon": "0.6477695416947609", "charged as": "336"}]}, "1"]], "cells": {"[]": {"product": "1344", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','2d0ffc47458fe86cbd8999b4adece3fc66058cd67ecf045acde19f12da814d7f','76c8cfbae9c1f3099c83cdf81ba12136b6ec2d474bcecc1c89b85716f56ffa86');
INSERT INTO "noiseless_entries" VALUES('sizes',6,'ask','2026-11-16T03:18:21+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "1", "paid": [], "cells": {}}','76c8cfbae9c1f3099c83cdf81ba12136b6ec2d474bcecc1c89b85716f56ffa86','5357078fcd3a704005b256caa7d358a33a476121b803e209d49f960db8b9ae20');
COMMIT;
