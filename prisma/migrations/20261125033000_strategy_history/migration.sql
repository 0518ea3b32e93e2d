-- The history of each strategy that is shown before one chooses it: one row per market and strategy, made anew with each session.
CREATE TABLE "StrategyHistory" (
    "market" "Market" NOT NULL,
    "strategy" "Strategy" NOT NULL,
    "throughDate" DATE NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "engineVersion" TEXT NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "fromDate" DATE,
    "sessions" INTEGER,
    "cash" DECIMAL(24,9),
    "finalEquity" DECIMAL(24,9),
    "totalReturn" DOUBLE PRECISION,
    "maxDrawdown" DOUBLE PRECISION,
    "exposure" DOUBLE PRECISION,
    "trades" INTEGER,
    "winRate" DOUBLE PRECISION,
    "indexReturn" DOUBLE PRECISION,
    "points" JSONB,

    CONSTRAINT "StrategyHistory_pkey" PRIMARY KEY ("market","strategy")
);

ALTER TABLE "StrategyHistory" ADD CONSTRAINT "StrategyHistory_whole_check" CHECK (
    num_nonnulls("fromDate", "sessions", "cash", "finalEquity", "totalReturn", "maxDrawdown", "exposure", "trades", "points")
      = CASE WHEN "reason" IS NULL THEN 9 ELSE 0 END
    AND ("reason" IS NULL OR ("winRate" IS NULL AND "indexReturn" IS NULL)));
ALTER TABLE "StrategyHistory" ADD CONSTRAINT "StrategyHistory_dates_check" CHECK ("fromDate" <= "throughDate" AND "sessions" > 0);
ALTER TABLE "StrategyHistory" ADD CONSTRAINT "StrategyHistory_figures_check" CHECK (
    "cash" > 0 AND "cash" <> 'NaN' AND "finalEquity" <> 'NaN' AND "trades" >= 0 AND "maxDrawdown" BETWEEN -1 AND 0
    AND "winRate" BETWEEN 0 AND 1 AND "totalReturn" <> 'NaN' AND "exposure" <> 'NaN' AND "indexReturn" <> 'NaN');
