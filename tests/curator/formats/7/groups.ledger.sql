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
INSERT INTO "noiseless_entries" VALUES('groups',0,'open','2026-11-16T03:18:14+00:00','','{"budget": "256", "id": "fd94edd5f77d97922f399b781f9c696b", "name": "groups", "schema": "\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n\n[columns.\"ward\"]\nkind = \"public\"\nkeys = [1, 2]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','0dc86be92830d8256eb16416575c2c325c9b1bdfd8baa3c250f9b874c097ce94');
INSERT INTO "noiseless_entries" VALUES('groups',1,'ask','2026-11-16T03:18:14+00:00','owner','{"questions": [{"text": "SELECT COUNT(*) FROM groups WHERE illness = ''flu'' AND ward = 1", "widths": ["1"]}], "factor": "2", "paid": [[{"kind": "head count", "cells": "0", "rows": "2", "condition": ["within", "illness", [["1", "1"]]], "reads": ["illness"], "changes": "2", "whole": false, "counted": null}, "1"]], "cells": {"[1]": {"product": "2", "remaining": {"illness": "3"}}}}','0dc86be92830d8256eb16416575c2c325c9b1bdfd8baa3c250f9b874c097ce94','16bdb5f74f6f2fda2326daca12d2ea7187a1544b6defdd865cb4586ccec74197');
INSERT INTO "noiseless_entries" VALUES('groups',2,'answer','2026-11-16T03:18:14+00:00','owner','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"2\",\"condition\":[\"within\",\"illness\",[[\"1\",\"1\"]]],\"counted\":null,\"kind\":\"head count\",\"reads\":[\"illness\"],\"rows\":\"2\",\"whole\":false},\"1\"]", ["1"]]]}','16bdb5f74f6f2fda2326daca12d2ea7187a1544b6defdd865cb4586ccec74197','18871531f59a0fc4129facf7963b79c86201f35addb8ab60f5b48d1d444b97b1');
INSERT INTO "noiseless_entries" VALUES('groups',3,'release','2026-11-16T03:18:14+00:00','owner','{"questions": [{"text": "RELEASE illness", "widths": []}], "factor": "2", "paid": [[{"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "ill", "ill"], "answers": "2"}], "policies": []}, "1"]], "cells": {"[1]": {"product": "4", "remaining": {"illness": "3"}}, "[2]": {"product": "2", "remaining": {"illness": "3"}}}}','18871531f59a0fc4129facf7963b79c86201f35addb8ab60f5b48d1d444b97b1','96ef1c83fc12c6b90f5ba48beae7672c41b65c702afdc6c11e51d8e09b667ea7');
INSERT INTO "noiseless_entries" VALUES('groups',4,'ask','2026-11-16T03:18:14+00:00','','{"questions": [{"text": "SELECT COUNT(*) FROM groups WHERE illness = ''flu'' AND ward = 1", "widths": ["1"]}], "factor": "1", "paid": [], "cells": {}}','96ef1c83fc12c6b90f5ba48beae7672c41b65c702afdc6c11e51d8e09b667ea7','2e072d38f477d14b1732e762c7e939e764597552ef472178b4eb6b54a89497bd');
COMMIT;
