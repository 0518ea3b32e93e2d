-- The last look at the invariants of each account, and of what all accounts share.
CREATE TABLE "InvariantCheck" (
    "scope" TEXT NOT NULL,
    "accountId" UUID,
    "checkedAt" TIMESTAMPTZ(3) NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "isWhole" BOOLEAN NOT NULL,
    "breaches" JSONB NOT NULL DEFAULT '[]',
    "undecided" TEXT,
    "brokenSince" TIMESTAMPTZ(3),
    "haltedAt" TIMESTAMPTZ(3),
    "provenSeq" BIGINT,
    "provenHash" TEXT,

    CONSTRAINT "InvariantCheck_pkey" PRIMARY KEY ("scope")
);
CREATE UNIQUE INDEX "InvariantCheck_accountId_key" ON "InvariantCheck"("accountId");
CREATE INDEX "InvariantCheck_haltedAt_idx" ON "InvariantCheck"("haltedAt");
ALTER TABLE "InvariantCheck" ADD CONSTRAINT "InvariantCheck_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "InvariantCheck" ADD CONSTRAINT "InvariantCheck_scope_names_its_account" CHECK ("scope" = coalesce("accountId"::text, 'system'));
ALTER TABLE "InvariantCheck" ADD CONSTRAINT "InvariantCheck_whole_has_no_breach" CHECK ("isWhole" = ("breaches" = '[]'::jsonb));

-- Finds the audit rows of an order by its client id: each send has one (I12).
CREATE INDEX "AuditEvent_sent_orders" ON "AuditEvent" (("data" ->> 'clientOrderId')) WHERE "eventType" = 'ORDER_SENT';
