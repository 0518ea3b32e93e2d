-- Totals over all accounts of a cycle, which nothing reads: each decision has its own line and counts.
ALTER TABLE "Cycle" DROP COLUMN "line", DROP COLUMN "signals", DROP COLUMN "orders";
