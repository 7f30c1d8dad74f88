"""Every kind of question of the grammar."""

from __future__ import annotations

PLAIN = [
    ("SELECT COUNT(*) FROM t", {}),
    ("SELECT SUM(age) FROM t", {"bits": 3}),
    ("SELECT AVG(age) AS m, SUM(age) FROM t WHERE region = 'n'", {"error": 20000}),
    ("SELECT AVG(height) FROM t", {"bits": 2}),
    ("SELECT MIN(age), MAX(age), MEDIAN(age), QUANTILE(age, 0.9), QUANTILE(age, 1e-3) FROM t", {"bits": 9}),
    ("SELECT MEDIAN(born), MIN(born) FROM t", {"bits": 5}),
    ("SELECT VAR_POP(age), STDDEV_POP(age) FROM t", {"bits": 4}),
    ("SELECT STDDEV_POP(height), VAR_POP(height) FROM t WHERE year = 2024", {"bits": 4}),
    ("SELECT COUNT(pay), COUNT(ill), COUNT(well), COUNT(region), COUNT(born) FROM t", {}),
    ("SELECT SUM(pay), AVG(pay), COUNT(*) FROM t", {"bits": 8}),
    ("SELECT SUM(age), MEDIAN(age) FROM t WHERE age > 20", {"bits": 5}),
]
CONDITIONS = [
    ("SELECT COUNT(*) FROM t WHERE age >= 65", {}),
    ("SELECT COUNT(*), AVG(age) FROM t WHERE age BETWEEN 10 AND 20 OR age = 30 OR age > 90", {"bits": 7}),
    ("SELECT COUNT(*) FROM t WHERE age <> 50 AND NOT (pay < 0 OR pay IS NULL)", {}),
    ("SELECT COUNT(*) FROM t WHERE NOT (pay < 0)", {}),
    ("SELECT MAX(pay), COUNT(*) FROM t WHERE pay IS NOT NULL AND well", {"bits": 6}),
    ("SELECT AVG(age), COUNT(*) FROM t WHERE ill IN ('flu', 'cold')", {"bits": 5}),
    ("SELECT COUNT(*) FROM t WHERE ill IS NULL OR well IS NOT TRUE", {}),
    ("SELECT COUNT(*) FROM t WHERE born > '1990-01-15' AND born <> '1990-01-20'", {}),
    ("SELECT AVG(height) FROM t WHERE height > 1.3", {"bits": 4}),
    ("SELECT COUNT(*), MAX(age) FROM t WHERE (age > 30 AND region = 'n') OR age > 70", {"bits": 9}),
    (
        "SELECT COUNT(*), MAX(age) FROM t WHERE (well AND year = 2024) OR (ill = 'flu' AND region <> 's')",
        {"bits": 8},
    ),
    ("SELECT SUM(age) FROM t WHERE region < 's' AND open", {"bits": 3}),
    ("SELECT COUNT(*), AVG(age), MEDIAN(age) FROM t WHERE age > 300", {"bits": 9}),
    ("SELECT COUNT(*) FROM t WHERE NOT (pay > 300) OR age < -5", {}),
    ("SELECT COUNT(*), SUM(age) FROM t WHERE FALSE", {}),
    ("SELECT COUNT(*), SUM(age) FROM t WHERE TRUE OR age > 3", {"bits": 3}),
    ("SELECT COUNT(*), SUM(age), AVG(age), MIN(age) FROM t WHERE region = 'e'", {}),
]
GROUPS = [
    ("SELECT region, AVG(age) AS m, COUNT(*) AS n FROM t GROUP BY region", {"bits": 3}),
    ("SELECT year, open, region, SUM(age), MAX(height) FROM t GROUP BY region, open, year", {"bits": 5}),
    ("SELECT region, AVG(pay), COUNT(pay) FROM t WHERE age > 20 GROUP BY region", {"bits": 6}),
    ("SELECT ill, COUNT(*) FROM t GROUP BY ill", {}),
    ("SELECT well, region, COUNT(*) AS n FROM t WHERE age > 50 OR region = 'n' GROUP BY region, well", {}),
    ("SELECT ill, COUNT(*) FROM t WHERE region = 'e' GROUP BY ill", {}),
    ("SELECT region, well, COUNT(*) AS n FROM t GROUP BY ROLLUP (region, well) ORDER BY n", {}),
    (
        "SELECT ill, COUNT(*) AS n FROM t GROUP BY ill UNION ALL SELECT 'all', COUNT(*) FROM t ORDER BY 2 DESC LIMIT 3",
        {},
    ),
    (
        "SELECT AVG(age) AS m FROM t WHERE well UNION ALL SELECT AVG(pay / (age + 1)) FROM t UNION ALL "
        "SELECT SUM(pay / (age + 1)) FROM t WHERE age > 30",
        {"bits": 9},
    ),
    ("SELECT year, MIN(born), SUM(pay) FROM t GROUP BY GROUPING SETS ((year, open), (open), ())", {"bits": 6}),
]
AFTERWARDS = [
    (
        "SELECT year, SUM(age) / COUNT(*) AS m FROM t GROUP BY year HAVING m > 1 ORDER BY m DESC LIMIT 1",
        {"bits": 3},
    ),
    ("SELECT year, -AVG(age) * 2 + 1.5 AS m FROM t GROUP BY year ORDER BY 2, year DESC", {"bits": 3}),
    ("SELECT region, 1 / SUM(pay) AS m FROM t GROUP BY region ORDER BY m", {"bits": 4}),
    ("SELECT 1 / (MEDIAN(age) - 40.3), 1 / (MEDIAN(age) - 60.3) FROM t", {"bits": 1}),
    ("SELECT region, AVG(age) AS m FROM t GROUP BY region HAVING NOT (m > 1000)", {"bits": 2}),
    ("SELECT MAX(age) - MIN(age), 100 * COUNT(pay) / COUNT(*), COUNT(*) / 0 FROM t", {"bits": 9}),
    (
        "SELECT region, MIN(born) FROM t GROUP BY region HAVING MIN(born) > '1990-01-01' OR region <> 's'",
        {"bits": 5},
    ),
    ("SELECT well, COUNT(*) AS n FROM t GROUP BY well HAVING n > 1 AND n < 50 ORDER BY well DESC, n", {}),
    ("SELECT year, open, COUNT(*) FROM t GROUP BY year, open HAVING open = TRUE AND year > 2022.5 ORDER BY open", {}),
    ("SELECT ill, COUNT(*) FROM t GROUP BY ill HAVING COUNT(*) BETWEEN 3 AND 100 ORDER BY 'x', ill DESC LIMIT 0", {}),
]
RESULTS = [
    (
        "SELECT region, 100.0 * SUM(age) / SUM(SUM(age)) OVER () AS share, RANK() OVER (ORDER BY AVG(age) DESC) AS r, "
        "DENSE_RANK() OVER (PARTITION BY region ORDER BY 1) AS d FROM t GROUP BY region ORDER BY share LIMIT 2",
        {"bits": 4},
    ),
    (
        "SELECT region, SUM(SUM(pay)) OVER (ORDER BY region ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s, "
        "LEAD(MIN(born), 1, DATE '1990-01-02') OVER (ORDER BY AVG(pay), region) AS b FROM t GROUP BY region",
        {"bits": 9},
    ),
    (
        "WITH g AS (SELECT ill, well, COUNT(*) AS n FROM t GROUP BY ill, well HAVING COUNT(*) > 2), s AS (SELECT "
        "ill, SUM(n) AS n, COUNT(*) FILTER (WHERE n > 9) AS k FROM g WHERE well IS NOT FALSE GROUP BY ill) SELECT "
        "CASE WHEN n > 9 THEN 'many' ELSE 'few' END AS how, MAX(n) - MIN(k) AS m FROM s GROUP BY how "
        "ORDER BY how",
        {},
    ),
    (
        "SELECT ROUND(AVG(age), 1) AS a, COALESCE(NULLIF(AVG(pay), 0), MEDIAN(age)) AS c, AVG(age) > 50 AS old, "
        "GREATEST(COUNT(pay), FLOOR(AVG(age)), 3) AS g, CASE WHEN AVG(pay) IN (1, 2) THEN 'x' END AS x FROM t",
        {"bits": 12},
    ),
    (
        "SELECT region, AVG(m) AS m FROM (SELECT region, year, AVG(pay / (age + 1)) AS m FROM t WHERE well "
        "GROUP BY region, year) AS u GROUP BY region HAVING COUNT(m) > 0",
        {"bits": 20},
    ),
    (
        "SELECT region, well, n * 1.0 / SUM(n) OVER () AS s FROM (SELECT region, well, COUNT(*) AS n FROM t "
        "GROUP BY ROLLUP (region, well)) AS u WHERE well",
        {},
    ),
]
TOGETHER = [
    ("SELECT SUM(age), COUNT(*) FROM t WHERE age > 50", {"bits": "4.5"}),
    ("SELECT AVG(age), MEDIAN(age) FROM t WHERE age > 50", {"bits": 5}),
    ("SELECT AVG(pay), MAX(age) FROM t", {"bits": "3.5"}),
    ("SELECT MEDIAN(age), MIN(age) FROM t WHERE age BETWEEN 20 AND 60", {"bits": 5}),
    ("SELECT VAR_POP(age), AVG(age) FROM t", {"bits": 5}),
    ("SELECT COUNT(*) AS n, MEDIAN(age) AS m FROM t WHERE age = 30 OR age = 40 OR age = 50", {"bits": 6}),
    ("SELECT COUNT(*), MAX(age) FROM t WHERE NOT (region = 's' AND age > 5)", {"bits": 5}),
    ("SELECT COUNT(*), MAX(age) FROM t WHERE NOT (region = 's')", {"bits": 5}),
]
STATISTICS = [
    ("SELECT VAR_SAMP(age), STDDEV(age), VAR_POP(age) FROM t", {"bits": 4}),
    ("SELECT VAR_SAMP(pay), VAR_POP(pay), COUNT(pay) FROM t", {"bits": 5}),
    ("SELECT region, STDDEV_SAMP(age) AS s FROM t WHERE age > 30 GROUP BY region", {"bits": 6}),
    ("SELECT STDDEV_POP(age), AVG(age) FROM t WHERE age > 30 AND well", {"bits": 9}),
    ("SELECT COUNT(DISTINCT age), COUNT(DISTINCT ill), COUNT(DISTINCT region) FROM t", {}),
    ("SELECT year, COUNT(DISTINCT pay), COUNT(DISTINCT born) FROM t WHERE age > 30 GROUP BY year", {}),
    ("SELECT COUNT(DISTINCT region) FROM t WHERE age > 50 AND well", {}),
    ("SELECT COUNT(DISTINCT age * age), COUNT(DISTINCT year + 1), COUNT(DISTINCT 2 * age) FROM t", {}),
    ("SELECT COUNT(DISTINCT age) FILTER (WHERE well), COUNT(DISTINCT well) FROM t", {}),
    ("SELECT QUANTILE_CONT(age, 0.3), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY height) FROM t", {"bits": 4}),
    ("SELECT region, QUANTILE_CONT(pay, 0.35) AS m, QUANTILE_CONT(-age, 0.1) FROM t GROUP BY region", {"bits": 9}),
    ("SELECT QUANTILE_CONT(age * age, 0.75), QUANTILE_CONT(age, 1) FROM t WHERE age > 20", {"bits": 9}),
    ("SELECT CORR(height, age), COVAR_POP(age, height) FROM t", {"bits": 16}),
    ("SELECT REGR_SLOPE(pay, age), REGR_INTERCEPT(pay, age), REGR_R2(pay, age) FROM t", {"bits": 40}),
    ("SELECT region, COVAR_SAMP(pay / 10, 3 - age) AS c FROM t GROUP BY region ORDER BY c", {"bits": 40}),
    ("SELECT CORR(age, age), CORR(age * age, age) FROM t WHERE well", {"bits": 40}),
    ("SELECT REGR_SLOPE(age, pay) FILTER (WHERE age > 30), COUNT(*) FROM t WHERE region <> 's'", {"bits": 30}),
    ("SELECT CORR(pay, height) FROM t WHERE age > 300", {"bits": 30}),
]
QUESTIONS = [*PLAIN, *CONDITIONS, *GROUPS, *AFTERWARDS, *RESULTS, *TOGETHER, *STATISTICS]
GUARDED = [
    ("SELECT SUM(age) FROM t", {"error": 1000}),
    ("SELECT AVG(age) AS m FROM t WHERE region = 'n'", {"error": 25}),
    ("SELECT AVG(height), AVG(age) FROM t", {"bits": "0.6"}),
    ("SELECT COUNT(*) FROM t WHERE age > 30", {"error": 5}),
    ("SELECT COUNT(pay), COUNT(well) FROM t", {"error": 3}),
    ("SELECT COUNT(*) AS n FROM t WHERE age > 30 AND NOT (pay < 0 OR well)", {"bits": "0.5"}),
    ("SELECT SUM(pay) FROM t", {"error": 400}),
    ("SELECT SUM(age), COUNT(*) FROM t WHERE ill = 'flu'", {"error": 900}),
    ("SELECT SUM(height) FROM t WHERE height > 1.3", {"error": 20}),
    ("SELECT VAR_POP(age), AVG(age) FROM t", {"error": 400}),
    ("SELECT STDDEV_POP(height) FROM t", {"bits": "0.9"}),
    ("SELECT region, AVG(age) AS m FROM t GROUP BY region HAVING m > 1 ORDER BY m DESC", {"error": 20}),
    ("SELECT region, year, SUM(age), COUNT(pay), COUNT(*) FROM t GROUP BY region, year", {"error": 600}),
    ("SELECT AVG(age), MEDIAN(age) FROM t", {"error": 20}),
    ("SELECT COUNT(*), MAX(age) FROM t WHERE (age > 30 AND region = 'n') OR age > 70", {"error": 8}),
    ("SELECT SUM(age) FROM t WHERE age > 50", {"error": 10**6}),
    ("SELECT SUM(age) FROM t WHERE age > 60", {"bits": "0.4"}),
    ("SELECT VAR_SAMP(age), STDDEV_SAMP(pay) FROM t", {"error": 400}),
    ("SELECT CORR(age, height) FROM t", {"error": "0.4"}),
    ("SELECT COVAR_POP(age, height), REGR_SLOPE(age, height) FROM t", {"error": 60}),
    ("SELECT COVAR_SAMP(pay, age) AS c, REGR_R2(pay, age) FROM t", {"error": 300}),
    ("SELECT CORR(pay, age * 2) FROM t WHERE well", {"bits": "0.9"}),
]
"""Most of their numbers are in guarded bins."""
GUARDED_GROUPS = [
    ("SELECT ill, COUNT(*) FROM t GROUP BY ill", {"error": 5}),
    ("SELECT well, ill, COUNT(*), COUNT(pay) FROM t WHERE age > 20 GROUP BY ill, well", {"error": 6}),
    ("SELECT region, age >= 50 AS old, AVG(pay) AS m, SUM(pay) FROM t GROUP BY region, old ORDER BY m", {"error": 500}),
    ("SELECT age > 2 * pay AS more, COUNT(*) FROM t GROUP BY more", {"error": 3}),
    ("SELECT well, VARIANCE(age * 2), AVG(age * 2) FROM t GROUP BY well HAVING COUNT(*) > 5", {"error": 5000}),
]
"""The same of private groups, cell by cell: with one row per person only."""
