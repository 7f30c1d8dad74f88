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
INSERT INTO "noiseless_entries" VALUES('flight',0,'open','2026-11-16T04:43:58+00:00','','{"format": "2", "budget": "1048576", "id": "115f0ae44bf95eca74b7633736ee0f88", "name": "flight", "schema": "\n[columns.\"age\"]\nkind = \"integer\"\nlow = 0\nhigh = 120\nstep = 1\nmissing = 50\n\n[columns.\"region\"]\nkind = \"public\"\nkeys = [\"north\", \"south\"]\n", "rows": "4", "version": "", "cells": ["[\"north\"]", "[\"south\"]"]}','0000000000000000000000000000000000000000000000000000000000000000','93e748e1682f303882cb418f173c328223559981d867130094102bef0dff3328');
INSERT INTO "noiseless_entries" VALUES('flight',1,'ask','2026-11-16T04:43:58+00:00','owner','{"questions": [{"text": "SELECT region, AVG(age) FROM flight GROUP BY region", "widths": [["40", "2"]]}], "factor": "4", "paid": [{"release": {"kind": "total", "condition": ["every"], "reads": [], "changes": "0", "column": "age"}, "parts": [["0..1", "40"]]}], "charged": [["0-1", "4", {"age": "40"}]]}','93e748e1682f303882cb418f173c328223559981d867130094102bef0dff3328','e7f92f34a561457eff262ced4d16ee4f600769891d22df27aa3cef689bb8a419');
INSERT INTO "noiseless_entries" VALUES('flight',2,'answer','2026-11-16T04:43:58+00:00','owner','{"ask": "1", "released": [{"release": {"kind": "total", "condition": ["every"], "reads": [], "changes": "0", "column": "age"}, "width": "40", "parts": ["0..1"], "numbers": "2 2"}]}','e7f92f34a561457eff262ced4d16ee4f600769891d22df27aa3cef689bb8a419','f94858ed27c5a232ecbb89e27136ff3254a3500a0de866de0d64e72d6dfdb76e');
INSERT INTO "noiseless_entries" VALUES('flight',3,'ask','2026-11-16T04:43:58+00:00','owner','{"questions": [{"text": "SELECT COUNT(*) FROM flight WHERE age < 50", "widths": [["1", "1"]]}], "factor": "2", "paid": [{"release": {"kind": "head count", "condition": ["within", "age", [["0", "49"]]], "reads": ["age"], "changes": "1", "counted": null}, "parts": [["0-1", "1"]]}], "charged": [["0-1", "2", {}]]}','f94858ed27c5a232ecbb89e27136ff3254a3500a0de866de0d64e72d6dfdb76e','10b5681cf6ced0612a855d8961c4bcc300a0962b89b9c3907ab9f1c8fd8c54b1');
INSERT INTO "noiseless_entries" VALUES('flight',4,'answer','2026-11-16T04:43:58+00:00','owner','{"ask": "3", "released": [{"release": {"kind": "head count", "condition": ["within", "age", [["0", "49"]]], "reads": ["age"], "changes": "1", "counted": null}, "width": "1", "parts": ["0-1"], "numbers": "2"}]}','10b5681cf6ced0612a855d8961c4bcc300a0962b89b9c3907ab9f1c8fd8c54b1','c50f2ae4491923df012de2aada2dfc5e118e75ee1f1cf605ac6c6beab5514646');
INSERT INTO "noiseless_entries" VALUES('flight',5,'release','2026-11-16T04:43:58+00:00','owner','{"questions": [{"text": "RELEASE age", "widths": []}], "factor": "2", "paid": [{"release": {"kind": "microdata", "columns": [{"column": "age", "cells of": "61", "answers": "2"}], "policies": [], "seen": "b1a74e4a17181ede"}, "parts": [["", "1"]]}], "charged": [["0-1", "2", {}]]}','c50f2ae4491923df012de2aada2dfc5e118e75ee1f1cf605ac6c6beab5514646','868f2cf073b9b61126375830829570b11ccaef10f0414704668ffc2a041e3674');
COMMIT;
