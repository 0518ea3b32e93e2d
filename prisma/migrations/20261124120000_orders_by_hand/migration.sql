-- Owners sell a position and tighten its stop by hand: each request once, and the sale an intent with a purpose of its own.
ALTER TYPE "IntentPurpose" ADD VALUE 'MANUAL';

CREATE TYPE "ManualOrderKind" AS ENUM ('SELL', 'TIGHTEN_STOP');

CREATE TABLE "ManualOrder" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "kind" "ManualOrderKind" NOT NULL,
    "symbol" TEXT NOT NULL,
    "qty" DECIMAL(24,9),
    "stopPrice" DECIMAL(24,9),
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ManualOrder_pkey" PRIMARY KEY ("id","accountId")
);

CREATE INDEX "ManualOrder_accountId_requestedAt_idx" ON "ManualOrder"("accountId", "requestedAt");

ALTER TABLE "ManualOrder" ADD CONSTRAINT "ManualOrder_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "ManualOrder" ADD CONSTRAINT "ManualOrder_asks_for_its_kind" CHECK (
    CASE "kind" WHEN 'SELL' THEN "stopPrice" IS NULL AND ("qty" IS NULL OR "qty" > 0)
        ELSE "qty" IS NULL AND "stopPrice" IS NOT NULL AND "stopPrice" > 0 END);
-- A new member of an enumeration is compared as text in the transaction that adds it.
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_manual_orders_sell" CHECK ("purpose"::text <> 'MANUAL' OR "side" = 'SELL');
