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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:17:43+00:00','','{"budget": "16777216", "id": "4857100eeb78c75305aef4fb6348f016", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','25ce93a56ac70c8bf4de6c126e4487c06486bdfe5e02e39fa42a3027a13c954e');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:17:43+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','25ce93a56ac70c8bf4de6c126e4487c06486bdfe5e02e39fa42a3027a13c954e','241e36d3b9dd7eea285a596d6e073d838511c18bec9464c9c08418b8d7d2dde8');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:17:43+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','241e36d3b9dd7eea285a596d6e073d838511c18bec9464c9c08418b8d7d2dde8','af057d415cfa1414a7fee97c4584ff41491f84869746551498e8fac9d9b66eba');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:17:43+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": ["1"]}], "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','af057d415cfa1414a7fee97c4584ff41491f84869746551498e8fac9d9b66eba','70e64a9ca264ab1e6ae8fc4fb035787a10f99eb7fe9974ddd6ab1c85f5230221');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:17:43+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','70e64a9ca264ab1e6ae8fc4fb035787a10f99eb7fe9974ddd6ab1c85f5230221','ed431712bcd8804f3d63e1696549a5ff6ea792f011a392157806886472082d64');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'ask','2026-11-16T03:17:43+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "1", "paid": [], "cells": {}}','ed431712bcd8804f3d63e1696549a5ff6ea792f011a392157806886472082d64','78f7c823b2f0321611c9ba227faf4ebe7057abc71f27b7acecdb40be6a07786a');
COMMIT;
