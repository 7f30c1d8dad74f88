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
INSERT INTO "noiseless_entries" VALUES('sizes',0,'open','2026-11-16T03:17:38+00:00','','{"budget": "16777216", "id": "4bdde209df2848d14744fb0d3cf0f96a", "name": "sizes", "schema": "\n[columns.\"weight\"]\nkind = \"integer\"\nlow = 0\nhigh = 200\nstep = 10\n\n[columns.\"height\"]\nkind = \"integer\"\nlow = 100\nhigh = 250\nstep = 10\n\n[columns.\"illness\"]\nkind = \"category\"\nvalues = [\"none\", \"flu\", \"cough\"]\n", "rows": "4", "version": ""}','0000000000000000000000000000000000000000000000000000000000000000','2ee59b2b8baf1aa8be696d37085c4edf5785a6ce94e76946c0b4d27844b12ca6');
INSERT INTO "noiseless_entries" VALUES('sizes',1,'ask','2026-11-16T03:17:38+00:00','alice','{"question": "SELECT SUM(weight) FROM sizes", "factor": "4", "paid": [[{"kind": "total", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "weight"}, "7"]], "cells": {"[]": {"product": "4", "remaining": {"weight": "7", "height": "16", "illness": "3"}}}}','2ee59b2b8baf1aa8be696d37085c4edf5785a6ce94e76946c0b4d27844b12ca6','ca0c8f6d91b4a3e7a30110b9f4ffa66824d5098ca75ea93923b89e750acac34b');
INSERT INTO "noiseless_entries" VALUES('sizes',2,'answer','2026-11-16T03:17:38+00:00','alice','{"ask": "1", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"weight\",\"condition\":[\"every\"],\"kind\":\"total\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"7\"]", ["4"]]]}','ca0c8f6d91b4a3e7a30110b9f4ffa66824d5098ca75ea93923b89e750acac34b','63677277324dcef11bd50484d06572dfe0a921130302623fbe1c17a145a6e7c4');
INSERT INTO "noiseless_entries" VALUES('sizes',3,'ask','2026-11-16T03:17:38+00:00','owner','{"question": "SELECT illness, COUNT(*) FROM sizes GROUP BY illness", "factor": "3", "paid": [[{"kind": "histogram", "cells": "0", "rows": "4", "condition": ["every"], "reads": [], "changes": "0", "whole": true, "column": "illness"}, "1"]], "cells": {"[]": {"product": "12", "remaining": {"weight": "7", "height": "16", "illness": "1"}}}}','63677277324dcef11bd50484d06572dfe0a921130302623fbe1c17a145a6e7c4','b15cc6608a9111bfbab894e9b758bd9517178e927e546bfc65d5fa44116531d7');
INSERT INTO "noiseless_entries" VALUES('sizes',4,'answer','2026-11-16T03:17:38+00:00','owner','{"ask": "3", "released": [["[{\"cells\":\"0\",\"changes\":\"0\",\"column\":\"illness\",\"condition\":[\"every\"],\"kind\":\"histogram\",\"reads\":[],\"rows\":\"4\",\"whole\":true},\"1\"]", ["1", "2", "1"]]]}','b15cc6608a9111bfbab894e9b758bd9517178e927e546bfc65d5fa44116531d7','29b81bf0d4396177223d2097cbc4498805c3ab911bd35b658a231a9423c73fc8');
INSERT INTO "noiseless_entries" VALUES('sizes',5,'ask','2026-11-16T03:17:38+00:00','alice','{"question": "SELECT SUM(weight) FROM sizes", "factor": "1", "paid": [], "cells": {}}','29b81bf0d4396177223d2097cbc4498805c3ab911bd35b658a231a9423c73fc8','3d46c871617032d98ed77d47de8bf83db241cc57928cfcb6cf93db489208ecf7');
COMMIT;
