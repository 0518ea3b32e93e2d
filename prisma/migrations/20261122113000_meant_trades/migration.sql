-- Trades that were meant: a trade is an order that was meant to trade (an entry, an exit) or that was filled. A protective order
-- that never filled, whether it is a leg of a bracket or a pair of its own, stands on its entry's page and counts nowhere.

DROP INDEX "Order_trades_by_date";
DROP INDEX "Order_trades_by_symbol";
DROP INDEX "Order_trades_by_quantity";
DROP INDEX "Order_trades_by_price";
DROP INDEX "Order_trades_by_total";
DROP INDEX "Order_all_by_date";
DROP INDEX "Order_all_by_symbol";
DROP INDEX "Order_all_by_quantity";
DROP INDEX "Order_all_by_price";
DROP INDEX "Order_all_by_total";
DROP INDEX "Order_all_unfilled";

-- As sums of the migration trade_days, but for the condition.
DO $make$
DECLARE
  kind record;
BEGIN
  FOR kind IN SELECT * FROM (VALUES
    ('new', 'SELECT 1 AS "sign", * FROM after_rows'),
    ('gone', 'SELECT -1 AS "sign", * FROM before_rows'),
    ('changed', 'SELECT 1 AS "sign", * FROM after_rows UNION ALL SELECT -1, * FROM before_rows')
  ) AS k("name", "rows")
  LOOP
    EXECUTE format($function$
      CREATE OR REPLACE FUNCTION sum_%1$s_trades() RETURNS trigger LANGUAGE plpgsql AS $body$
      DECLARE
        emptied "TradeSum"[];
      BEGIN
        WITH kept AS (
          INSERT INTO "TradeSum" AS total ("accountId", "span", "symbol", "start", "side", "status", "trades", "volume")
            SELECT r."accountId", k."span", k."spanSymbol", k."start", r."side", r."status", sum(r."sign"), sum(r."sign" * r."filledValue")
            FROM (%2$s) AS r CROSS JOIN LATERAL sum_keys(r."tradedAt", r."symbol") AS k
            WHERE (r."filledQty" > 0 OR (r."parentId" IS NULL AND r."role" NOT IN ('STOP', 'TARGET')))
              AND EXISTS (SELECT 1 FROM "Account" a WHERE a."id" = r."accountId")
            GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(r."sign") <> 0 OR sum(r."sign" * r."filledValue") <> 0
            ORDER BY 1, 2, 3, 4, 5, 6
            ON CONFLICT ("accountId", "span", "symbol", "start", "side", "status")
            DO UPDATE SET "trades" = total."trades" + excluded."trades", "volume" = total."volume" + excluded."volume"
            RETURNING total.*
        ) SELECT array_agg(kept::"TradeSum") FILTER (WHERE "trades" = 0 AND "volume" = 0) INTO emptied FROM kept;
        IF emptied IS NOT NULL THEN
          DELETE FROM "TradeSum" AS total USING unnest(emptied) AS e
            WHERE (total."accountId", total."span", total."symbol", total."start", total."side", total."status")
              = (e."accountId", e."span", e."symbol", e."start", e."side", e."status");
        END IF;
        RETURN NULL;
      END $body$;
    $function$, kind."name", kind."rows");
  END LOOP;
END $make$;

TRUNCATE "TradeSum";
INSERT INTO "TradeSum" ("accountId", "span", "symbol", "start", "side", "status", "trades", "volume")
  SELECT r."accountId", k."span", k."spanSymbol", k."start", r."side", r."status", count(*), sum(r."filledValue")
  FROM "Order" AS r CROSS JOIN LATERAL sum_keys(r."tradedAt", r."symbol") AS k
  WHERE (r."filledQty" > 0 OR (r."parentId" IS NULL AND r."role" NOT IN ('STOP', 'TARGET')))
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6;

CREATE INDEX "Order_trades_by_date" ON "Order" ("accountId", "tradedAt", "id") INCLUDE ("symbol", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_symbol" ON "Order" ("accountId", "symbol", "id") INCLUDE ("tradedAt", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_quantity" ON "Order" ("accountId", "filledQty", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_price" ON "Order" ("accountId", (coalesce("filledAvgPrice", 0)), "id") INCLUDE ("filledAvgPrice", "tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_total" ON "Order" ("accountId", "filledValue", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_date" ON "Order" ("tradedAt", "id") INCLUDE ("symbol", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_symbol" ON "Order" ("symbol", "id") INCLUDE ("tradedAt", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_quantity" ON "Order" ("filledQty", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_price" ON "Order" ((coalesce("filledAvgPrice", 0)), "id") INCLUDE ("filledAvgPrice", "tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_total" ON "Order" ("filledValue", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_unfilled" ON "Order" ("status", "tradedAt", "id") INCLUDE ("symbol", "side", "filledValue", "filledQty", "filledAvgPrice")
  WHERE "status" <> 'FILLED' AND ("filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET')));

-- The protective orders of a symbol in a stretch of time, for the page of its entry.
CREATE INDEX "Order_protective" ON "Order" ("accountId", "symbol", "submittedAt", "id") WHERE "role" IN ('STOP', 'TARGET');
