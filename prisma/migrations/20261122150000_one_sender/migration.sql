-- One budget of broker requests for each account, shared by all processes. Nothing in it is worth a log: after a crash
-- of the database it begins full.
CREATE UNLOGGED TABLE "RequestBudget" (
    "accountId" UUID NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "countedAt" TIMESTAMPTZ(3) NOT NULL,
    "pausedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "RequestBudget_pkey" PRIMARY KEY ("accountId")
);

-- Builds are fenced: one that speaks an older order protocol than the newest that wrote sends nothing.
ALTER TABLE "SystemState" ADD COLUMN "orderProtocol" INTEGER NOT NULL DEFAULT 0;
