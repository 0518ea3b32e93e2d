-- The policy in force says the three numbers; a value here takes its place, within the policy's limits.
ALTER TABLE "RotationConfig" ALTER COLUMN "cadenceDays" DROP NOT NULL, ALTER COLUMN "cadenceDays" DROP DEFAULT;
ALTER TABLE "RotationConfig" ALTER COLUMN "turnoverCapPctPerPeriod" DROP NOT NULL, ALTER COLUMN "turnoverCapPctPerPeriod" DROP DEFAULT;
ALTER TABLE "RotationConfig" ALTER COLUMN "costAwareThresholdBps" DROP NOT NULL, ALTER COLUMN "costAwareThresholdBps" DROP DEFAULT;
UPDATE "RotationConfig" SET "cadenceDays" = NULL, "turnoverCapPctPerPeriod" = NULL, "costAwareThresholdBps" = NULL;

ALTER TABLE "RotationPlan"
  ADD COLUMN "environment" "Environment" NOT NULL DEFAULT 'PAPER',
  ADD COLUMN "plannedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "snapshotId" TEXT,
  ADD COLUMN "isAdvisoryOnly" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "fingerprint" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "tradedUsd" DECIMAL(24,9) NOT NULL DEFAULT 0,
  ADD COLUMN "accounts" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "leftOut" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "closedAs" TEXT,
  ADD COLUMN "closedAt" TIMESTAMPTZ(3),
  ADD COLUMN "executedById" UUID,
  ADD COLUMN "secondId" UUID;
ALTER TABLE "RotationPlan" ADD CONSTRAINT "RotationPlan_closedAs_known"
  CHECK ("closedAs" IS NULL OR "closedAs" IN ('expired', 'superseded') AND "approvalStatus" IN ('PENDING', 'APPROVED'));
CREATE UNIQUE INDEX "RotationPlan_market_environment_sessionDate_key" ON "RotationPlan"("market", "environment", "sessionDate");
CREATE INDEX "RotationPlan_createdAt_id_idx" ON "RotationPlan"("createdAt", "id");

ALTER TABLE "RotationLeg"
  ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'resize',
  ADD COLUMN "decisionPrice" DECIMAL(24,9) NOT NULL DEFAULT 0,
  ADD COLUMN "costBps" DOUBLE PRECISION NOT NULL DEFAULT 0,
  ADD COLUMN "outcomeReason" TEXT,
  ADD COLUMN "outcomeAt" TIMESTAMPTZ(3);
UPDATE "RotationLeg" SET "outcome" = 'waiting' WHERE "outcome" IS NULL;
ALTER TABLE "RotationLeg" ALTER COLUMN "outcome" SET DEFAULT 'waiting', ALTER COLUMN "outcome" SET NOT NULL;
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_kind_known" CHECK ("kind" IN ('forced_exit', 'swap', 'enter', 'resize'));
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_outcome_known"
  CHECK ("outcome" IN ('waiting', 'submitted', 'filled', 'refused', 'expired', 'parked'));
CREATE INDEX "RotationLeg_accountId_outcome_idx" ON "RotationLeg"("accountId", "outcome");
-- The worker looks for what is left to do every two seconds: the index holds that and nothing else.
CREATE INDEX "RotationLeg_open" ON "RotationLeg"("planId") WHERE "outcome" IN ('waiting', 'submitted', 'parked');
CREATE INDEX "Intent_rotationLegId_idx" ON "Intent"("rotationLegId");

ALTER TABLE "Backtest" ADD COLUMN "hasRotation" BOOLEAN NOT NULL DEFAULT false;
