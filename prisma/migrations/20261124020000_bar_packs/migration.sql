-- Daily bars of a market's symbols, one row a symbol: what a session reads of 10,000 symbols before it screens them.
CREATE TABLE "BarPack" (
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "firstSession" DATE,
    "lastSession" DATE,
    "bars" INTEGER NOT NULL,
    "through" DATE NOT NULL,
    "columns" BYTEA NOT NULL,

    CONSTRAINT "BarPack_pkey" PRIMARY KEY ("market","symbol"),
    CONSTRAINT "BarPack_range" CHECK (
      "bars" >= 0
      AND ("bars" = 0) = ("firstSession" IS NULL)
      AND ("firstSession" IS NULL) = ("lastSession" IS NULL)
      AND ("bars" = 0 OR ("firstSession" <= "lastSession" AND "lastSession" <= "through"))
    )
);
-- The packed numbers hardly get smaller; trying costs more time than reading them.
ALTER TABLE "BarPack" ALTER COLUMN "columns" SET STORAGE EXTERNAL;

-- Splits and dividends beside them: a restart does not ask for two years again.
CREATE TABLE "MarketEvent" (
    "market" "Market" NOT NULL,
    "exDate" DATE NOT NULL,
    "symbol" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "MarketEvent_pkey" PRIMARY KEY ("market","exDate","symbol","kind","place"),
    CONSTRAINT "MarketEvent_kind" CHECK ("kind" IN ('split', 'dividend')),
    CONSTRAINT "MarketEvent_value" CHECK ("value" > 0 AND "value" < 'Infinity')
);

-- How far the history of a market is loaded.
CREATE TABLE "BarHistory" (
    "market" "Market" NOT NULL,
    "through" DATE NOT NULL,
    "eventsThrough" DATE,
    "symbols" INTEGER NOT NULL,
    "waiting" INTEGER NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "BarHistory_pkey" PRIMARY KEY ("market"),
    CONSTRAINT "BarHistory_waiting" CHECK ("waiting" BETWEEN 0 AND "symbols")
);
