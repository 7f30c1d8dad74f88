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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:18:13+00:00','','{"budget": "16777216", "id": "c04a0d1204d3b2f4fc6f04d171b29677", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','ba2900bff7df32eacffa5031c75339dee5c2b7479cfbaa4aa84d3a5712a5eef6');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:18:13+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','ba2900bff7df32eacffa5031c75339dee5c2b7479cfbaa4aa84d3a5712a5eef6','41563fadc68aca17d02254b403f9964f9b95281f0e398360c77fa6793c380b7e');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:18:13+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','41563fadc68aca17d02254b403f9964f9b95281f0e398360c77fa6793c380b7e','5942c0cb22bbe8b8820a0e387b8e322ae95cada3814c9975017392d52cab8c58');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:18:13+00:00','owner','{"questions": [{"text": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "widths": ["1"]}], "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','5942c0cb22bbe8b8820a0e387b8e322ae95cada3814c9975017392d52cab8c58','071160874b8eafad7986fb24c8bd473aa1ad70c46135d21edf830d68f810c7aa');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:18:13+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','071160874b8eafad7986fb24c8bd473aa1ad70c46135d21edf830d68f810c7aa','f765a35887f819fc2c41c4e0793730d0888b76f1ce8521bcdb017b3f17a85c0e');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'release','2026-11-16T03:18:13+00:00','owner','{"questions": [{"text": "RELEASE illness, weight, height", "widths": []}], "factor": "112", "paid": [[{"kind": "microdata", "columns": [{"column": "illness", "groups": ["none", "flu", "cough"], "answers": "3"}], "policies": [{"columns": ["weight", "height"], "policy": "Shift", "changes": "weight", "error": "20", "epsilon": "0.6477695416947609", "charged as": "336"}]}, "1"]], "cells": {"[]": {"product": "1344", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','f765a35887f819fc2c41c4e0793730d0888b76f1ce8521bcdb017b3f17a85c0e','63aa62e3411165636edf55eca142ea5ff990a33d66e365ac2872bb9145db6503');
INSERT INTO "noiseless_entries" VALUES('sizes',6,'ask','2026-11-16T03:18:13+00:00','alice','{"questions": [{"text": "SELECT SUM(weight) FROM sizes", "widths": ["7"]}], "factor": "1", "paid": [], "cells": {}}','63aa62e3411165636edf55eca142ea5ff990a33d66e365ac2872bb9145db6503','559e1bb2f7db9bcb34ff6d247e1dce4ba6903c99bef6c379349857ffea8c141c');
COMMIT;
