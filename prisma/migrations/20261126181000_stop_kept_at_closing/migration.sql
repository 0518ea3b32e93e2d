-- The administrator's stop that the sale of an account's positions replaced at its closing. Null for closings of before: what they replaced was not written down.
ALTER TABLE "Account"
    ADD COLUMN "keptKillState" "KillState",
    ADD COLUMN "keptKillReason" TEXT,
    ADD COLUMN "keptKillSetAt" TIMESTAMPTZ(3);

-- A connection looks for the same brokerage account as it was last connected, deleted or not.
-- squawk-ignore require-concurrent-index-creation -- accounts are few
CREATE INDEX "Account_brokerAccountId_idx" ON "Account"("brokerAccountId");
