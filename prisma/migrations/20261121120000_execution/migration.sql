-- A split keeps the exact quantities: the book is made anew from its fills when the broker corrects one of them.
ALTER TABLE "AppliedCorporateAction" ADD COLUMN "qtyBefore" DECIMAL(24,9), ADD COLUMN "qtyAfter" DECIMAL(24,9);

-- What the broker reported and the books cannot take in by rule.
CREATE TABLE "QuarantinedActivity" (
    "accountId" UUID NOT NULL,
    "activityId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "symbol" TEXT,
    "qty" DECIMAL(24,9),
    "amount" DECIMAL(24,9) NOT NULL,
    "date" DATE NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "QuarantinedActivity_pkey" PRIMARY KEY ("accountId","activityId")
);
ALTER TABLE "QuarantinedActivity" ADD CONSTRAINT "QuarantinedActivity_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QuarantinedActivity" ADD CONSTRAINT "QuarantinedActivity_no_nan" CHECK ("amount" <> 'NaN' AND ("qty" IS NULL OR "qty" <> 'NaN'));

-- The statement of a session after its close.
CREATE TABLE "Reconciliation" (
    "accountId" UUID NOT NULL,
    "session" DATE NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "isClean" BOOLEAN NOT NULL,
    "orders" INTEGER NOT NULL,
    "executions" INTEGER NOT NULL,
    "corrections" INTEGER NOT NULL,
    "flows" INTEGER NOT NULL,
    "cashHere" DECIMAL(24,9) NOT NULL,
    "cashThere" DECIMAL(24,9) NOT NULL,
    "findings" JSONB NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Reconciliation_pkey" PRIMARY KEY ("accountId","session")
);
ALTER TABLE "Reconciliation" ADD CONSTRAINT "Reconciliation_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Reconciliation" ADD CONSTRAINT "Reconciliation_clean_has_no_findings" CHECK ("isClean" = ("findings" = '[]'::jsonb));
ALTER TABLE "Reconciliation" ADD CONSTRAINT "Reconciliation_no_nan" CHECK ("cashHere" <> 'NaN' AND "cashThere" <> 'NaN');
