-- Trade days: what the trades of a kind come to in each New York year and day, symbol by symbol and over all symbols. A summary
-- reads whole years and days from here, and from the trades only what sticks out at the ends of its period: its cost grows
-- with the days of the period, never with the trades in it. Closed round trips alike.

DROP TRIGGER "Order_tally_new" ON "Order";
DROP TRIGGER "Order_tally_gone" ON "Order";
DROP TRIGGER "Order_tally_changed" ON "Order";
DROP FUNCTION tally_new_trades();
DROP FUNCTION tally_gone_trades();
DROP FUNCTION tally_changed_trades();
DROP TABLE "TradeTally";

CREATE TYPE "SumSpan" AS ENUM ('YEAR', 'DAY', 'SYMBOL_YEAR', 'SYMBOL_DAY');

CREATE TABLE "TradeSum" (
    "accountId" UUID NOT NULL,
    "span" "SumSpan" NOT NULL,
    "symbol" TEXT NOT NULL,
    "start" DATE NOT NULL,
    "side" "Side" NOT NULL,
    "status" "OrderStatus" NOT NULL,
    "trades" INTEGER NOT NULL,
    "volume" DECIMAL(30,9) NOT NULL,

    CONSTRAINT "TradeSum_pkey" PRIMARY KEY ("accountId","span","symbol","start","side","status") INCLUDE ("trades", "volume")
);
CREATE TABLE "TripSum" (
    "accountId" UUID NOT NULL,
    "span" "SumSpan" NOT NULL,
    "symbol" TEXT NOT NULL,
    "start" DATE NOT NULL,
    "outcome" "TripOutcome" NOT NULL,
    "trips" INTEGER NOT NULL,

    CONSTRAINT "TripSum_pkey" PRIMARY KEY ("accountId","span","symbol","start","outcome") INCLUDE ("trips")
);
ALTER TABLE "TradeSum" ADD CONSTRAINT "TradeSum_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "TripSum" ADD CONSTRAINT "TripSum_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- Their keys hold all that is added up: a summary reads a short stretch of an index, wherever the rows of many years lie.

-- The four sums that a moment in a symbol counts towards.
CREATE FUNCTION sum_keys("at" timestamptz, "symbol" text)
RETURNS TABLE ("span" "SumSpan", "spanSymbol" text, "start" date) LANGUAGE sql IMMUTABLE AS $$
  SELECT k."span", k."spanSymbol", k."start"
  FROM (SELECT ("at" AT TIME ZONE 'America/New_York')::date AS "day") AS d
    CROSS JOIN LATERAL (VALUES
      ('YEAR'::"SumSpan", '', date_trunc('year', d."day")::date),
      ('DAY', '', d."day"),
      ('SYMBOL_YEAR', "symbol", date_trunc('year', d."day")::date),
      ('SYMBOL_DAY', "symbol", d."day")
    ) AS k("span", "spanSymbol", "start")
$$;

-- Kept in the transaction of the row's own change, whoever makes it: a sum cannot drift. What a statement takes away and what
-- it adds come to one change per sum, and the sums are always written in the order of their key: two statements
-- wait for one another, never both at once. A resting leg of a bracket becomes a trade when it fills; until then it is a part of
-- its entry. When an account goes, its sums go by themselves.
DO $make$
DECLARE
  kind record;
