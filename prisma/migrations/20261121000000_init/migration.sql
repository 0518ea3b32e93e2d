-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('USER', 'ADMIN');

-- CreateEnum
CREATE TYPE "TokenKind" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD');

-- CreateEnum
CREATE TYPE "AccountType" AS ENUM ('INDIVIDUAL', 'JOINT', 'TRUST', 'CORPORATE');

-- CreateEnum
CREATE TYPE "Environment" AS ENUM ('PAPER', 'LIVE');

-- CreateEnum
CREATE TYPE "BrokerKind" AS ENUM ('PRACTICE', 'ALPACA');

-- CreateEnum
CREATE TYPE "Market" AS ENUM ('PRACTICE', 'US');

-- CreateEnum
CREATE TYPE "AccountStatus" AS ENUM ('ACTIVE', 'INACTIVE', 'PAUSED');

-- CreateEnum
CREATE TYPE "KillState" AS ENUM ('NONE', 'NO_NEW_ENTRIES', 'REDUCE_ONLY', 'FLATTEN');

-- CreateEnum
CREATE TYPE "Strategy" AS ENUM ('MOMENTUM', 'MEAN_REVERSION', 'BREAKOUT');

-- CreateEnum
CREATE TYPE "RiskTolerance" AS ENUM ('LOW', 'MEDIUM', 'HIGH');

-- CreateEnum
CREATE TYPE "RiskLevel" AS ENUM ('LOW', 'MEDIUM', 'HIGH');

-- CreateEnum
CREATE TYPE "Side" AS ENUM ('BUY', 'SELL');

-- CreateEnum
CREATE TYPE "IntentPurpose" AS ENUM ('ENTRY', 'EXIT', 'TRIM', 'PROTECT', 'ROTATION', 'FLATTEN');

