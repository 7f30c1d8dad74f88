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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:17:48+00:00','','{"budget": "16777216", "id": "254e16b100821f3b2828992dfe23a3ee", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','5c2d6cdd54bf051b5ef46c33729acec98c9e05eeadafc73bdb5f4dffad682dba');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:17:48+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','5c2d6cdd54bf051b5ef46c33729acec98c9e05eeadafc73bdb5f4dffad682dba','af05b7adc66d9b3df476603b5c1892f3a119252045a11ca6478fee878ee0411d');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:17:48+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','af05b7adc66d9b3df476603b5c1892f3a119252045a11ca6478fee878ee0411d','4092b46a2728107043cce0de52e663f345e0270824e9a689659d43ab8e8ac09f');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:17:48+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": ["1"]}], "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','4092b46a2728107043cce0de52e663f345e0270824e9a689659d43ab8e8ac09f','f35b76e60a69c982285b5b826058469863457f3293fc6c7f7a6d4e0688fad358');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:17:48+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','f35b76e60a69c982285b5b826058469863457f3293fc6c7f7a6d4e0688fad358','1bd5bdde7bb8b1281eed83f595815f4874e677c3c71f12e1777214522d122807');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'ask','2026-11-16T03:17:48+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "1", "paid": [], "cells": {}}','1bd5bdde7bb8b1281eed83f595815f4874e677c3c71f12e1777214522d122807','abd98a936788acd2fce8c1469617e4f21882fce71c74460cf3ffe8e5aadc717e');
COMMIT;
