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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:17:54+00:00','','{"budget": "16777216", "id": "4203fbebe4ad3c62a33ac77392bb19a6", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','0eceb6d4a48910dfdf642a6ad863934cd9be3e5f0671dfa45473fb5d3cfcae74');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:17:54+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','0eceb6d4a48910dfdf642a6ad863934cd9be3e5f0671dfa45473fb5d3cfcae74','53d7824aecf94b7a67128a10541270cd9039b88f50f55d9b5798799cae3a9972');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:17:54+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','53d7824aecf94b7a67128a10541270cd9039b88f50f55d9b5798799cae3a9972','b915dd17a4eed75d774524a8e030e03e2e4c2ea22b73992dae3b64b28f1c19dd');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:17:54+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": ["1"]}], "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','b915dd17a4eed75d774524a8e030e03e2e4c2ea22b73992dae3b64b28f1c19dd','48a5fc7c212e17260294e300e990186a7790035c2df843e07462c882e58a45ad');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:17:54+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','48a5fc7c212e17260294e300e990186a7790035c2df843e07462c882e58a45ad','20ed341ff208f3e42f6f3f1c97f47965ec28a413ce4f2d506ce044d3941602dc');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'ask','2026-11-16T03:17:54+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "1", "paid": [], "cells": {}}','20ed341ff208f3e42f6f3f1c97f47965ec28a413ce4f2d506ce044d3941602dc','7cd7e1e38ae1389551a1114a97d7b614a0d3561e1b6a37720049e2deceb0fb32');
COMMIT;