BEGIN
  FOR kind IN SELECT * FROM (VALUES
    ('new', 'INSERT', 'REFERENCING NEW TABLE AS after_rows',
      'SELECT 1 AS "sign", * FROM after_rows'),
    ('gone', 'DELETE', 'REFERENCING OLD TABLE AS before_rows',
      'SELECT -1 AS "sign", * FROM before_rows'),
    ('changed', 'UPDATE', 'REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows',
      'SELECT 1 AS "sign", * FROM after_rows UNION ALL SELECT -1, * FROM before_rows')
  ) AS k("name", "event", "tables", "rows")
  LOOP
    EXECUTE format($function$
      CREATE FUNCTION sum_%1$s_trades() RETURNS trigger LANGUAGE plpgsql AS $body$
      DECLARE
        emptied "TradeSum"[];
      BEGIN
        WITH kept AS (
          INSERT INTO "TradeSum" AS total ("accountId", "span", "symbol", "start", "side", "status", "trades", "volume")
            SELECT r."accountId", k."span", k."spanSymbol", k."start", r."side", r."status", sum(r."sign"), sum(r."sign" * r."filledValue")
            FROM (%2$s) AS r CROSS JOIN LATERAL sum_keys(r."tradedAt", r."symbol") AS k
            WHERE (r."parentId" IS NULL OR r."filledQty" > 0 OR r."status" = 'REJECTED')
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
      CREATE TRIGGER "Order_sum_%1$s" AFTER %3$s ON "Order" %4$s
        FOR EACH STATEMENT EXECUTE FUNCTION sum_%1$s_trades();

      CREATE FUNCTION sum_%1$s_trips() RETURNS trigger LANGUAGE plpgsql AS $body$
      DECLARE
        emptied "TripSum"[];
      BEGIN
        WITH kept AS (
          INSERT INTO "TripSum" AS total ("accountId", "span", "symbol", "start", "outcome", "trips")
            SELECT r."accountId", k."span", k."spanSymbol", k."start", r."outcome", sum(r."sign")
            FROM (%2$s) AS r CROSS JOIN LATERAL sum_keys(r."closedAt", r."symbol") AS k
            WHERE r."closedAt" IS NOT NULL AND EXISTS (SELECT 1 FROM "Account" a WHERE a."id" = r."accountId")
            GROUP BY 1, 2, 3, 4, 5 HAVING sum(r."sign") <> 0
            ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT ("accountId", "span", "symbol", "start", "outcome")
            DO UPDATE SET "trips" = total."trips" + excluded."trips"
            RETURNING total.*
        ) SELECT array_agg(kept::"TripSum") FILTER (WHERE "trips" = 0) INTO emptied FROM kept;
        IF emptied IS NOT NULL THEN
          DELETE FROM "TripSum" AS total USING unnest(emptied) AS e
            WHERE (total."accountId", total."span", total."symbol", total."start", total."outcome")
              = (e."accountId", e."span", e."symbol", e."start", e."outcome");
        END IF;
        RETURN NULL;
      END $body$;
      CREATE TRIGGER "RoundTrip_sum_%1$s" AFTER %3$s ON "RoundTrip" %4$s
        FOR EACH STATEMENT EXECUTE FUNCTION sum_%1$s_trips();
    $function$, kind."name", kind."rows", kind."event", kind."tables");
  END LOOP;
END $make$;

INSERT INTO "TradeSum" ("accountId", "span", "symbol", "start", "side", "status", "trades", "volume")
  SELECT r."accountId", k."span", k."spanSymbol", k."start", r."side", r."status", count(*), sum(r."filledValue")
  FROM "Order" AS r CROSS JOIN LATERAL sum_keys(r."tradedAt", r."symbol") AS k
  WHERE (r."parentId" IS NULL OR r."filledQty" > 0 OR r."status" = 'REJECTED')
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6;
INSERT INTO "TripSum" ("accountId", "span", "symbol", "start", "outcome", "trips")
  SELECT r."accountId", k."span", k."spanSymbol", k."start", r."outcome", count(*)
  FROM "RoundTrip" AS r CROSS JOIN LATERAL sum_keys(r."closedAt", r."symbol") AS k
  WHERE r."closedAt" IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;

-- The same orders of the list for administrators, who see everybody's trades at once, and the few that are not filled. Which symbols
-- there are is read along an index, from one to the next.
CREATE INDEX "Order_all_by_date" ON "Order" ("tradedAt", "id") INCLUDE ("symbol", "side", "status", "filledValue")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_all_by_symbol" ON "Order" ("symbol", "id") INCLUDE ("tradedAt", "side", "status", "filledValue")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_all_by_quantity" ON "Order" ("filledQty", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_all_by_price" ON "Order" ((coalesce("filledAvgPrice", 0)), "id") INCLUDE ("filledAvgPrice", "tradedAt", "symbol", "side", "status")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_all_by_total" ON "Order" ("filledValue", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED';
CREATE INDEX "Order_all_unfilled" ON "Order" ("status", "tradedAt", "id") INCLUDE ("symbol", "side", "filledValue", "filledQty", "filledAvgPrice")
  WHERE "status" <> 'FILLED' AND ("parentId" IS NULL OR "filledQty" > 0 OR "status" = 'REJECTED');
CREATE INDEX "RoundTrip_all_by_symbol" ON "RoundTrip" ("symbol", "closedAt") INCLUDE ("outcome") WHERE "closedAt" IS NOT NULL;
-- The indexes of trades by date serve what these did.
DROP INDEX "Order_accountId_tradedAt_id_idx";
DROP INDEX "Order_tradedAt_id_idx";
