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
INSERT INTO "noiseless_entries" VALUES('groups',0,'open','2026-11-16T04:44:08+00:00','','{"format": "2", "budget": "256", "id": "916638a79cd5d2f6d37bf13a04b9972d", "name": "groups", "schema": "\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n\n[columns.\"ward\"]\nkind = \"public\"\nkeys = [1, 2]\n", "rows": "4", "version": "", "cells": ["[1]", "[2]"]}','0000000000000000000000000000000000000000000000000000000000000000','15a8f1c069728319225211a5d28679af16fb142d97f31658a5e21fe9692a26e0');
INSERT INTO "noiseless_entries" VALUES('groups',1,'ask','2026-11-16T04:44:08+00:00','owner','{"questions": [{"text": "SELECT COUNT(*) FROM groups WHERE illness = ''flu'' AND ward = 1", "widths": [["1", "1"]]}], "factor": "2", "paid": [{"release": {"kind": "head count", "condition": ["within", "illness", [["1", "1"]]], "reads": ["illness"], "changes": "2", "counted": null}, "parts": [["0", "1"]]}], "charged": [["0", "2", {}]]}','15a8f1c069728319225211a5d28679af16fb142d97f31658a5e21fe9692a26e0','8a39df0ff1c03513c97abe533393f6f3a3b251bb1c9c5fdb9df3aad36499892f');
INSERT INTO "noiseless_entries" VALUES('groups',2,'answer','2026-11-16T04:44:08+00:00','owner','{"ask": "1", "released": [{"release": {"kind": "head count", "condition": ["within", "illness", [["1", "1"]]], "reads": ["illness"], "changes": "2", "counted": null}, "width": "1", "parts": ["0"], "numbers": "1"}]}','8a39df0ff1c03513c97abe533393f6f3a3b251bb1c9c5fdb9df3aad36499892f','fe513dcae0298e83a9cd9ec32f57c02f54f80cd81a9540513c81b5584fce4db0');
INSERT INTO "noiseless_entries" VALUES('groups',3,'release','2026-11-16T04:44:08+00:00','owner','{"questions": [{"text": "RELEASE illness", "widths": []}], "factor": "2", "paid": [{"release": {"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "ill", "ill"], "answers": "2"}], "policies": [], "seen": ""}, "parts": [["", "1"]]}], "charged": [["0-1", "2", {}]]}','fe513dcae0298e83a9cd9ec32f57c02f54f80cd81a9540513c81b5584fce4db0','11519e318f2e50f33e20e7067ad0bb4b35196d0b8a14ce53ec22ccff11d9b3ce');
COMMIT;
