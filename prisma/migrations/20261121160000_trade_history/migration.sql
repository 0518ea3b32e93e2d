-- Trade history: how many trades of a kind there are and what they moved, so that no page adds up the past; and one index
-- per order in which the list can be read.

CREATE TABLE "TradeTally" (
    "accountId" UUID NOT NULL,
    "symbol" TEXT NOT NULL,
    "side" "Side" NOT NULL,
    "status" "OrderStatus" NOT NULL,
    "trades" INTEGER NOT NULL DEFAULT 0,
    "volume" DECIMAL(30,9) NOT NULL DEFAULT 0,

    CONSTRAINT "TradeTally_pkey" PRIMARY KEY ("accountId","symbol","side","status"),
    CONSTRAINT "TradeTally_counts" CHECK ("trades" >= 0 AND "volume" <> 'NaN' AND ("trades" > 0 OR "volume" = 0))
);
ALTER TABLE "TradeTally" ADD CONSTRAINT "TradeTally_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Kept in the transaction of the order's own change, whoever makes it: it cannot drift. A resting leg of a bracket becomes a
-- trade when it fills; until then it is a part of its entry.
CREATE FUNCTION tally_new_trades() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "TradeTally" AS tally ("accountId", "symbol", "side", "status", "trades", "volume")
    SELECT "accountId", "symbol", "side", "status", count(*), sum("filledValue") FROM after_rows
    WHERE ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED')
    GROUP BY "accountId", "symbol", "side", "status" ORDER BY "accountId", "symbol", "side", "status"
    ON CONFLICT ("accountId", "symbol", "side", "status")
    DO UPDATE SET "trades" = tally."trades" + excluded."trades", "volume" = tally."volume" + excluded."volume";
  RETURN NULL;
END $$;
CREATE FUNCTION tally_gone_trades() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "TradeTally" AS tally SET "trades" = tally."trades" - gone."trades", "volume" = tally."volume" - gone."volume"
    FROM (
      SELECT "accountId", "symbol", "side", "status", count(*) AS "trades", sum("filledValue") AS "volume" FROM before_rows
      WHERE ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED')
      GROUP BY "accountId", "symbol", "side", "status"
    ) AS gone
    WHERE (tally."accountId", tally."symbol", tally."side", tally."status")
      = (gone."accountId", gone."symbol", gone."side", gone."status");
  RETURN NULL;
END $$;
CREATE FUNCTION tally_changed_trades() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "TradeTally" AS tally SET "trades" = tally."trades" - gone."trades", "volume" = tally."volume" - gone."volume"
    FROM (
      SELECT "accountId", "symbol", "side", "status", count(*) AS "trades", sum("filledValue") AS "volume" FROM (
        SELECT "id", "accountId", "symbol", "side", "status", "filledValue" FROM before_rows WHERE ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED')
        EXCEPT SELECT "id", "accountId", "symbol", "side", "status", "filledValue" FROM after_rows WHERE ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED')
      ) AS changed GROUP BY "accountId", "symbol", "side", "status"
    ) AS gone
    WHERE (tally."accountId", tally."symbol", tally."side", tally."status")
      = (gone."accountId", gone."symbol", gone."side", gone."status");
  INSERT INTO "TradeTally" AS tally ("accountId", "symbol", "side", "status", "trades", "volume")
    SELECT "accountId", "symbol", "side", "status", count(*), sum("filledValue") FROM (
      SELECT "id", "accountId", "symbol", "side", "status", "filledValue" FROM after_rows WHERE ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED')
      EXCEPT SELECT "id", "accountId", "symbol", "side", "status", "filledValue" FROM before_rows WHERE ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED')
    ) AS changed GROUP BY "accountId", "symbol", "side", "status" ORDER BY "accountId", "symbol", "side", "status"
    ON CONFLICT ("accountId", "symbol", "side", "status")
    DO UPDATE SET "trades" = tally."trades" + excluded."trades", "volume" = tally."volume" + excluded."volume";
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_tally_new" AFTER INSERT ON "Order" REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_new_trades();
CREATE TRIGGER "Order_tally_gone" AFTER DELETE ON "Order" REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_gone_trades();
CREATE TRIGGER "Order_tally_changed" AFTER UPDATE ON "Order" REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_trades();

INSERT INTO "TradeTally" ("accountId", "symbol", "side", "status", "trades", "volume")
  SELECT "accountId", "symbol", "side", "status", count(*), sum("filledValue") FROM "Order" WHERE ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED')
  GROUP BY "accountId", "symbol", "side", "status";

-- Each holds everything that the list filters and adds up by: the table itself is read for the rows of one page only.
-- The condition is spelled out as the queries spell it.
CREATE INDEX "Order_trades_by_date" ON "Order" ("accountId", "tradedAt", "id") INCLUDE ("symbol", "side", "status", "filledValue")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_trades_by_symbol" ON "Order" ("accountId", "symbol", "id") INCLUDE ("tradedAt", "side", "status", "filledValue")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_trades_by_quantity" ON "Order" ("accountId", "filledQty", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_trades_by_price" ON "Order" ("accountId", (coalesce("filledAvgPrice", 0)), "id") INCLUDE ("filledAvgPrice", "tradedAt", "symbol", "side", "status")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_trades_by_total" ON "Order" ("accountId", "filledValue", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "RoundTrip_closed_by_date" ON "RoundTrip" ("accountId", "closedAt") INCLUDE ("symbol", "outcome") WHERE "closedAt" IS NOT NULL;
CREATE INDEX "RoundTrip_closed_by_symbol" ON "RoundTrip" ("accountId", "symbol", "closedAt") INCLUDE ("outcome") WHERE "closedAt" IS NOT NULL;

-- The page of a trade: its legs, its gates, what its fills opened and closed.
CREATE INDEX "Order_parentId_idx" ON "Order"("parentId");
CREATE INDEX "Order_intentId_idx" ON "Order"("intentId");
CREATE INDEX "Fill_orderId_idx" ON "Fill"("orderId");
CREATE INDEX "Lot_openFillId_idx" ON "Lot"("openFillId");
CREATE INDEX "LotClosure_fillId_idx" ON "LotClosure"("fillId");
CREATE INDEX "LotClosure_lotId_idx" ON "LotClosure"("lotId");
CREATE INDEX "RoundTrip_accountId_symbol_openedAt_idx" ON "RoundTrip"("accountId", "symbol", "openedAt");
