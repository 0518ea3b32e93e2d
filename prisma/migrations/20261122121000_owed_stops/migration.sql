-- Owed stops: shares whose stop was taken away, or that were found without one, until they are covered again.
CREATE TABLE "OwedStop" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "symbol" TEXT NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "stopPrice" DECIMAL(24,9),
    "targetPrice" DECIMAL(24,9),
    "reason" TEXT NOT NULL,
    "planId" UUID,
    "bareSince" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextTryAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paidAt" TIMESTAMPTZ(3),

    CONSTRAINT "OwedStop_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "OwedStop_quantities" CHECK ("qty" > 0 AND "stopPrice" > 0 AND "targetPrice" > 0)
);

CREATE INDEX "OwedStop_accountId_paidAt_idx" ON "OwedStop"("accountId", "paidAt");
CREATE UNIQUE INDEX "OwedStop_one_open_per_symbol" ON "OwedStop"("accountId", "symbol") WHERE "paidAt" IS NULL;

ALTER TABLE "OwedStop" ADD CONSTRAINT "OwedStop_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