-- CreateEnum
CREATE TYPE "IntentStatus" AS ENUM ('PLANNED', 'GATED', 'DENIED', 'SUBMITTING', 'UNKNOWN', 'PARKED', 'LIVE', 'FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'HALTED');

-- CreateEnum
CREATE TYPE "OrderOrigin" AS ENUM ('OURS', 'EXTERNAL');

-- CreateEnum
CREATE TYPE "OrderRole" AS ENUM ('ENTRY', 'EXIT', 'STOP', 'TARGET', 'EXTERNAL');

-- CreateEnum
CREATE TYPE "OrderClass" AS ENUM ('SIMPLE', 'BRACKET', 'OCO', 'OTO');

-- CreateEnum
CREATE TYPE "OrderType" AS ENUM ('MARKET', 'LIMIT', 'STOP', 'STOP_LIMIT', 'TRAILING_STOP');

-- CreateEnum
CREATE TYPE "OrderStatus" AS ENUM ('PENDING_NEW', 'ACCEPTED', 'NEW', 'HELD', 'PARTIALLY_FILLED', 'PENDING_CANCEL', 'PENDING_REPLACE', 'DONE_FOR_DAY', 'OTHER', 'FILLED', 'CANCELED', 'EXPIRED', 'REJECTED', 'REPLACED');

-- CreateEnum
CREATE TYPE "TripOutcome" AS ENUM ('WIN', 'LOSS', 'SCRATCH');

-- CreateEnum
CREATE TYPE "CycleStatus" AS ENUM ('RUNNING', 'DONE', 'FAILED', 'COALESCED');

-- CreateEnum
CREATE TYPE "Regime" AS ENUM ('risk_on', 'neutral', 'risk_off');

-- CreateEnum
CREATE TYPE "SeatKind" AS ENUM ('sticky', 'fresh');

-- CreateEnum
CREATE TYPE "QaStatus" AS ENUM ('PASS', 'FAIL', 'UNKNOWN');

-- CreateEnum
CREATE TYPE "Severity" AS ENUM ('critical', 'high', 'medium', 'low');

-- CreateEnum
CREATE TYPE "PlanStatus" AS ENUM ('PENDING', 'APPROVED', 'REJECTED', 'EXECUTED');

-- CreateEnum
CREATE TYPE "PolicyStatus" AS ENUM ('DRAFT', 'ACTIVE', 'RETIRED');

-- CreateEnum
CREATE TYPE "FlagEnvironment" AS ENUM ('development', 'staging', 'production');

-- CreateEnum
CREATE TYPE "LogLevel" AS ENUM ('debug', 'info', 'warn', 'error');

-- CreateTable
CREATE TABLE "User" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "role" "Role" NOT NULL DEFAULT 'USER',
    "emailVerifiedAt" TIMESTAMPTZ(3),
    "tokenVersion" INTEGER NOT NULL DEFAULT 0,
    "displayName" TEXT,
    "bio" TEXT,
    "disabledAt" TIMESTAMPTZ(3),
    "automationPausedAt" TIMESTAMPTZ(3),
    "pausedReason" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SignIn" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "jti" TEXT NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SignIn_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EmailToken" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "kind" "TokenKind" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "EmailToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TradingPreferences" (
    "userId" UUID NOT NULL,
    "strategy" "Strategy" NOT NULL DEFAULT 'MOMENTUM',
    "riskTolerance" "RiskTolerance" NOT NULL DEFAULT 'MEDIUM',
    "riskLevel" "RiskLevel" NOT NULL DEFAULT 'MEDIUM',
    "paperTradingOnly" BOOLEAN NOT NULL DEFAULT true,
    "defaultOrderSize" DECIMAL(24,9) NOT NULL DEFAULT 1000,
    "maxPositions" INTEGER NOT NULL DEFAULT 3,
    "maxPositionValue" DECIMAL(24,9) NOT NULL DEFAULT 1000,
    "profitTarget" DECIMAL(6,3) NOT NULL DEFAULT 5,
    "stopLoss" DECIMAL(6,3) NOT NULL DEFAULT 3,
    "checkInterval" INTEGER NOT NULL DEFAULT 5,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "TradingPreferences_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "NotificationPreferences" (
    "userId" UUID NOT NULL,
    "emailNotifications" BOOLEAN NOT NULL DEFAULT true,
    "orderNotifications" BOOLEAN NOT NULL DEFAULT true,
    "tradeNotifications" BOOLEAN NOT NULL DEFAULT true,
    "weeklySummary" BOOLEAN NOT NULL DEFAULT true,
    "systemAlerts" BOOLEAN NOT NULL DEFAULT true,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "NotificationPreferences_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Account" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT,
    "accountType" "AccountType" NOT NULL DEFAULT 'INDIVIDUAL',
    "environment" "Environment" NOT NULL DEFAULT 'PAPER',
    "broker" "BrokerKind" NOT NULL,
    "market" "Market" NOT NULL,
    "status" "AccountStatus" NOT NULL DEFAULT 'ACTIVE',
    "brokerAccountId" TEXT NOT NULL,
    "keyPrefix" TEXT,
    "sealedKeys" TEXT,
    "killState" "KillState" NOT NULL DEFAULT 'NONE',
    "haltedAt" TIMESTAMPTZ(3),
    "haltReason" TEXT,
    "writerEpoch" INTEGER NOT NULL DEFAULT 0,
    "orderWatermark" TIMESTAMPTZ(3),
    "activityWatermark" TIMESTAMPTZ(3),
    "reconciledAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AccountFigures" (
    "accountId" UUID NOT NULL,
    "equity" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "lastEquity" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "cash" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "buyingPower" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "longMarketValue" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "highWaterMark" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "netDeposits" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "realizedPnl" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "fees" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "dividends" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "totalVolume" DECIMAL(30,9) NOT NULL DEFAULT 0,
    "tradeCount" INTEGER NOT NULL DEFAULT 0,
    "winningTrips" INTEGER NOT NULL DEFAULT 0,
    "losingTrips" INTEGER NOT NULL DEFAULT 0,
    "scratchTrips" INTEGER NOT NULL DEFAULT 0,
    "asOf" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AccountFigures_pkey" PRIMARY KEY ("accountId")
);

-- CreateTable
CREATE TABLE "Position" (
    "accountId" UUID NOT NULL,
    "symbol" TEXT NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "avgEntryPrice" DECIMAL(24,9) NOT NULL,
    "currentPrice" DECIMAL(24,9),
    "marketValue" DECIMAL(24,9),
    "unrealizedPnl" DECIMAL(24,9),
    "unrealizedPnlPercent" DECIMAL(18,9),
    "strategy" "Strategy",
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "stopPrice" DECIMAL(24,9),
    "targetPrice" DECIMAL(24,9),
    "review" JSONB NOT NULL DEFAULT '{}',
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Position_pkey" PRIMARY KEY ("accountId","symbol")
);

-- CreateTable
CREATE TABLE "EquityPoint" (
    "accountId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sessionDate" DATE NOT NULL,
    "isClose" BOOLEAN NOT NULL DEFAULT false,
    "equity" DECIMAL(24,9) NOT NULL,
    "cash" DECIMAL(24,9),
    "longMarketValue" DECIMAL(24,9),
    "netDeposits" DECIMAL(24,9) NOT NULL,

    CONSTRAINT "EquityPoint_pkey" PRIMARY KEY ("accountId","at")
);

-- CreateTable
CREATE TABLE "CashFlow" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "activityId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "symbol" TEXT,
    "amount" DECIMAL(24,9) NOT NULL,
    "isExternal" BOOLEAN NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CashFlow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AppliedCorporateAction" (
    "accountId" UUID NOT NULL,
    "activityId" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ratio" DECIMAL(24,9) NOT NULL,
    "exDate" DATE NOT NULL,
    "appliedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AppliedCorporateAction_pkey" PRIMARY KEY ("accountId","activityId")
);

-- CreateTable
CREATE TABLE "MarketSnapshot" (
    "id" TEXT NOT NULL,
    "market" "Market" NOT NULL,
    "asOf" TIMESTAMPTZ(3) NOT NULL,
    "content" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MarketSnapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Cycle" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "sessionDate" DATE NOT NULL,
    "snapshotId" TEXT,
    "selectionId" UUID,
    "status" "CycleStatus" NOT NULL DEFAULT 'RUNNING',
    "line" TEXT,
    "screened" INTEGER NOT NULL DEFAULT 0,
    "seated" INTEGER NOT NULL DEFAULT 0,
    "signals" INTEGER NOT NULL DEFAULT 0,
    "orders" INTEGER NOT NULL DEFAULT 0,
    "coalesced" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Cycle_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DecisionRecord" (
    "id" UUID NOT NULL,
    "cycleId" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "engineVersion" TEXT NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "snapshotId" TEXT NOT NULL,
    "inputHash" TEXT NOT NULL,
    "accountState" JSONB NOT NULL,
    "plan" JSONB NOT NULL,
    "outputHash" TEXT NOT NULL,
    "line" TEXT NOT NULL,
    "decidedAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DecisionRecord_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Selection" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "sessionDate" DATE NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "memory" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Selection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Seat" (
    "selectionId" UUID NOT NULL,
    "symbol" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "kind" "SeatKind" NOT NULL,
    "sector" TEXT NOT NULL,
    "lastPrice" DECIMAL(24,9) NOT NULL,
    "compositeScore" DOUBLE PRECISION NOT NULL,
    "liquidityScore" DOUBLE PRECISION NOT NULL,
    "sentimentScore" DOUBLE PRECISION,
    "technicalScore" DOUBLE PRECISION NOT NULL,
    "momentumPercentile" DOUBLE PRECISION,
    "coverage" DOUBLE PRECISION NOT NULL,
    "tenureSessions" INTEGER NOT NULL,
    "reasons" TEXT[],

    CONSTRAINT "Seat_pkey" PRIMARY KEY ("selectionId","symbol")
);

-- CreateTable
CREATE TABLE "RegimeReading" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "sessionDate" DATE NOT NULL,
    "label" "Regime" NOT NULL,
    "vix" DOUBLE PRECISION,
    "spyClose" DOUBLE PRECISION,
    "spyMa20" DOUBLE PRECISION,
    "spyMa50" DOUBLE PRECISION,
    "votes" INTEGER NOT NULL,
    "hasFlipped" BOOLEAN NOT NULL,
    "memory" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RegimeReading_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EarningsWatch" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "sessionDate" DATE NOT NULL,
    "rank" INTEGER NOT NULL,
    "symbol" TEXT NOT NULL,
    "companyName" TEXT NOT NULL,
    "sector" TEXT NOT NULL,
    "lastPrice" DECIMAL(24,9) NOT NULL,
    "earningsDate" DATE NOT NULL,
    "earningsTime" TEXT NOT NULL,
    "riskLevel" "RiskLevel" NOT NULL,
    "expectedMove" DOUBLE PRECISION NOT NULL,
    "upside" DOUBLE PRECISION NOT NULL,
    "upsideSource" TEXT NOT NULL,
    "volumeRatio" DOUBLE PRECISION,
    "watchlistReason" TEXT NOT NULL,

    CONSTRAINT "EarningsWatch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "NewsItem" (
    "market" "Market" NOT NULL,
    "id" TEXT NOT NULL,
    "symbols" TEXT[],
    "headline" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "publishedAt" TIMESTAMPTZ(3) NOT NULL,
    "score" DOUBLE PRECISION,
    "scoreSource" TEXT,

    CONSTRAINT "NewsItem_pkey" PRIMARY KEY ("market","id")
);

