-- Runs of the engine over a market's past. A run that came to an end stays as a trial when its owner deletes it: the best
-- of many looks good by luck, and the meter counts all of them.
CREATE TYPE "BacktestStatus" AS ENUM ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED');

CREATE TABLE "Backtest" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "market" "Market" NOT NULL,
    "strategy" "Strategy" NOT NULL,
    "fromDate" DATE NOT NULL,
    "toDate" DATE NOT NULL,
    "cash" DECIMAL(24,9) NOT NULL,
    "preferences" JSONB NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "status" "BacktestStatus" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sessionsDone" INTEGER NOT NULL DEFAULT 0,
    "sessionsTotal" INTEGER,
    "beatAt" TIMESTAMPTZ(3),
    "sharpe" DOUBLE PRECISION,
    "figures" JSONB,
    "record" JSONB,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Backtest_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Backtest_dates_check" CHECK ("fromDate" <= "toDate"),
    CONSTRAINT "Backtest_cash_check" CHECK ("cash" > 0 AND "cash" <> 'NaN'),
    CONSTRAINT "Backtest_progress_check" CHECK ("attempts" >= 0 AND "sessionsDone" >= 0 AND "sessionsDone" <= COALESCE("sessionsTotal", 0)),
    CONSTRAINT "Backtest_running_check" CHECK ("status" <> 'RUNNING' OR "beatAt" IS NOT NULL),
    CONSTRAINT "Backtest_done_check" CHECK ("status" <> 'DONE' OR "deletedAt" IS NOT NULL OR ("record" IS NOT NULL AND "figures" IS NOT NULL)),
    CONSTRAINT "Backtest_failed_check" CHECK (("status" = 'FAILED') = ("error" IS NOT NULL)),
    -- What never came to an end is no trial, and goes when it is deleted.
    CONSTRAINT "Backtest_deleted_check" CHECK ("deletedAt" IS NULL OR "status" = 'DONE')
);
CREATE INDEX "Backtest_userId_createdAt_id_idx" ON "Backtest"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Backtest_status_createdAt_idx" ON "Backtest"("status", "createdAt");
-- A person's runs take turns, whatever number of workers there is.
CREATE UNIQUE INDEX "Backtest_running_key" ON "Backtest"("userId") WHERE "status" = 'RUNNING';
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
