-- The moment at which money came or went, where the broker tells it: a close has only what came before it.
ALTER TABLE "CashFlow" ADD COLUMN "movedAt" TIMESTAMPTZ(3);
