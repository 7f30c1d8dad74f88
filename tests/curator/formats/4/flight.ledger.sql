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
INSERT INTO "noiseless_entries" VALUES('flight',0,'open','2026-11-16T03:17:53+00:00','','{"budget": "1048576", "id": "e71631d0e40d4334d14b55a7118459d8", "name": "flight", "schema": "\n[columns.\"age\"]\nkind = \"integer\"\nlow = 0\nhigh = 120\nstep = 1\nmissing = 50\n\n[columns.\"region\"]\nkind = \"public\"\nkeys = [\"north\", \"south\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','a2ffc00cefc1770abf5d575cf31a3dc48d04f5f7195ea8c4b2cadcbfb9cc73a8');
INSERT INTO "noiseless_entries" VALUES('flight',1,'ask','2026-11-16T03:17:53+00:00','owner','{"questions": [{"text": "SELECT region, AVG(age) FROM flight GROUP BY region", "widths": ["40", "40"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "2", "condition": ["every"], "reads": [], "changes": "0", "whole": false, "column": "age"}, "40"], [{"kind": "total", "cells": "1", "rows": "2", "condition": ["every"], "reads": [], "changes": "0", "whole": false, "column": "age"}, "40"]], "cells": {"[\"north\"]": {"product": "4", "remaining": {"age": "40"}}, "[\"south\"]": {"product": "4", "remaining": {"age": "40"}}}}','a2ffc00cefc1770abf5d575cf31a3dc48d04f5f7195ea8c4b2cadcbfb9cc73a8','1726be2a1629c79e68d6a0cc07e92b4ec6a4551a3bd1fd5130f5d079425632f8');
INSERT INTO "noiseless_entries" VALUES('flight',2,'answer','2026-11-16T03:17:53+00:00','owner','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"age\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"2\",\"whole\":false},\"40\"]", ["2"]], ["[{\"cells\":\"1\",\"changes\":\"0\",\"column\":\"age\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"2\",\"whole\":false},\"40\"]", ["2"]]]}','1726be2a1629c79e68d6a0cc07e92b4ec6a4551a3bd1fd5130f5d079425632f8','6e60adf230e3cedbcbe73e1592ab8449a263db3d35ba7f4f4e4151629508d3da');
INSERT INTO "noiseless_entries" VALUES('flight',3,'ask','2026-11-16T03:17:53+00:00','owner','{"questions": [{"text": "SELECT COUNT(*) FROM flight WHERE age < 50", "widths": ["1"]}], "factor": "2", "paid": [[{"kind": "head count", "cells": "0-1", "rows": "4", "condition": ["within", "age", [["0", "49"]]], "reads": ["age"], "changes": "1", "whole": true, "counted": null}, "1"]], "cells": {"[\"north\"]": {"product": "8", "remaining": {"age": "40"}}, "[\"south\"]": {"product": "8", "remaining": {"age": "40"}}}}','6e60adf230e3cedbcbe73e1592ab8449a263db3d35ba7f4f4e4151629508d3da','e64c8bbfa37362d558a1d793554cd0b9a4c0d3cb0f4fcd809d8f043503865cdf');
INSERT INTO "noiseless_entries" VALUES('flight',4,'answer','2026-11-16T03:17:53+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0-1\",\"changes\":\"1\",\"condition\":[\"within\",\"age\",[[\"0\",\"49\"]]],\"counted\":null,\"kind\":\"head count\",\"reads\":[\"age\"],\"rows\":\"4\",\"whole\":true},\"1\"]", ["2"]]]}','e64c8bbfa37362d558a1d793554cd0b9a4c0d3cb0f4fcd809d8f043503865cdf','35c49b9c22d1c970487d9a83e62fa4c89c95c5dbdf1566a0d05077e3cfb3e579');
INSERT INTO "noiseless_entries" VALUES('flight',5,'ask','2026-11-16T03:17:53+00:00','','{"questions": [{"text": "SELECT region, AVG(age) FROM flight GROUP BY region", "widths": ["40", "40"]}], "factor": "1", "paid": [], "cells": {}}','35c49b9c22d1c970487d9a83e62fa4c89c95c5dbdf1566a0d05077e3cfb3e579','4873aa4ca1986b7ba2c991dc0682c6a50e20b3572c2a7ef2e7b52f5742091d05');
COMMIT;
