"""What is done with data: schema, SQL, price, engines, ledger, answers, certificates, release, audit."""
