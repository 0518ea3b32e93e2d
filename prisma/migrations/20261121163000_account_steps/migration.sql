-- A LIVE account trades only once its owner typed its number. The last characters of the broker's account number are kept for
-- that and to tell accounts apart, the whole number is not.
ALTER TABLE "Account" ADD COLUMN "accountNumberEnd" TEXT;
ALTER TABLE "Account" ADD COLUMN "liveConfirmedAt" TIMESTAMPTZ(3);
-- Its owner wants it deleted once its positions are sold.
ALTER TABLE "Account" ADD COLUMN "closingAt" TIMESTAMPTZ(3);

UPDATE "Account" SET "status" = 'INACTIVE' WHERE "environment" = 'LIVE';

ALTER TABLE "Account" ADD CONSTRAINT "Account_number_end_is_short" CHECK (length("accountNumberEnd") <= 4);
ALTER TABLE "Account" ADD CONSTRAINT "Account_live_is_confirmed" CHECK (
    "environment" <> 'LIVE' OR "status" = 'INACTIVE' OR "liveConfirmedAt" IS NOT NULL
);
-- While it closes nothing is bought.
ALTER TABLE "Account" ADD CONSTRAINT "Account_closing_is_flattened" CHECK (
    "closingAt" IS NULL OR "deletedAt" IS NOT NULL OR "killState" = 'FLATTEN'
);
