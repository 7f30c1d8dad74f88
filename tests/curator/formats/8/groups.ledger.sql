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
INSERT INTO "noiseless_entries" VALUES('groups',0,'open','2026-11-16T03:18:22+00:00','','{"budget": "256", "id": "63100ed4525d65401b93312c2b75f003", "name": "groups", "schema": "\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n\n[columns.\"ward\"]\nkind = \"public\"\nkeys = [1, 2]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','185b0bb710b7c368ff898db41975202d52c88429d4fa98fee12b6f9d19441022');
INSERT INTO "noiseless_entries" VALUES('groups',1,'ask','2026-11-16T03:18:22+00:00','owner','{"questions": [{"text": "SELECT COUNT(*) FROM groups WHERE illness = ''flu'' AND ward = 1", "widths": ["1"]}], "factor": "2", "paid": [[{"kind": "head count", "cells": "0", "rows": "2", "condition": ["within", "illness", [["1", "1"]]], "reads": ["illness"], "changes": "2", "whole": false, "counted": null}, "1"]], "cells": {"[1]": {"product": "2", "remaining": {"illness": "3"}}}}','185b0bb710b7c368ff898db41975202d52c88429d4fa98fee12b6f9d19441022','5abeb9a3e93cd2f57095a702c6c62bdb51df130abb65c09c73d66caab84c8bb2');
INSERT INTO "noiseless_entries" VALUES('groups',2,'answer','2026-11-16T03:18:22+00:00','owner','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"2\",\"condition\":[\"within\",\"illness\",[[\"1\",\"1\"]]],\"counted\":null,\"kind\":\"head count\",\"reads\":[\"illness\"],\"rows\":\"2\",\"whole\":false},\"1\"]", ["1"]]]}','5abeb9a3e93cd2f57095a702c6c62bdb51df130abb65c09c73d66caab84c8bb2','fae6698005282f3efa0f494eba0dd2bb2f999c5743dfa2205102b0fe6098e7f8');
INSERT INTO "noiseless_entries" VALUES('groups',3,'release','2026-11-16T03:18:22+00:00','owner','{"questions": [{"text": "RELEASE illness", "widths": []}], "factor": "2", "paid": [[{"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "ill", "ill"], "answers": "2"}], "policies": []}, "1"]], "cells": {"[1]": {"product": "4", "remaining": {"illness": "3"}}, "[2]": {"product": "2", "remaining": {"illness": "3"}}}}','fae6698005282f3efa0f494eba0dd2bb2f999c5743dfa2205102b0fe6098e7f8','63e67096b137ce5ea05fa753a9da1f647be2aa65da88f997a5dea47cab41ebc7');
INSERT INTO "noiseless_entries" VALUES('groups',4,'ask','2026-11-16T03:18:22+00:00','','{"questions": [{"text": "SELECT COUNT(*) FROM groups WHERE illness = ''flu'' AND ward = 1", "widths": ["1"]}], "factor": "1", "paid": [], "cells": {}}','63e67096b137ce5ea05fa753a9da1f647be2aa65da88f997a5dea47cab41ebc7','eb3d7ef4aa4739ee432fd2811364136d58af77c13a1000229a723cf3597bc481');
COMMIT;
