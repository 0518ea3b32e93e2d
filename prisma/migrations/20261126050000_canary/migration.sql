-- The share of the accounts that a canary worker takes, and the fence around the orders that it sends in a new way.
ALTER TABLE "SystemState" ADD COLUMN "canaryShare" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Account" ADD COLUMN "orderProtocol" INTEGER NOT NULL DEFAULT 0;
