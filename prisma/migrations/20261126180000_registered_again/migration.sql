-- When an address was registered once more before it was verified. Null for all accounts of today: who registered them again was not written down.
ALTER TABLE "User" ADD COLUMN "registeredAgainAt" TIMESTAMPTZ(3);
