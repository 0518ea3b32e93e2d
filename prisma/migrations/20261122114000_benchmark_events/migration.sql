-- Benchmark events: splits and dividends of SPY, by which its total return is told beside an account's. They are written with the first
-- session that a market opens, for as far back as its bars are kept.

CREATE TABLE "BenchmarkEvent" (
    "market" "Market" NOT NULL,
    "exDate" DATE NOT NULL,
    "ratio" DOUBLE PRECISION NOT NULL,
    "dividend" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "BenchmarkEvent_pkey" PRIMARY KEY ("market","exDate"),
    CONSTRAINT "BenchmarkEvent_values" CHECK ("ratio" > 0 AND "ratio" < 'Infinity' AND "dividend" >= 0 AND "dividend" < 'Infinity')
);
