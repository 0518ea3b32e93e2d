-- Calls of providers are counted by minute and by hour; nothing has written rows before.
CREATE TYPE "CallSpan" AS ENUM ('MINUTE', 'HOUR');

UPDATE "ProviderCall" SET "status" = COALESCE("status", 0), "error" = COALESCE("error", '');
ALTER TABLE "ProviderCall"
    ADD COLUMN "span" "CallSpan" NOT NULL DEFAULT 'MINUTE',
    ADD COLUMN "calls" INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN "lastAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ALTER COLUMN "status" SET DEFAULT 0,
    ALTER COLUMN "status" SET NOT NULL,
    ALTER COLUMN "error" SET DEFAULT '',
    ALTER COLUMN "error" SET NOT NULL;
CREATE UNIQUE INDEX "ProviderCall_provider_operation_span_at_ok_status_error_key"
    ON "ProviderCall"("provider", "operation", "span", "at", "ok", "status", "error");
CREATE INDEX "ProviderCall_span_at_idx" ON "ProviderCall"("span", "at");

CREATE TABLE "ProcessBeat" (
    "owner" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "build" TEXT NOT NULL,
    "orderProtocol" INTEGER NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "beatAt" TIMESTAMPTZ(3) NOT NULL,
    "lagMs" INTEGER NOT NULL,

    CONSTRAINT "ProcessBeat_pkey" PRIMARY KEY ("owner")
);

CREATE TABLE "StreamState" (
    "accountId" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StreamState_pkey" PRIMARY KEY ("accountId"),
    CONSTRAINT "StreamState_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "SystemSample" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "pendingJobs" INTEGER,
    "processingJobs" INTEGER,
    "failedJobs" INTEGER,
    "overdueSchedules" INTEGER NOT NULL,
    "clockSkewMs" INTEGER,

    CONSTRAINT "SystemSample_pkey" PRIMARY KEY ("at")
);
