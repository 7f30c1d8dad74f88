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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:18:28+00:00','','{"budget": "16777216", "id": "f91ed68b89ceeb6dc46b85805e3759ff", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','43222ba7b3526278526b1b8ac0d4e2afe7dde0d76e90217f26a79482a31a0891');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:18:28+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','43222ba7b3526278526b1b8ac0d4e2afe7dde0d76e90217f26a79482a31a0891','d1ecbee345f45bb207c9ef0421a1b4ca8084db6378e03581a6d79880b3f6a76e');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:18:28+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','d1ecbee345f45bb207c9ef0421a1b4ca8084db6378e03581a6d79880b3f6a76e','0238566750f90b4ad46b06a0ffd7f3d5ec4d13b46e8815f2e5f881c4e38f6f24');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:18:28+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": ["1"]}], "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','0238566750f90b4ad46b06a0ffd7f3d5ec4d13b46e8815f2e5f881c4e38f6f24','54ca703161ded082f002ed941ab0f0e951c6a9affc2c8fd14b8adc26f0580608');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:18:28+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','54ca703161ded082f002ed941ab0f0e951c6a9affc2c8fd14b8adc26f0580608','4eed6768adba32c22053f36c7e2efe3b158177b42d7ced918d92d87000c5b62c');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'release','2026-11-16T03:18:28+00:00','owner','{"questions": [{"text": "RELEASE illness, weight, height", "widths": []}], "factor": "112", "paid": [[{"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "flu", "cough"], "answers": "3"}], "policies": [{"columns": ["weight", "height"], "policy": "Shift", "changes": "weight", "boundary": "0 0 1/400", "error": "20", "epsilon": "0.44827586206896547", "charged as": "336"}], "seen": ""}, "1"]], "cells": {"[]": {"product": "1344", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','4eed6768adba32c22053f36c7e2efe3b158177b42d7ced918d92d87000c5b62c','1ef4df4eb7f5ea716920df3639ce8d0edb8ed38dc340f264d899efcf54564c48');
INSERT INTO "noiseless_entries" VALUES('sizes',6,'ask','2026-11-16T03:18:28+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "1", "paid": [], "cells": {}}','1ef4df4eb7f5ea716920df3639ce8d0edb8ed38dc340f264d899efcf54564c48','fa32c5f9eabb76bf2f101ef44cedc03d644f2a9cef9366a667895fa18bfa8ded');
COMMIT;