-- CreateTable
CREATE TABLE "QaResult" (
    "id" UUID NOT NULL,
    "ruleId" TEXT NOT NULL,
    "status" "QaStatus" NOT NULL,
    "severity" "Severity" NOT NULL,
    "message" TEXT NOT NULL,
    "expected" TEXT NOT NULL,
    "actual" TEXT NOT NULL,
    "margin" DOUBLE PRECISION,
    "selectionId" UUID,
    "rotationPlanId" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "QaResult_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Intent" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "decisionId" UUID,
    "rotationLegId" UUID,
    "planId" UUID NOT NULL,
    "leg" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "clientOrderId" TEXT NOT NULL,
    "purpose" "IntentPurpose" NOT NULL,
    "reason" TEXT NOT NULL,
    "strategy" "Strategy",
    "symbol" TEXT NOT NULL,
    "side" "Side" NOT NULL,
    "orderClass" "OrderClass" NOT NULL DEFAULT 'SIMPLE',
    "type" "OrderType" NOT NULL,
    "timeInForce" TEXT NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "limitPrice" DECIMAL(24,9),
    "stopPrice" DECIMAL(24,9),
    "takeProfitPrice" DECIMAL(24,9),
    "stopLossPrice" DECIMAL(24,9),
    "decisionPrice" DECIMAL(24,9) NOT NULL,
    "status" "IntentStatus" NOT NULL DEFAULT 'PLANNED',
    "gateVerdictId" UUID,
    "submitEpoch" INTEGER,
    "submittedAt" TIMESTAMPTZ(3),
    "submitDeadline" TIMESTAMPTZ(3),
    "askCount" INTEGER NOT NULL DEFAULT 0,
    "nextAskAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "decidedAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Intent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GateVerdict" (
    "id" UUID NOT NULL,
    "intentId" UUID NOT NULL,
    "phase" TEXT NOT NULL,
    "passed" BOOLEAN NOT NULL,
    "results" JSONB NOT NULL,
    "inputs" JSONB NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GateVerdict_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Order" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "intentId" UUID,
    "parentId" UUID,
    "origin" "OrderOrigin" NOT NULL,
    "role" "OrderRole" NOT NULL,
    "brokerOrderId" TEXT NOT NULL,
    "clientOrderId" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "side" "Side" NOT NULL,
    "orderClass" "OrderClass" NOT NULL,
    "type" "OrderType" NOT NULL,
    "timeInForce" TEXT NOT NULL,
    "qty" DECIMAL(24,9),
    "notional" DECIMAL(24,9),
    "limitPrice" DECIMAL(24,9),
    "stopPrice" DECIMAL(24,9),
    "status" "OrderStatus" NOT NULL,
    "brokerStatus" TEXT NOT NULL,
    "filledQty" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "filledAvgPrice" DECIMAL(24,9),
    "filledValue" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "reason" TEXT,
    "replacedById" TEXT,
    "submittedAt" TIMESTAMPTZ(3) NOT NULL,
    "filledAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "brokerUpdatedAt" TIMESTAMPTZ(3) NOT NULL,
    "tradedAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Order_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Fill" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "orderId" UUID NOT NULL,
    "executionId" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "side" "Side" NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "price" DECIMAL(24,9) NOT NULL,
    "fees" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "source" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Fill_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Lot" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "symbol" TEXT NOT NULL,
    "openFillId" UUID,
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "qtyOpened" DECIMAL(24,9) NOT NULL,
    "qtyRemaining" DECIMAL(24,9) NOT NULL,
    "costPrice" DECIMAL(24,9) NOT NULL,
    "feesRemaining" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "sequence" BIGSERIAL NOT NULL,

    CONSTRAINT "Lot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LotClosure" (
    "id" UUID NOT NULL,
    "lotId" UUID NOT NULL,
    "fillId" UUID NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "proceeds" DECIMAL(24,9) NOT NULL,
    "cost" DECIMAL(24,9) NOT NULL,
    "fees" DECIMAL(24,9) NOT NULL,
    "realizedPnl" DECIMAL(24,9) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LotClosure_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RoundTrip" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "symbol" TEXT NOT NULL,
    "strategy" "Strategy",
    "regime" "Regime",
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "closedAt" TIMESTAMPTZ(3),
    "qtyBought" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "qtySold" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "entryValue" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "exitValue" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "fees" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "pnl" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "outcome" "TripOutcome",
    "entryReason" TEXT,
    "exitReason" TEXT,

    CONSTRAINT "RoundTrip_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RotationConfig" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "advisoryOnly" BOOLEAN NOT NULL DEFAULT true,
    "cadenceDays" INTEGER NOT NULL DEFAULT 14,
    "turnoverCapPctPerPeriod" DECIMAL(6,3) NOT NULL DEFAULT 30,
    "costAwareThresholdBps" DECIMAL(8,3) NOT NULL DEFAULT 10,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RotationConfig_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RotationPlan" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "sessionDate" DATE NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "approvalStatus" "PlanStatus" NOT NULL DEFAULT 'PENDING',
    "version" INTEGER NOT NULL DEFAULT 0,
    "actions" JSONB NOT NULL,
    "metrics" JSONB NOT NULL,
    "kpiSnapshot" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "decidedById" UUID,
    "rejectReason" TEXT,
    "executedAt" TIMESTAMPTZ(3),

    CONSTRAINT "RotationPlan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RotationLeg" (
    "id" UUID NOT NULL,
    "planId" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "leg" INTEGER NOT NULL,
    "symbol" TEXT NOT NULL,
    "side" "Side" NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "reason" TEXT NOT NULL,
    "priceGuardLow" DECIMAL(24,9) NOT NULL,
    "priceGuardHigh" DECIMAL(24,9) NOT NULL,
    "outcome" TEXT,

    CONSTRAINT "RotationLeg_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PolicyVersion" (
    "version" TEXT NOT NULL,
    "status" "PolicyStatus" NOT NULL DEFAULT 'DRAFT',
    "content" JSONB NOT NULL,
    "note" TEXT,
    "createdById" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "activatedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PolicyVersion_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "FeatureFlag" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "environment" "FlagEnvironment" NOT NULL DEFAULT 'production',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "FeatureFlag_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "windowMs" INTEGER NOT NULL DEFAULT 900000,
    "maxRequests" INTEGER NOT NULL DEFAULT 100,
    "skipSuccessfulRequests" BOOLEAN NOT NULL DEFAULT false,
    "skipFailedRequests" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SystemState" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "killState" "KillState" NOT NULL DEFAULT 'NONE',
    "killReason" TEXT,
    "isQueueActive" BOOLEAN NOT NULL DEFAULT true,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SystemState_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProviderCall" (
    "id" BIGSERIAL NOT NULL,
    "provider" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "ok" BOOLEAN NOT NULL,
    "status" INTEGER,
    "durationMs" INTEGER NOT NULL,
    "error" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProviderCall_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProviderCheck" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "configured" BOOLEAN NOT NULL,
    "working" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProviderCheck_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "eventType" TEXT NOT NULL,
    "actorKind" TEXT NOT NULL,
    "actorUserId" UUID,
    "subjectUserId" UUID,
    "ipAddress" TEXT,
    "requestId" TEXT,
    "data" JSONB NOT NULL,
    "prevHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "Outbox" (
    "id" UUID NOT NULL,
    "dedupeKey" TEXT NOT NULL,
    "userId" UUID,
    "recipient" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "props" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sentAt" TIMESTAMPTZ(3),
    "failedAt" TIMESTAMPTZ(3),
    "messageId" TEXT,
    "lastError" TEXT,

    CONSTRAINT "Outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Schedule" (
    "key" TEXT NOT NULL,
    "job" TEXT NOT NULL,
    "market" "Market",
    "accountId" UUID,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "everyMs" INTEGER,
    "lastStartedAt" TIMESTAMPTZ(3),
    "lastFinishedAt" TIMESTAMPTZ(3),
    "lastMarketAt" TIMESTAMPTZ(3),
    "lastStatus" TEXT,
    "lastError" TEXT,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "coalesced" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Schedule_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Lease" (
    "name" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "beatAt" TIMESTAMPTZ(3) NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "Lease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "LogEvent" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "marketAt" TIMESTAMPTZ(3),
    "level" "LogLevel" NOT NULL,
    "message" TEXT NOT NULL,
    "userId" UUID,
    "accountId" UUID,
    "cycleId" UUID,
    "context" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "LogEvent_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "SignIn_jti_key" ON "SignIn"("jti");

-- CreateIndex
CREATE INDEX "SignIn_userId_createdAt_idx" ON "SignIn"("userId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "EmailToken_tokenHash_key" ON "EmailToken"("tokenHash");

-- CreateIndex
CREATE INDEX "EmailToken_userId_kind_idx" ON "EmailToken"("userId", "kind");

-- CreateIndex
CREATE INDEX "Account_userId_idx" ON "Account"("userId");

-- CreateIndex
CREATE INDEX "Account_market_status_idx" ON "Account"("market", "status");

-- CreateIndex
CREATE INDEX "EquityPoint_accountId_sessionDate_idx" ON "EquityPoint"("accountId", "sessionDate");

-- CreateIndex
CREATE UNIQUE INDEX "CashFlow_accountId_activityId_key" ON "CashFlow"("accountId", "activityId");

-- CreateIndex
CREATE UNIQUE INDEX "Cycle_market_startedAt_key" ON "Cycle"("market", "startedAt");

-- CreateIndex
CREATE INDEX "DecisionRecord_accountId_decidedAt_idx" ON "DecisionRecord"("accountId", "decidedAt");

-- CreateIndex
CREATE UNIQUE INDEX "DecisionRecord_cycleId_accountId_key" ON "DecisionRecord"("cycleId", "accountId");

-- CreateIndex
CREATE UNIQUE INDEX "Selection_market_sessionDate_key" ON "Selection"("market", "sessionDate");

-- CreateIndex
CREATE UNIQUE INDEX "Seat_selectionId_rank_key" ON "Seat"("selectionId", "rank");

-- CreateIndex
CREATE UNIQUE INDEX "RegimeReading_market_sessionDate_key" ON "RegimeReading"("market", "sessionDate");

-- CreateIndex
CREATE UNIQUE INDEX "EarningsWatch_market_sessionDate_symbol_key" ON "EarningsWatch"("market", "sessionDate", "symbol");

-- CreateIndex
CREATE INDEX "NewsItem_market_publishedAt_idx" ON "NewsItem"("market", "publishedAt");

-- CreateIndex
CREATE INDEX "QaResult_createdAt_idx" ON "QaResult"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Intent_clientOrderId_key" ON "Intent"("clientOrderId");

-- CreateIndex
CREATE UNIQUE INDEX "Intent_gateVerdictId_key" ON "Intent"("gateVerdictId");

-- CreateIndex
CREATE INDEX "Intent_accountId_status_idx" ON "Intent"("accountId", "status");

-- CreateIndex
CREATE INDEX "Intent_status_nextAskAt_idx" ON "Intent"("status", "nextAskAt");

-- CreateIndex
CREATE UNIQUE INDEX "Intent_planId_accountId_leg_attempt_key" ON "Intent"("planId", "accountId", "leg", "attempt");

-- CreateIndex
CREATE INDEX "GateVerdict_intentId_idx" ON "GateVerdict"("intentId");

-- CreateIndex
CREATE INDEX "Order_accountId_tradedAt_id_idx" ON "Order"("accountId", "tradedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Order_tradedAt_id_idx" ON "Order"("tradedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Order_accountId_status_idx" ON "Order"("accountId", "status");

-- CreateIndex
CREATE UNIQUE INDEX "Order_accountId_brokerOrderId_key" ON "Order"("accountId", "brokerOrderId");

-- CreateIndex
CREATE INDEX "Fill_accountId_symbol_at_idx" ON "Fill"("accountId", "symbol", "at");

-- CreateIndex
CREATE UNIQUE INDEX "Fill_accountId_executionId_key" ON "Fill"("accountId", "executionId");

-- CreateIndex
CREATE INDEX "Lot_accountId_symbol_sequence_idx" ON "Lot"("accountId", "symbol", "sequence");

-- CreateIndex
CREATE INDEX "RoundTrip_accountId_closedAt_idx" ON "RoundTrip"("accountId", "closedAt");

-- CreateIndex
CREATE UNIQUE INDEX "RotationLeg_planId_accountId_leg_key" ON "RotationLeg"("planId", "accountId", "leg");

-- CreateIndex
CREATE UNIQUE INDEX "FeatureFlag_name_environment_key" ON "FeatureFlag"("name", "environment");

-- CreateIndex
CREATE UNIQUE INDEX "RateLimit_name_key" ON "RateLimit"("name");

-- CreateIndex
CREATE INDEX "ProviderCall_provider_at_idx" ON "ProviderCall"("provider", "at");

-- CreateIndex
CREATE INDEX "ProviderCall_at_idx" ON "ProviderCall"("at");

-- CreateIndex
CREATE INDEX "ProviderCheck_provider_at_idx" ON "ProviderCheck"("provider", "at");

-- CreateIndex
CREATE UNIQUE INDEX "AuditEvent_hash_key" ON "AuditEvent"("hash");

-- CreateIndex
CREATE INDEX "AuditEvent_subjectUserId_seq_idx" ON "AuditEvent"("subjectUserId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_actorUserId_seq_idx" ON "AuditEvent"("actorUserId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_eventType_seq_idx" ON "AuditEvent"("eventType", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Outbox_dedupeKey_key" ON "Outbox"("dedupeKey");

-- CreateIndex
CREATE INDEX "Outbox_sentAt_failedAt_dueAt_idx" ON "Outbox"("sentAt", "failedAt", "dueAt");

-- CreateIndex
CREATE INDEX "Schedule_dueAt_idx" ON "Schedule"("dueAt");

-- CreateIndex
CREATE INDEX "LogEvent_userId_id_idx" ON "LogEvent"("userId", "id");

-- CreateIndex
CREATE INDEX "LogEvent_at_idx" ON "LogEvent"("at");

-- AddForeignKey
ALTER TABLE "SignIn" ADD CONSTRAINT "SignIn_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EmailToken" ADD CONSTRAINT "EmailToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TradingPreferences" ADD CONSTRAINT "TradingPreferences_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NotificationPreferences" ADD CONSTRAINT "NotificationPreferences_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Account" ADD CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccountFigures" ADD CONSTRAINT "AccountFigures_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Position" ADD CONSTRAINT "Position_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EquityPoint" ADD CONSTRAINT "EquityPoint_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CashFlow" ADD CONSTRAINT "CashFlow_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AppliedCorporateAction" ADD CONSTRAINT "AppliedCorporateAction_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Cycle" ADD CONSTRAINT "Cycle_snapshotId_fkey" FOREIGN KEY ("snapshotId") REFERENCES "MarketSnapshot"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Cycle" ADD CONSTRAINT "Cycle_selectionId_fkey" FOREIGN KEY ("selectionId") REFERENCES "Selection"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_cycleId_fkey" FOREIGN KEY ("cycleId") REFERENCES "Cycle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_snapshotId_fkey" FOREIGN KEY ("snapshotId") REFERENCES "MarketSnapshot"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_policyVersion_fkey" FOREIGN KEY ("policyVersion") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Selection" ADD CONSTRAINT "Selection_policyVersion_fkey" FOREIGN KEY ("policyVersion") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Seat" ADD CONSTRAINT "Seat_selectionId_fkey" FOREIGN KEY ("selectionId") REFERENCES "Selection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "QaResult" ADD CONSTRAINT "QaResult_selectionId_fkey" FOREIGN KEY ("selectionId") REFERENCES "Selection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "QaResult" ADD CONSTRAINT "QaResult_rotationPlanId_fkey" FOREIGN KEY ("rotationPlanId") REFERENCES "RotationPlan"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_decisionId_fkey" FOREIGN KEY ("decisionId") REFERENCES "DecisionRecord"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_rotationLegId_fkey" FOREIGN KEY ("rotationLegId") REFERENCES "RotationLeg"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_gateVerdictId_fkey" FOREIGN KEY ("gateVerdictId") REFERENCES "GateVerdict"("id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GateVerdict" ADD CONSTRAINT "GateVerdict_intentId_fkey" FOREIGN KEY ("intentId") REFERENCES "Intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_intentId_fkey" FOREIGN KEY ("intentId") REFERENCES "Intent"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Order"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Fill" ADD CONSTRAINT "Fill_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Fill" ADD CONSTRAINT "Fill_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_openFillId_fkey" FOREIGN KEY ("openFillId") REFERENCES "Fill"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LotClosure" ADD CONSTRAINT "LotClosure_lotId_fkey" FOREIGN KEY ("lotId") REFERENCES "Lot"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LotClosure" ADD CONSTRAINT "LotClosure_fillId_fkey" FOREIGN KEY ("fillId") REFERENCES "Fill"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RoundTrip" ADD CONSTRAINT "RoundTrip_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RotationPlan" ADD CONSTRAINT "RotationPlan_policyVersion_fkey" FOREIGN KEY ("policyVersion") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_planId_fkey" FOREIGN KEY ("planId") REFERENCES "RotationPlan"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LogEvent" ADD CONSTRAINT "LogEvent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;




-- ───────────────────────────────────────────────────────────────────────────────────────────────
-- What Prisma cannot say: checks, partial unique indexes, triggers. They make wrong states
-- impossible rather than unlikely.

-- People
ALTER TABLE "User" ADD CONSTRAINT "User_email_is_lower_case" CHECK ("email" = lower("email") AND "email" LIKE '%_@_%' AND "email" !~ '[[:space:][:cntrl:],]');
ALTER TABLE "EmailToken" ADD CONSTRAINT "EmailToken_expires_after_creation" CHECK ("expiresAt" > "createdAt");
ALTER TABLE "TradingPreferences" ADD CONSTRAINT "TradingPreferences_bounds" CHECK (
  "maxPositions" BETWEEN 1 AND 20
  AND "maxPositionValue" BETWEEN 100 AND 100000
  AND "profitTarget" BETWEEN 0.1 AND 50
  AND "stopLoss" BETWEEN 0.1 AND 50
  AND "checkInterval" BETWEEN 1 AND 60
  AND "defaultOrderSize" > 0 AND "defaultOrderSize" <> 'NaN'
);

-- Accounts: the same broker account cannot be added twice while it is there; an active account has keys.
CREATE UNIQUE INDEX "Account_broker_account_once" ON "Account" ("broker", "environment", "brokerAccountId") WHERE "deletedAt" IS NULL;
ALTER TABLE "Account" ADD CONSTRAINT "Account_erased_keys_when_deleted" CHECK ("deletedAt" IS NULL OR "sealedKeys" IS NULL);
ALTER TABLE "Account" ADD CONSTRAINT "Account_key_prefix_is_short" CHECK (length("keyPrefix") <= 8);
ALTER TABLE "Account" ADD CONSTRAINT "Account_practice_is_paper" CHECK ("broker" <> 'PRACTICE' OR ("environment" = 'PAPER' AND "market" = 'PRACTICE'));
ALTER TABLE "Account" ADD CONSTRAINT "Account_halt_has_reason" CHECK (("haltedAt" IS NULL) = ("haltReason" IS NULL));

-- No NaN near money
ALTER TABLE "AccountFigures" ADD CONSTRAINT "AccountFigures_no_nan" CHECK (
  "equity" <> 'NaN' AND "cash" <> 'NaN' AND "buyingPower" <> 'NaN' AND "longMarketValue" <> 'NaN' AND "highWaterMark" <> 'NaN'
  AND "netDeposits" <> 'NaN' AND "realizedPnl" <> 'NaN' AND "totalVolume" <> 'NaN');
ALTER TABLE "EquityPoint" ADD CONSTRAINT "EquityPoint_no_nan" CHECK ("equity" <> 'NaN' AND "cash" <> 'NaN' AND "longMarketValue" <> 'NaN');
ALTER TABLE "Position" ADD CONSTRAINT "Position_quantity" CHECK ("qty" <> 0 AND "qty" <> 'NaN' AND "avgEntryPrice" >= 0 AND "avgEntryPrice" <> 'NaN');

-- Intents: one live decision per account, symbol and side; nothing leaves without a passed gate.
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_quantity" CHECK ("qty" > 0 AND "qty" <> 'NaN');
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_attempt" CHECK ("attempt" >= 1 AND "leg" >= 0);
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_client_order_id" CHECK (length("clientOrderId") BETWEEN 8 AND 128);
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_has_passed_gate" CHECK ("status" IN ('PLANNED', 'DENIED') OR "gateVerdictId" IS NOT NULL);
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_sent_has_epoch" CHECK ("status" IN ('PLANNED', 'GATED', 'DENIED', 'HALTED') OR ("submitEpoch" IS NOT NULL AND "submittedAt" IS NOT NULL));
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_bracket_has_legs" CHECK ("orderClass" <> 'BRACKET' OR ("takeProfitPrice" IS NOT NULL AND "stopLossPrice" IS NOT NULL));
CREATE UNIQUE INDEX "Intent_one_live_per_symbol_and_side" ON "Intent" ("accountId", "symbol", "side")
  WHERE "status" IN ('PLANNED', 'GATED', 'SUBMITTING', 'UNKNOWN', 'LIVE');
-- Intent and verdict are written together and point at each other: checked at commit.
ALTER TABLE "Intent" ALTER CONSTRAINT "Intent_gateVerdictId_fkey" DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "GateVerdict" ADD CONSTRAINT "GateVerdict_phase" CHECK ("phase" IN ('T1', 'T2'));

-- Orders and fills
ALTER TABLE "Order" ADD CONSTRAINT "Order_ours_has_intent" CHECK (("origin" = 'OURS') = ("intentId" IS NOT NULL));
ALTER TABLE "Order" ADD CONSTRAINT "Order_quantities" CHECK (
  ("qty" IS NOT NULL OR "notional" IS NOT NULL)
  AND "filledQty" >= 0 AND "filledQty" <> 'NaN' AND ("qty" IS NULL OR "filledQty" <= "qty"));
ALTER TABLE "Order" ADD CONSTRAINT "Order_filled_is_filled" CHECK ("status" <> 'FILLED' OR ("filledQty" > 0 AND "filledAvgPrice" IS NOT NULL));
ALTER TABLE "Fill" ADD CONSTRAINT "Fill_quantity_and_price" CHECK ("qty" > 0 AND "qty" <> 'NaN' AND "price" > 0 AND "price" <> 'NaN' AND "fees" <> 'NaN');
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_quantities" CHECK ("qtyRemaining" >= 0 AND "qtyRemaining" <= "qtyOpened" AND "qtyOpened" > 0 AND "costPrice" >= 0 AND "qtyOpened" <> 'NaN' AND "costPrice" <> 'NaN');
ALTER TABLE "LotClosure" ADD CONSTRAINT "LotClosure_quantity" CHECK ("qty" > 0 AND "realizedPnl" = "proceeds" - "cost" - "fees");
CREATE UNIQUE INDEX "RoundTrip_one_open_per_symbol" ON "RoundTrip" ("accountId", "symbol") WHERE "closedAt" IS NULL;
ALTER TABLE "RoundTrip" ADD CONSTRAINT "RoundTrip_closed_has_outcome" CHECK (("closedAt" IS NULL) = ("outcome" IS NULL));

-- Steering
CREATE UNIQUE INDEX "PolicyVersion_one_active" ON "PolicyVersion" ("status") WHERE "status" = 'ACTIVE';
ALTER TABLE "RotationConfig" ADD CONSTRAINT "RotationConfig_single" CHECK ("id" = 1);
ALTER TABLE "SystemState" ADD CONSTRAINT "SystemState_single" CHECK ("id" = 1);
ALTER TABLE "RotationPlan" ADD CONSTRAINT "RotationPlan_reject_has_reason" CHECK ("approvalStatus" <> 'REJECTED' OR length(trim("rejectReason")) > 0);
ALTER TABLE "RateLimit" ADD CONSTRAINT "RateLimit_bounds" CHECK ("windowMs" BETWEEN 60000 AND 86400000 AND "maxRequests" BETWEEN 1 AND 10000);

-- Proof: audit rows are never changed or removed; decisions and policies are never rewritten.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "AuditEvent_append_only" BEFORE UPDATE OR DELETE ON "AuditEvent" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "AuditEvent_no_truncate" BEFORE TRUNCATE ON "AuditEvent" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "MarketSnapshot_immutable" BEFORE UPDATE ON "MarketSnapshot" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "DecisionRecord_immutable" BEFORE UPDATE ON "DecisionRecord" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_policy_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."status" <> 'DRAFT' AND NEW."content" IS DISTINCT FROM OLD."content" THEN
    RAISE EXCEPTION 'policy % was activated and cannot be rewritten', OLD."version" USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "PolicyVersion_no_rewrite" BEFORE UPDATE ON "PolicyVersion" FOR EACH ROW EXECUTE FUNCTION refuse_policy_rewrite();

-- The single rows
INSERT INTO "SystemState" ("id", "updatedAt") VALUES (1, now());
INSERT INTO "RotationConfig" ("id", "updatedAt") VALUES (1, now());
