-- Settings that are tried on the last sessions before they are saved: one try of a person at a time, kept until the next.
CREATE TABLE "SettingsPreview" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "fromDate" DATE NOT NULL,
    "toDate" DATE NOT NULL,
    "sessions" INTEGER NOT NULL,
    "cash" DECIMAL(24,9) NOT NULL,
    "cashOf" TEXT,
    "draft" JSONB NOT NULL,
    "saved" JSONB NOT NULL,
    "hasRotation" BOOLEAN NOT NULL DEFAULT false,
    "policyVersion" TEXT NOT NULL,
    "status" "BacktestStatus" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sessionsDone" INTEGER NOT NULL DEFAULT 0,
    "sessionsTotal" INTEGER,
    "readPercent" INTEGER,
    "beatAt" TIMESTAMPTZ(3),
    "result" JSONB,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SettingsPreview_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "SettingsPreview_userId_key" ON "SettingsPreview"("userId");
CREATE INDEX "SettingsPreview_status_createdAt_idx" ON "SettingsPreview"("status", "createdAt");

ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_dates_check" CHECK ("fromDate" <= "toDate" AND "sessions" > 0);
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_cash_check" CHECK ("cash" > 0 AND "cash" <> 'NaN');
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_progress_check" CHECK ("attempts" >= 0 AND "sessionsDone" >= 0 AND "sessionsDone" <= COALESCE("sessionsTotal", 0));
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_running_check" CHECK ("status" <> 'RUNNING' OR "beatAt" IS NOT NULL);
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_done_check" CHECK (("status" = 'DONE') = ("result" IS NOT NULL));
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_failed_check" CHECK (("status" = 'FAILED') = ("error" IS NOT NULL));
