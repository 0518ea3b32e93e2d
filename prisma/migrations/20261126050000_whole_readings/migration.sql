-- Between two whole readings of the books an account on the practice market is only looked at.
ALTER TABLE "Account" ADD COLUMN "readWholeAt" TIMESTAMPTZ(3);
