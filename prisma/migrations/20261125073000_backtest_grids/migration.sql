-- A backtest repeated with two of its settings varied. What it found goes with the backtest; that it was tried stays.
CREATE TYPE "GridAxis" AS ENUM ('MAX_POSITIONS', 'POSITION_SIZE', 'PROFIT_TARGET', 'STOP_LOSS');

CREATE TABLE "BacktestGrid" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "backtestId" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "strategy" "Strategy" NOT NULL,
    "rowAxis" "GridAxis" NOT NULL,
    "columnAxis" "GridAxis" NOT NULL,
    "values" JSONB NOT NULL,
    "status" "BacktestStatus" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "runsDone" INTEGER NOT NULL DEFAULT 0,
    "readPercent" INTEGER,
    "beatAt" TIMESTAMPTZ(3),
    "result" JSONB,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "sharpes" DOUBLE PRECISION[],
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "askedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "BacktestGrid_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "BacktestGrid_backtestId_rowAxis_columnAxis_key" ON "BacktestGrid"("backtestId", "rowAxis", "columnAxis");
CREATE INDEX "BacktestGrid_userId_market_strategy_idx" ON "BacktestGrid"("userId", "market", "strategy");
CREATE INDEX "BacktestGrid_status_createdAt_idx" ON "BacktestGrid"("status", "createdAt");

ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_backtestId_fkey" FOREIGN KEY ("backtestId") REFERENCES "Backtest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One question has one order.
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_axes_check" CHECK ("rowAxis" < "columnAxis");
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_progress_check" CHECK ("attempts" >= 0 AND "runsDone" >= 0 AND "tries" >= COALESCE(cardinality("sharpes"), 0));
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_running_check" CHECK ("status" <> 'RUNNING' OR "beatAt" IS NOT NULL);
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_done_check" CHECK (("status" = 'DONE' AND "deletedAt" IS NULL) = ("result" IS NOT NULL));
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_tries_check" CHECK (("status" = 'DONE') = ("tries" > 0));
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_failed_check" CHECK (("status" = 'FAILED') = ("error" IS NOT NULL));
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_deleted_check" CHECK ("deletedAt" IS NULL OR "status" = 'DONE');
-- A person has one in hand at a time.
CREATE UNIQUE INDEX "BacktestGrid_in_hand_key" ON "BacktestGrid" ("userId") WHERE "status" IN ('QUEUED', 'RUNNING');
