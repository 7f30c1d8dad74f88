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
INSERT INTO "noiseless_entries" VALUES('groups',0,'open','2026-11-16T03:18:29+00:00','','{"budget": "256", "id": "eebcc2fae9a909fe9a29154412e75e77", "name": "groups", "schema": "\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n\n[columns.\"ward\"]\nkind = \"public\"\nkeys = [1, 2]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','ab15300a19f82c6b2636b4f3af51f7cb736d85e3e0643373e8dac9579c6227a4');
INSERT INTO "noiseless_entries" VALUES('groups',1,'ask','2026-11-16T03:18:29+00:00','owner','{"questions": [{"text": "SELECT COUNT(*) FROM groups WHERE illness = ''flu'' AND ward = 1", "widths": ["1"]}], "factor": "2", "paid": [[{"kind": "head count", "cells": "0", "rows": "2", "condition": ["within", "illness", [["1", "1"]]], "reads": ["illness"], "changes": "2", "whole": false, "counted": null}, "1"]], "cells": {"[1]": {"product": "2", "remaining": {"illness": "3"}}}}','ab15300a19f82c6b2636b4f3af51f7cb736d85e3e0643373e8dac9579c6227a4','dfc755c58f04da6a0c19d20c982c2a134f6d174e1256dcbe767a4623856c1a40');
INSERT INTO "noiseless_entries" VALUES('groups',2,'answer','2026-11-16T03:18:29+00:00','owner','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"2\",\"condition\":[\"within\",\"illness\",[[\"1\",\"1\"]]],\"counted\":null,\"kind\":\"head count\",\"reads\":[\"illness\"],\"rows\":\"2\",\"whole\":false},\"1\"]", ["1"]]]}','dfc755c58f04da6a0c19d20c982c2a134f6d174e1256dcbe767a4623856c1a40','1bcc7d98c11d0fc595b462e7d6057ed2fd088b3987c5b03e47d24d19a021c302');
INSERT INTO "noiseless_entries" VALUES('groups',3,'release','2026-11-16T03:18:29+00:00','owner','{"questions": [{"text": "RELEASE illness", "widths": []}], "factor": "2", "paid": [[{"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "ill", "ill"], "answers": "2"}], "policies": [], "seen": ""}, "1"]], "cells": {"[1]": {"product": "4", "remaining": {"illness": "3"}}, "[2]": {"product": "2", "remaining": {"illness": "3"}}}}','1bcc7d98c11d0fc595b462e7d6057ed2fd088b3987c5b03e47d24d19a021c302','adbe9ebd22df8933a9c57b505472554f88f99fc2e42a09993bb838796b3f31aa');
INSERT INTO "noiseless_entries" VALUES('groups',4,'ask','2026-11-16T03:18:29+00:00','','{"questions": [{"text": "SELECT COUNT(*) FROM groups WHERE illness = ''flu'' AND ward = 1", "widths": ["1"]}], "factor": "1", "paid": [], "cells": {}}','adbe9ebd22df8933a9c57b505472554f88f99fc2e42a09993bb838796b3f31aa','862c56c1257ea0e740f5081b9d9b967ebcf3ffdf3e8a78d5df7c7239d2d16161');
COMMIT;
