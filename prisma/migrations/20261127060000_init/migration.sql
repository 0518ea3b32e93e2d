-- The database of the first release: tables, then what Prisma cannot say.

CREATE TYPE "Role" AS ENUM ('USER', 'ADMIN');
CREATE TYPE "TokenKind" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD');
CREATE TYPE "ChallengeKind" AS ENUM ('SIGN_IN', 'STEP_UP', 'ENROL');
CREATE TYPE "AccessTokenScope" AS ENUM ('READ', 'STEER');
CREATE TYPE "AccountType" AS ENUM ('INDIVIDUAL', 'JOINT', 'TRUST', 'CORPORATE');
CREATE TYPE "Environment" AS ENUM ('PAPER', 'LIVE');
CREATE TYPE "BrokerKind" AS ENUM ('PRACTICE', 'ALPACA');
CREATE TYPE "AccountAccess" AS ENUM ('KEYS', 'OAUTH');
CREATE TYPE "Market" AS ENUM ('PRACTICE', 'US');
CREATE TYPE "AccountStatus" AS ENUM ('ACTIVE', 'INACTIVE', 'PAUSED');
CREATE TYPE "ActivitySettlement" AS ENUM ('BOOKED', 'DISMISSED');
CREATE TYPE "KillState" AS ENUM ('NONE', 'NO_NEW_ENTRIES', 'REDUCE_ONLY', 'FLATTEN');
CREATE TYPE "KillSource" AS ENUM ('OWNER', 'ADMIN', 'DRAWDOWN');
CREATE TYPE "Strategy" AS ENUM ('MOMENTUM', 'MEAN_REVERSION', 'BREAKOUT');
CREATE TYPE "RiskLevel" AS ENUM ('LOW', 'MEDIUM', 'HIGH');
CREATE TYPE "Side" AS ENUM ('BUY', 'SELL');
CREATE TYPE "IntentPurpose" AS ENUM ('ENTRY', 'EXIT', 'TRIM', 'PROTECT', 'ROTATION', 'FLATTEN', 'MANUAL');
CREATE TYPE "ManualOrderKind" AS ENUM ('SELL', 'TIGHTEN_STOP');
CREATE TYPE "TimeInForce" AS ENUM ('day', 'gtc');
CREATE TYPE "GatePhase" AS ENUM ('T1', 'T2');
CREATE TYPE "IntentStatus" AS ENUM ('PLANNED', 'GATED', 'DENIED', 'SUBMITTING', 'UNKNOWN', 'PARKED', 'LIVE', 'FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'HALTED');
CREATE TYPE "OrderOrigin" AS ENUM ('OURS', 'EXTERNAL');
CREATE TYPE "OrderRole" AS ENUM ('ENTRY', 'EXIT', 'STOP', 'TARGET', 'EXTERNAL');
CREATE TYPE "OrderClass" AS ENUM ('SIMPLE', 'BRACKET', 'OCO', 'OTO');
CREATE TYPE "OrderType" AS ENUM ('MARKET', 'LIMIT', 'STOP', 'STOP_LIMIT', 'TRAILING_STOP');
CREATE TYPE "OrderStatus" AS ENUM ('PENDING_NEW', 'ACCEPTED', 'NEW', 'HELD', 'PARTIALLY_FILLED', 'PENDING_CANCEL', 'PENDING_REPLACE', 'DONE_FOR_DAY', 'OTHER', 'FILLED', 'CANCELED', 'EXPIRED', 'REJECTED', 'REPLACED');
CREATE TYPE "FillSource" AS ENUM ('STREAM', 'RECONCILE', 'ACTIVITY', 'ADJUSTMENT');
CREATE TYPE "TripOutcome" AS ENUM ('WIN', 'LOSS', 'SCRATCH');
CREATE TYPE "PriceFigure" AS ENUM ('CLOSE', 'QUOTE');
CREATE TYPE "CallSpan" AS ENUM ('MINUTE', 'HOUR');
CREATE TYPE "CycleStatus" AS ENUM ('RUNNING', 'DONE', 'FAILED', 'COALESCED');
CREATE TYPE "Regime" AS ENUM ('risk_on', 'neutral', 'risk_off');
CREATE TYPE "SeatKind" AS ENUM ('sticky', 'fresh');
CREATE TYPE "EarningsTime" AS ENUM ('BMO', 'AMC', 'UNKNOWN');
CREATE TYPE "QaRule" AS ENUM ('allocation', 'conviction_gates', 'fast_track_events', 'promotion_quality', 'sector_quotas', 'swap_limits');
CREATE TYPE "QaStatus" AS ENUM ('PASS', 'FAIL', 'UNKNOWN');
CREATE TYPE "Severity" AS ENUM ('critical', 'high', 'medium', 'low');
CREATE TYPE "PlanStatus" AS ENUM ('PENDING', 'APPROVED', 'REJECTED', 'EXECUTED');
CREATE TYPE "PolicyStatus" AS ENUM ('DRAFT', 'ACTIVE', 'RETIRED');
CREATE TYPE "ApprovalKind" AS ENUM ('ACTIVATE_POLICY', 'EXECUTE_ROTATION', 'MAKE_ADMINISTRATOR');
CREATE TYPE "FlagEnvironment" AS ENUM ('development', 'staging', 'production');
CREATE TYPE "RunOutcome" AS ENUM ('done', 'failed');
CREATE TYPE "GridAxis" AS ENUM ('MAX_POSITIONS', 'POSITION_SIZE', 'PROFIT_TARGET', 'STOP_LOSS');
CREATE TYPE "BacktestStatus" AS ENUM ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED');
CREATE TYPE "EnvironmentLabel" AS ENUM ('PRACTICE', 'PAPER', 'LIVE');
CREATE TYPE "NotificationKind" AS ENUM ('ORDER', 'TRADE', 'SYSTEM', 'SECURITY', 'WEEKLY');
CREATE TYPE "DeliveryChannel" AS ENUM ('WEBHOOK', 'PUSH');
CREATE TYPE "InsightKind" AS ENUM ('DAILY', 'TRADE', 'DECISION', 'ROTATION');
CREATE TYPE "InsightState" AS ENUM ('WAITING', 'ASKED', 'WRITTEN', 'REFUSED');
CREATE TYPE "LogLevel" AS ENUM ('debug', 'info', 'warn', 'error');
CREATE TYPE "WhatIfStatus" AS ENUM ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED');

CREATE TABLE "User" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "role" "Role" NOT NULL DEFAULT 'USER',
    "emailVerifiedAt" TIMESTAMPTZ(3),
    "registeredAgainAt" TIMESTAMPTZ(3),
    "tokenVersion" INTEGER NOT NULL DEFAULT 0,
    "displayName" TEXT,
    "bio" TEXT,
    "disabledAt" TIMESTAMPTZ(3),
    "automationPausedAt" TIMESTAMPTZ(3),
    "pausedReason" TEXT,
    "killState" "KillState" NOT NULL DEFAULT 'NONE',
    "killReason" TEXT,
    "killSetAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ConcealedRegistration" (
    "userId" UUID NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ConcealedRegistration_pkey" PRIMARY KEY ("userId")
);

CREATE TABLE "SignIn" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "jti" TEXT NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SignIn_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "AccessToken" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "scope" "AccessTokenScope" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "lastFour" TEXT NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AccessToken_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "TotpFactor" (
    "userId" UUID NOT NULL,
    "sealedSecret" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMPTZ(3),
    "lastStep" BIGINT,
    "signInId" UUID,

    CONSTRAINT "TotpFactor_pkey" PRIMARY KEY ("userId")
);

CREATE TABLE "Passkey" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "InsightText" (
    "id" UUID NOT NULL,
    "kind" "InsightKind" NOT NULL,
    "subject" TEXT NOT NULL,
    "userId" UUID,
    "recordHash" TEXT NOT NULL,
    "state" "InsightState" NOT NULL DEFAULT 'WAITING',
    "facts" JSONB NOT NULL,
    "sentences" JSONB,
    "model" TEXT,
    "fault" TEXT,
    "askedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "InsightText_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "RecoveryCode" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "codeHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "AuthChallenge" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "kind" "ChallengeKind" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "challenge" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AuthChallenge_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "BrokerAuthorization" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "signInId" UUID NOT NULL,
    "stateHash" TEXT NOT NULL,
    "environment" "Environment" NOT NULL,
    "accountType" "AccountType" NOT NULL,
    "name" TEXT,
    "accountId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "BrokerAuthorization_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "TradingPreferences" (
    "userId" UUID NOT NULL,
    "strategy" "Strategy" NOT NULL DEFAULT 'MOMENTUM',
    "riskTolerance" "RiskLevel" NOT NULL DEFAULT 'MEDIUM',
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

CREATE TABLE "NotificationPreferences" (
    "userId" UUID NOT NULL,
    "emailNotifications" BOOLEAN NOT NULL DEFAULT true,
    "orderNotifications" BOOLEAN NOT NULL DEFAULT true,
    "tradeNotifications" BOOLEAN NOT NULL DEFAULT true,
    "weeklySummary" BOOLEAN NOT NULL DEFAULT true,
    "systemAlerts" BOOLEAN NOT NULL DEFAULT true,
    "quietFrom" INTEGER,
    "quietTo" INTEGER,
    "quietTimeZone" TEXT,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "NotificationPreferences_pkey" PRIMARY KEY ("userId")
);

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
    "accountNumberEnd" TEXT,
    "liveConfirmedAt" TIMESTAMPTZ(3),
    "keyPrefix" TEXT,
    "access" "AccountAccess" NOT NULL DEFAULT 'KEYS',
    "sealedKeys" TEXT,
    "killState" "KillState" NOT NULL DEFAULT 'NONE',
    "killReason" TEXT,
    "killSource" "KillSource",
    "killSetAt" TIMESTAMPTZ(3),
    "haltedAt" TIMESTAMPTZ(3),
    "haltReason" TEXT,
    "writerEpoch" INTEGER NOT NULL DEFAULT 0,
    "orderProtocol" INTEGER NOT NULL DEFAULT 0,
    "orderWatermark" TIMESTAMPTZ(3),
    "activityWatermark" TIMESTAMPTZ(3),
    "reconciledAt" TIMESTAMPTZ(3),
    "readWholeAt" TIMESTAMPTZ(3),
    "closingAt" TIMESTAMPTZ(3),
    "keptKillState" "KillState",
    "keptKillReason" TEXT,
    "keptKillSetAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),
    "otherAssetsToldAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closingSource" "KillSource",
    "keptKillSource" "KillSource",

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

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
    "unbookedCash" DECIMAL(24, 9) NOT NULL DEFAULT 0,

    CONSTRAINT "AccountFigures_pkey" PRIMARY KEY ("accountId")
);

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
) PARTITION BY RANGE ("at");

CREATE TABLE "CashFlow" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "activityId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "symbol" TEXT,
    "amount" DECIMAL(24,9) NOT NULL,
    "isExternal" BOOLEAN NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "movedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CashFlow_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "AppliedCorporateAction" (
    "accountId" UUID NOT NULL,
    "activityId" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ratio" DECIMAL(24,9) NOT NULL,
    "qtyBefore" DECIMAL(24,9) NOT NULL,
    "qtyAfter" DECIMAL(24,9) NOT NULL,
    "costShare" DECIMAL(18,9),
    "costMoved" DECIMAL(24,9),
    "exDate" DATE NOT NULL,
    "appliedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AppliedCorporateAction_pkey" PRIMARY KEY ("accountId","activityId")
);

CREATE TABLE "QuarantinedActivity" (
    "accountId" UUID NOT NULL,
    "activityId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "symbol" TEXT,
    "qty" DECIMAL(24,9),
    "amount" DECIMAL(24,9) NOT NULL,
    "date" DATE NOT NULL,
    "settlement" "ActivitySettlement",
    "settledAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "QuarantinedActivity_pkey" PRIMARY KEY ("accountId","activityId")
);

CREATE TABLE "Reconciliation" (
    "accountId" UUID NOT NULL,
    "session" DATE NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "isClean" BOOLEAN NOT NULL,
    "orders" INTEGER NOT NULL,
    "executions" INTEGER NOT NULL,
    "corrections" INTEGER NOT NULL,
    "flows" INTEGER NOT NULL,
    "cashHere" DECIMAL(24,9) NOT NULL,
    "cashThere" DECIMAL(24,9) NOT NULL,
    "findings" JSONB NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Reconciliation_pkey" PRIMARY KEY ("accountId","session")
);

CREATE TABLE "MarketSnapshot" (
    "id" TEXT NOT NULL,
    "market" "Market" NOT NULL,
    "asOf" TIMESTAMPTZ(3) NOT NULL,
    "content" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MarketSnapshot_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Cycle" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "sessionDate" DATE NOT NULL,
    "snapshotId" TEXT,
    "selectionId" UUID,
    "status" "CycleStatus" NOT NULL DEFAULT 'RUNNING',
    "screened" INTEGER NOT NULL DEFAULT 0,
    "seated" INTEGER NOT NULL DEFAULT 0,
    "coalesced" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Cycle_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "VerdictSheet" (
    "id" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "VerdictSheet_pkey" PRIMARY KEY ("id")
);

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
    "verdicts" JSONB,
    "sheetId" TEXT,
    "outputHash" TEXT NOT NULL,
    "line" TEXT NOT NULL,
    "decidedAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DecisionRecord_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");

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

CREATE TABLE "BenchmarkEvent" (
    "market" "Market" NOT NULL,
    "exDate" DATE NOT NULL,
    "ratio" DOUBLE PRECISION NOT NULL,
    "dividend" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "BenchmarkEvent_pkey" PRIMARY KEY ("market","exDate")
);

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
    "earningsTime" "EarningsTime" NOT NULL,
    "riskLevel" "RiskLevel" NOT NULL,
    "expectedMove" DOUBLE PRECISION NOT NULL,
    "upside" DOUBLE PRECISION NOT NULL,
    "upsideSource" TEXT NOT NULL,
    "volumeRatio" DOUBLE PRECISION,
    "watchlistReason" TEXT NOT NULL,

    CONSTRAINT "EarningsWatch_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "EarningsReaction" (
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "reportDate" DATE NOT NULL,
    "reportTime" "EarningsTime" NOT NULL,
    "reaction" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "EarningsReaction_pkey" PRIMARY KEY ("market","symbol","reportDate")
);

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

CREATE TABLE "QaResult" (
    "id" UUID NOT NULL,
    "ruleId" "QaRule" NOT NULL,
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
    "timeInForce" "TimeInForce" NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "limitPrice" DECIMAL(24,9),
    "stopPrice" DECIMAL(24,9),
    "takeProfitPrice" DECIMAL(24,9),
    "stopLossPrice" DECIMAL(24,9),
    "decisionPrice" DECIMAL(24,9) NOT NULL,
    "atr" DOUBLE PRECISION,
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

CREATE TABLE "GateVerdict" (
    "id" UUID NOT NULL,
    "intentId" UUID NOT NULL,
    "phase" "GatePhase" NOT NULL,
    "passed" BOOLEAN NOT NULL,
    "results" JSONB NOT NULL,
    "inputs" JSONB NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GateVerdict_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "OwedStop" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "symbol" TEXT NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "stopPrice" DECIMAL(24,9),
    "targetPrice" DECIMAL(24,9),
    "reason" TEXT NOT NULL,
    "planId" UUID,
    "bareSince" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextTryAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paidAt" TIMESTAMPTZ(3),

    CONSTRAINT "OwedStop_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ManualOrder" (
    "id" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "kind" "ManualOrderKind" NOT NULL,
    "symbol" TEXT NOT NULL,
    "qty" DECIMAL(24,9),
    "stopPrice" DECIMAL(24,9),
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ManualOrder_pkey" PRIMARY KEY ("id","accountId")
);

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
    "missingSince" TIMESTAMPTZ(3),

    CONSTRAINT "Order_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "TradeTotals" (
    "accountId" UUID NOT NULL,
    "trades" INTEGER NOT NULL DEFAULT 0,
    "filledTrades" INTEGER NOT NULL DEFAULT 0,
    "volume" DECIMAL(30,9) NOT NULL DEFAULT 0,
    "trips" INTEGER NOT NULL DEFAULT 0,
    "wins" INTEGER NOT NULL DEFAULT 0,
    "losses" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "TradeTotals_pkey" PRIMARY KEY ("accountId")
);

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
    "source" "FillSource" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Fill_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "RotationConfig" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "advisoryOnly" BOOLEAN NOT NULL DEFAULT true,
    "cadenceDays" INTEGER,
    "turnoverCapPctPerPeriod" DECIMAL(6,3),
    "costAwareThresholdBps" DECIMAL(8,3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RotationConfig_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "RotationPlan" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'PAPER',
    "sessionDate" DATE NOT NULL,
    "policyVersion" TEXT NOT NULL,
    "approvalStatus" "PlanStatus" NOT NULL DEFAULT 'PENDING',
    "version" INTEGER NOT NULL DEFAULT 0,
    "snapshotId" TEXT,
    "isAdvisoryOnly" BOOLEAN NOT NULL DEFAULT true,
    "fingerprint" TEXT NOT NULL DEFAULT '',
    "tradedUsd" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "accounts" JSONB NOT NULL DEFAULT '[]',
    "leftOut" JSONB NOT NULL DEFAULT '[]',
    "actions" JSONB NOT NULL,
    "metrics" JSONB NOT NULL,
    "kpiSnapshot" JSONB NOT NULL,
    "plannedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "closedAs" TEXT,
    "closedAt" TIMESTAMPTZ(3),
    "decidedAt" TIMESTAMPTZ(3),
    "decidedById" UUID,
    "rejectReason" TEXT,
    "executedAt" TIMESTAMPTZ(3),
    "executedById" UUID,
    "secondId" UUID,

    CONSTRAINT "RotationPlan_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "RotationLeg" (
    "id" UUID NOT NULL,
    "planId" UUID NOT NULL,
    "accountId" UUID NOT NULL,
    "leg" INTEGER NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'resize',
    "symbol" TEXT NOT NULL,
    "side" "Side" NOT NULL,
    "qty" DECIMAL(24,9) NOT NULL,
    "reason" TEXT NOT NULL,
    "decisionPrice" DECIMAL(24,9) NOT NULL DEFAULT 0,
    "costBps" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "isCostKnown" BOOLEAN NOT NULL DEFAULT true,
    "priceGuardLow" DECIMAL(24,9) NOT NULL,
    "priceGuardHigh" DECIMAL(24,9) NOT NULL,
    "outcome" TEXT NOT NULL DEFAULT 'waiting',
    "outcomeReason" TEXT,
    "outcomeAt" TIMESTAMPTZ(3),

    CONSTRAINT "RotationLeg_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "PolicyVersion" (
    "version" TEXT NOT NULL,
    "status" "PolicyStatus" NOT NULL DEFAULT 'DRAFT',
    "content" JSONB NOT NULL,
    "note" TEXT,
    "createdById" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "activatedAt" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "basedOn" TEXT,
    "updatedById" UUID,
    "updatedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PolicyVersion_pkey" PRIMARY KEY ("version")
);

CREATE TABLE "PolicyActivation" (
    "id" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "replaced" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "activatedById" UUID NOT NULL,
    "requestedById" UUID,
    "note" TEXT,

    CONSTRAINT "PolicyActivation_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "WhatIf" (
    "id" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "contentHash" TEXT NOT NULL,
    "policy" JSONB NOT NULL,
    "cycles" INTEGER NOT NULL,
    "status" "WhatIfStatus" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "decisionsDone" INTEGER NOT NULL DEFAULT 0,
    "decisionsTotal" INTEGER,
    "beatAt" TIMESTAMPTZ(3),
    "report" JSONB,
    "error" TEXT,
    "requestedById" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "WhatIf_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "PendingApproval" (
    "kind" "ApprovalKind" NOT NULL,
    "subject" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "requestedById" UUID NOT NULL,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PendingApproval_pkey" PRIMARY KEY ("kind","subject")
);

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

CREATE TABLE "SystemState" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "killState" "KillState" NOT NULL DEFAULT 'NONE',
    "killReason" TEXT,
    "killSetAt" TIMESTAMPTZ(3),
    "isQueueActive" BOOLEAN NOT NULL DEFAULT true,
    "orderProtocol" INTEGER NOT NULL DEFAULT 0,
    "canaryShare" INTEGER NOT NULL DEFAULT 0,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SystemState_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SymbolStop" (
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "reason" TEXT,
    "setAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SymbolStop_pkey" PRIMARY KEY ("market","symbol")
);

CREATE TABLE "ProviderCall" (
    "id" BIGSERIAL NOT NULL,
    "provider" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "ok" BOOLEAN NOT NULL,
    "status" INTEGER NOT NULL DEFAULT 0,
    "durationMs" INTEGER NOT NULL,
    "error" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "span" "CallSpan" NOT NULL DEFAULT 'MINUTE',
    "calls" INTEGER NOT NULL DEFAULT 1,
    "lastAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProviderCall_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Company" (
    "symbol" TEXT NOT NULL,
    "cik" INTEGER,
    "sic" INTEGER,
    "announcedAt" TIMESTAMPTZ(3)[],
    "readAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Company_pkey" PRIMARY KEY ("symbol")
);

CREATE TABLE "ProviderCheck" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "configured" BOOLEAN NOT NULL,
    "working" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProviderCheck_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SourceDisagreement" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "session" DATE NOT NULL,
    "figure" "PriceFigure" NOT NULL,
    "values" JSONB NOT NULL,
    "deviationBps" DOUBLE PRECISION NOT NULL,
    "limitBps" DOUBLE PRECISION NOT NULL,
    "foundAt" TIMESTAMPTZ(3) NOT NULL,
    "clearedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SourceDisagreement_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SourceAgreement" (
    "provider" TEXT NOT NULL,
    "market" "Market" NOT NULL,
    "figure" "PriceFigure" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "compared" INTEGER NOT NULL,
    "agreed" INTEGER NOT NULL,

    CONSTRAINT "SourceAgreement_pkey" PRIMARY KEY ("provider","market","figure","at")
);

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
    "personal" TEXT,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("seq")
);

CREATE TABLE "AuditHead" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "proof" TEXT NOT NULL,

    CONSTRAINT "AuditHead_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SubjectKey" (
    "userId" UUID NOT NULL,
    "sealedKey" TEXT,
    "erasedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SubjectKey_pkey" PRIMARY KEY ("userId")
);

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

CREATE TABLE "Notification" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "dedupeKey" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "marketAt" TIMESTAMPTZ(3),
    "kind" "NotificationKind" NOT NULL,
    "title" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "link" TEXT,
    "environment" "EnvironmentLabel",
    "readAt" TIMESTAMPTZ(3),

    CONSTRAINT "Notification_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Webhook" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "sealedTarget" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failingSince" TIMESTAMPTZ(3),
    "disabledAt" TIMESTAMPTZ(3),
    "disabledReason" TEXT,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "PushSubscription" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),
    "signInId" UUID,

    CONSTRAINT "PushSubscription_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Delivery" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "channel" "DeliveryChannel" NOT NULL,
    "targetId" UUID NOT NULL,
    "target" TEXT NOT NULL,
    "notificationId" UUID,
    "dedupeKey" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "isUrgent" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "deliveredAt" TIMESTAMPTZ(3),
    "failedAt" TIMESTAMPTZ(3),
    "lastStatus" INTEGER,
    "lastError" TEXT,

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("id")
);

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
    "hasRotation" BOOLEAN NOT NULL DEFAULT false,
    "policyVersion" TEXT NOT NULL,
    "status" "BacktestStatus" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sessionsDone" INTEGER NOT NULL DEFAULT 0,
    "sessionsTotal" INTEGER,
    "readPercent" INTEGER,
    "beatAt" TIMESTAMPTZ(3),
    "sharpe" DOUBLE PRECISION,
    "figures" JSONB,
    "record" JSONB,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Backtest_pkey" PRIMARY KEY ("id")
);

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
    "lastStatus" "RunOutcome",
    "lastError" TEXT,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "coalesced" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Schedule_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "JobRun" (
    "key" TEXT NOT NULL,
    "job" TEXT NOT NULL,
    "unfinished" INTEGER NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "deadAt" TIMESTAMPTZ(3),

    CONSTRAINT "JobRun_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "InvariantCheck" (
    "scope" TEXT NOT NULL,
    "accountId" UUID,
    "checkedAt" TIMESTAMPTZ(3) NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "isWhole" BOOLEAN NOT NULL,
    "breaches" JSONB NOT NULL DEFAULT '[]',
    "undecided" TEXT,
    "brokenSince" TIMESTAMPTZ(3),
    "haltedAt" TIMESTAMPTZ(3),
    "provenSeq" BIGINT,
    "provenHash" TEXT,

    CONSTRAINT "InvariantCheck_pkey" PRIMARY KEY ("scope")
);

CREATE TABLE "ExportHold" (
    "userId" UUID NOT NULL,
    "requestId" TEXT NOT NULL,
    "beatAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ExportHold_pkey" PRIMARY KEY ("userId")
);

CREATE TABLE "Lease" (
    "name" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "beatAt" TIMESTAMPTZ(3) NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "Lease_pkey" PRIMARY KEY ("name")
);

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

    CONSTRAINT "StreamState_pkey" PRIMARY KEY ("accountId")
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

CREATE TABLE "RequestBudget" (
    "accountId" UUID NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "countedAt" TIMESTAMPTZ(3) NOT NULL,
    "pausedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "RequestBudget_pkey" PRIMARY KEY ("accountId")
);

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

CREATE TABLE "BarPack" (
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "firstSession" DATE,
    "lastSession" DATE,
    "bars" INTEGER NOT NULL,
    "through" DATE NOT NULL,
    "columns" BYTEA NOT NULL,

    CONSTRAINT "BarPack_pkey" PRIMARY KEY ("market","symbol")
);

CREATE TABLE "MarketEvent" (
    "market" "Market" NOT NULL,
    "exDate" DATE NOT NULL,
    "symbol" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "MarketEvent_pkey" PRIMARY KEY ("market","exDate","symbol","kind","place")
);

CREATE TABLE "BarHistory" (
    "market" "Market" NOT NULL,
    "through" DATE NOT NULL,
    "eventsThrough" DATE,
    "symbols" INTEGER NOT NULL,
    "waiting" INTEGER NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "BarHistory_pkey" PRIMARY KEY ("market")
);

CREATE UNIQUE INDEX "User_email_key" ON "User"("email");
CREATE UNIQUE INDEX "SignIn_jti_key" ON "SignIn"("jti");
CREATE INDEX "SignIn_userId_createdAt_idx" ON "SignIn"("userId", "createdAt");
CREATE UNIQUE INDEX "AccessToken_tokenHash_key" ON "AccessToken"("tokenHash");
CREATE INDEX "AccessToken_userId_createdAt_idx" ON "AccessToken"("userId", "createdAt");
CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");
CREATE INDEX "InsightText_userId_createdAt_idx" ON "InsightText"("userId", "createdAt");
CREATE INDEX "InsightText_state_createdAt_idx" ON "InsightText"("state", "createdAt");
CREATE UNIQUE INDEX "InsightText_kind_subject_recordHash_key" ON "InsightText"("kind", "subject", "recordHash");
CREATE UNIQUE INDEX "RecoveryCode_userId_codeHash_key" ON "RecoveryCode"("userId", "codeHash");
CREATE UNIQUE INDEX "AuthChallenge_tokenHash_key" ON "AuthChallenge"("tokenHash");
CREATE INDEX "AuthChallenge_userId_kind_idx" ON "AuthChallenge"("userId", "kind");
CREATE UNIQUE INDEX "BrokerAuthorization_stateHash_key" ON "BrokerAuthorization"("stateHash");
CREATE INDEX "BrokerAuthorization_userId_idx" ON "BrokerAuthorization"("userId");
CREATE INDEX "BrokerAuthorization_signInId_idx" ON "BrokerAuthorization"("signInId");
CREATE INDEX "BrokerAuthorization_accountId_idx" ON "BrokerAuthorization"("accountId");
CREATE UNIQUE INDEX "EmailToken_tokenHash_key" ON "EmailToken"("tokenHash");
CREATE INDEX "EmailToken_userId_kind_idx" ON "EmailToken"("userId", "kind");
CREATE INDEX "Account_userId_idx" ON "Account"("userId");
CREATE INDEX "Account_market_status_idx" ON "Account"("market", "status");
CREATE INDEX "Account_brokerAccountId_idx" ON "Account"("brokerAccountId");
CREATE INDEX "EquityPoint_accountId_sessionDate_idx" ON "EquityPoint"("accountId", "sessionDate");
CREATE UNIQUE INDEX "CashFlow_accountId_activityId_key" ON "CashFlow"("accountId", "activityId");
CREATE INDEX "Cycle_snapshotId_idx" ON "Cycle"("snapshotId");
CREATE UNIQUE INDEX "Cycle_market_startedAt_key" ON "Cycle"("market", "startedAt");
CREATE INDEX "DecisionRecord_accountId_decidedAt_idx" ON "DecisionRecord"("accountId", "decidedAt");
CREATE INDEX "DecisionRecord_snapshotId_idx" ON "DecisionRecord"("snapshotId");
CREATE INDEX "DecisionRecord_sheetId_idx" ON "DecisionRecord"("sheetId");
CREATE UNIQUE INDEX "Selection_market_sessionDate_key" ON "Selection"("market", "sessionDate");
CREATE UNIQUE INDEX "Seat_selectionId_rank_key" ON "Seat"("selectionId", "rank");
CREATE UNIQUE INDEX "RegimeReading_market_sessionDate_key" ON "RegimeReading"("market", "sessionDate");
CREATE INDEX "EarningsWatch_market_symbol_sessionDate_idx" ON "EarningsWatch"("market", "symbol", "sessionDate");
CREATE UNIQUE INDEX "EarningsWatch_market_sessionDate_symbol_key" ON "EarningsWatch"("market", "sessionDate", "symbol");
CREATE INDEX "NewsItem_market_publishedAt_idx" ON "NewsItem"("market", "publishedAt");
CREATE INDEX "NewsItem_symbols_idx" ON "NewsItem" USING GIN ("symbols");
CREATE INDEX "QaResult_createdAt_idx" ON "QaResult"("createdAt");
CREATE INDEX "QaResult_selectionId_idx" ON "QaResult"("selectionId");
CREATE UNIQUE INDEX "Intent_clientOrderId_key" ON "Intent"("clientOrderId");
CREATE UNIQUE INDEX "Intent_gateVerdictId_key" ON "Intent"("gateVerdictId");
CREATE INDEX "Intent_accountId_status_idx" ON "Intent"("accountId", "status");
CREATE INDEX "Intent_status_nextAskAt_idx" ON "Intent"("status", "nextAskAt");
CREATE INDEX "Intent_rotationLegId_idx" ON "Intent"("rotationLegId");
CREATE INDEX "Intent_decisionId_idx" ON "Intent"("decisionId");
CREATE UNIQUE INDEX "Intent_planId_accountId_leg_attempt_key" ON "Intent"("planId", "accountId", "leg", "attempt");
CREATE INDEX "GateVerdict_intentId_idx" ON "GateVerdict"("intentId");
CREATE INDEX "OwedStop_accountId_paidAt_idx" ON "OwedStop"("accountId", "paidAt");
CREATE INDEX "ManualOrder_accountId_requestedAt_idx" ON "ManualOrder"("accountId", "requestedAt");
CREATE INDEX "Order_accountId_status_idx" ON "Order"("accountId", "status");
CREATE INDEX "Order_parentId_idx" ON "Order"("parentId");
CREATE INDEX "Order_intentId_idx" ON "Order"("intentId");
CREATE UNIQUE INDEX "Order_accountId_brokerOrderId_key" ON "Order"("accountId", "brokerOrderId");
CREATE INDEX "Fill_accountId_symbol_at_idx" ON "Fill"("accountId", "symbol", "at");
CREATE INDEX "Fill_accountId_at_idx" ON "Fill"("accountId", "at");
CREATE INDEX "Fill_orderId_idx" ON "Fill"("orderId");
CREATE UNIQUE INDEX "Fill_accountId_executionId_key" ON "Fill"("accountId", "executionId");
CREATE INDEX "Lot_accountId_symbol_sequence_idx" ON "Lot"("accountId", "symbol", "sequence");
CREATE INDEX "Lot_openFillId_idx" ON "Lot"("openFillId");
CREATE INDEX "LotClosure_fillId_idx" ON "LotClosure"("fillId");
CREATE INDEX "LotClosure_lotId_idx" ON "LotClosure"("lotId");
CREATE INDEX "RoundTrip_accountId_closedAt_idx" ON "RoundTrip"("accountId", "closedAt");
CREATE INDEX "RoundTrip_accountId_symbol_openedAt_idx" ON "RoundTrip"("accountId", "symbol", "openedAt");
CREATE INDEX "RotationPlan_createdAt_id_idx" ON "RotationPlan"("createdAt", "id");
CREATE UNIQUE INDEX "RotationPlan_market_environment_sessionDate_key" ON "RotationPlan"("market", "environment", "sessionDate");
CREATE INDEX "RotationLeg_accountId_outcome_idx" ON "RotationLeg"("accountId", "outcome");
CREATE UNIQUE INDEX "RotationLeg_planId_accountId_leg_key" ON "RotationLeg"("planId", "accountId", "leg");
CREATE INDEX "PolicyActivation_version_at_idx" ON "PolicyActivation"("version", "at");
CREATE INDEX "WhatIf_version_createdAt_idx" ON "WhatIf"("version", "createdAt" DESC);
CREATE INDEX "WhatIf_status_createdAt_idx" ON "WhatIf"("status", "createdAt");
CREATE INDEX "WhatIf_contentHash_status_idx" ON "WhatIf"("contentHash", "status");
CREATE UNIQUE INDEX "FeatureFlag_name_environment_key" ON "FeatureFlag"("name", "environment");
CREATE UNIQUE INDEX "RateLimit_name_key" ON "RateLimit"("name");
CREATE INDEX "ProviderCall_provider_at_idx" ON "ProviderCall"("provider", "at");
CREATE INDEX "ProviderCall_at_idx" ON "ProviderCall"("at");
CREATE INDEX "ProviderCall_span_at_idx" ON "ProviderCall"("span", "at");
CREATE UNIQUE INDEX "ProviderCall_provider_operation_span_at_ok_status_error_key" ON "ProviderCall"("provider", "operation", "span", "at", "ok", "status", "error");
CREATE INDEX "Company_readAt_idx" ON "Company"("readAt");
CREATE INDEX "ProviderCheck_provider_at_idx" ON "ProviderCheck"("provider", "at");
CREATE INDEX "SourceDisagreement_market_symbol_foundAt_idx" ON "SourceDisagreement"("market", "symbol", "foundAt");
CREATE INDEX "SourceAgreement_at_idx" ON "SourceAgreement"("at");
CREATE UNIQUE INDEX "AuditEvent_hash_key" ON "AuditEvent"("hash");
CREATE INDEX "AuditEvent_subjectUserId_seq_idx" ON "AuditEvent"("subjectUserId", "seq");
CREATE INDEX "AuditEvent_actorUserId_seq_idx" ON "AuditEvent"("actorUserId", "seq");
CREATE INDEX "AuditEvent_eventType_seq_idx" ON "AuditEvent"("eventType", "seq");
CREATE INDEX "AuditEvent_at_idx" ON "AuditEvent"("at");
CREATE INDEX "AuditEvent_requestId_seq_idx" ON "AuditEvent"("requestId", "seq");
CREATE UNIQUE INDEX "Outbox_dedupeKey_key" ON "Outbox"("dedupeKey");
CREATE INDEX "Outbox_sentAt_failedAt_dueAt_idx" ON "Outbox"("sentAt", "failedAt", "dueAt");
CREATE INDEX "Outbox_userId_createdAt_idx" ON "Outbox"("userId", "createdAt");
CREATE INDEX "Notification_userId_at_id_idx" ON "Notification"("userId", "at" DESC, "id" DESC);
CREATE UNIQUE INDEX "Notification_userId_dedupeKey_key" ON "Notification"("userId", "dedupeKey");
CREATE UNIQUE INDEX "Webhook_userId_key" ON "Webhook"("userId");
CREATE UNIQUE INDEX "PushSubscription_endpoint_key" ON "PushSubscription"("endpoint");
CREATE INDEX "PushSubscription_userId_idx" ON "PushSubscription"("userId");
CREATE INDEX "Delivery_deliveredAt_failedAt_dueAt_idx" ON "Delivery"("deliveredAt", "failedAt", "dueAt");
CREATE INDEX "Delivery_userId_createdAt_id_idx" ON "Delivery"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Delivery_notificationId_idx" ON "Delivery"("notificationId");
CREATE UNIQUE INDEX "Delivery_targetId_dedupeKey_key" ON "Delivery"("targetId", "dedupeKey");
CREATE INDEX "Backtest_userId_createdAt_id_idx" ON "Backtest"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Backtest_status_createdAt_idx" ON "Backtest"("status", "createdAt");
CREATE INDEX "BacktestGrid_userId_market_strategy_idx" ON "BacktestGrid"("userId", "market", "strategy");
CREATE INDEX "BacktestGrid_status_createdAt_idx" ON "BacktestGrid"("status", "createdAt");
CREATE UNIQUE INDEX "BacktestGrid_backtestId_rowAxis_columnAxis_key" ON "BacktestGrid"("backtestId", "rowAxis", "columnAxis");
CREATE UNIQUE INDEX "SettingsPreview_userId_key" ON "SettingsPreview"("userId");
CREATE INDEX "SettingsPreview_status_createdAt_idx" ON "SettingsPreview"("status", "createdAt");
CREATE INDEX "Schedule_dueAt_idx" ON "Schedule"("dueAt");
CREATE UNIQUE INDEX "InvariantCheck_accountId_key" ON "InvariantCheck"("accountId");
CREATE INDEX "InvariantCheck_haltedAt_idx" ON "InvariantCheck"("haltedAt");
CREATE INDEX "LogEvent_userId_id_idx" ON "LogEvent"("userId", "id");
CREATE INDEX "LogEvent_at_idx" ON "LogEvent"("at");

ALTER TABLE "ConcealedRegistration" ADD CONSTRAINT "ConcealedRegistration_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SignIn" ADD CONSTRAINT "SignIn_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "TotpFactor" ADD CONSTRAINT "TotpFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "InsightText" ADD CONSTRAINT "InsightText_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AuthChallenge" ADD CONSTRAINT "AuthChallenge_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_signInId_fkey" FOREIGN KEY ("signInId") REFERENCES "SignIn"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "EmailToken" ADD CONSTRAINT "EmailToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "TradingPreferences" ADD CONSTRAINT "TradingPreferences_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "NotificationPreferences" ADD CONSTRAINT "NotificationPreferences_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Account" ADD CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "AccountFigures" ADD CONSTRAINT "AccountFigures_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Position" ADD CONSTRAINT "Position_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "EquityPoint" ADD CONSTRAINT "EquityPoint_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "CashFlow" ADD CONSTRAINT "CashFlow_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AppliedCorporateAction" ADD CONSTRAINT "AppliedCorporateAction_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QuarantinedActivity" ADD CONSTRAINT "QuarantinedActivity_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Reconciliation" ADD CONSTRAINT "Reconciliation_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Cycle" ADD CONSTRAINT "Cycle_snapshotId_fkey" FOREIGN KEY ("snapshotId") REFERENCES "MarketSnapshot"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "Cycle" ADD CONSTRAINT "Cycle_selectionId_fkey" FOREIGN KEY ("selectionId") REFERENCES "Selection"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_cycleId_fkey" FOREIGN KEY ("cycleId") REFERENCES "Cycle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_snapshotId_fkey" FOREIGN KEY ("snapshotId") REFERENCES "MarketSnapshot"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_sheetId_fkey" FOREIGN KEY ("sheetId") REFERENCES "VerdictSheet"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_policyVersion_fkey" FOREIGN KEY ("policyVersion") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Selection" ADD CONSTRAINT "Selection_policyVersion_fkey" FOREIGN KEY ("policyVersion") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "Seat" ADD CONSTRAINT "Seat_selectionId_fkey" FOREIGN KEY ("selectionId") REFERENCES "Selection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QaResult" ADD CONSTRAINT "QaResult_selectionId_fkey" FOREIGN KEY ("selectionId") REFERENCES "Selection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QaResult" ADD CONSTRAINT "QaResult_rotationPlanId_fkey" FOREIGN KEY ("rotationPlanId") REFERENCES "RotationPlan"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_decisionId_fkey" FOREIGN KEY ("decisionId") REFERENCES "DecisionRecord"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_rotationLegId_fkey" FOREIGN KEY ("rotationLegId") REFERENCES "RotationLeg"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_gateVerdictId_fkey" FOREIGN KEY ("gateVerdictId") REFERENCES "GateVerdict"("id") ON DELETE NO ACTION ON UPDATE CASCADE;
ALTER TABLE "GateVerdict" ADD CONSTRAINT "GateVerdict_intentId_fkey" FOREIGN KEY ("intentId") REFERENCES "Intent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "OwedStop" ADD CONSTRAINT "OwedStop_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ManualOrder" ADD CONSTRAINT "ManualOrder_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Order" ADD CONSTRAINT "Order_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Order" ADD CONSTRAINT "Order_intentId_fkey" FOREIGN KEY ("intentId") REFERENCES "Intent"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "Order" ADD CONSTRAINT "Order_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Order"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "TradeTotals" ADD CONSTRAINT "TradeTotals_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Fill" ADD CONSTRAINT "Fill_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Fill" ADD CONSTRAINT "Fill_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_openFillId_fkey" FOREIGN KEY ("openFillId") REFERENCES "Fill"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "LotClosure" ADD CONSTRAINT "LotClosure_lotId_fkey" FOREIGN KEY ("lotId") REFERENCES "Lot"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LotClosure" ADD CONSTRAINT "LotClosure_fillId_fkey" FOREIGN KEY ("fillId") REFERENCES "Fill"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "RoundTrip" ADD CONSTRAINT "RoundTrip_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "RotationPlan" ADD CONSTRAINT "RotationPlan_policyVersion_fkey" FOREIGN KEY ("policyVersion") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_planId_fkey" FOREIGN KEY ("planId") REFERENCES "RotationPlan"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "PolicyActivation" ADD CONSTRAINT "PolicyActivation_version_fkey" FOREIGN KEY ("version") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "WhatIf" ADD CONSTRAINT "WhatIf_version_fkey" FOREIGN KEY ("version") REFERENCES "PolicyVersion"("version") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "PushSubscription" ADD CONSTRAINT "PushSubscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BacktestGrid" ADD CONSTRAINT "BacktestGrid_backtestId_fkey" FOREIGN KEY ("backtestId") REFERENCES "Backtest"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "InvariantCheck" ADD CONSTRAINT "InvariantCheck_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ExportHold" ADD CONSTRAINT "ExportHold_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "StreamState" ADD CONSTRAINT "StreamState_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LogEvent" ADD CONSTRAINT "LogEvent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- ───────────────────────────────────────────────────────────────────────────────────────────────
-- What Prisma cannot say: checks, partial and covering indexes, triggers, partitions. They make wrong states
-- impossible rather than unlikely.

-- People
ALTER TABLE "User" ADD CONSTRAINT "User_email_is_lower_case" CHECK ("email" = lower("email") AND "email" LIKE '%_@_%' AND "email" !~ '[[:space:][:cntrl:],]');
ALTER TABLE "User" ADD CONSTRAINT "User_kill" CHECK (
  ("killState" = 'NONE') = ("killSetAt" IS NULL) AND ("killState" <> 'NONE' OR "killReason" IS NULL));
ALTER TABLE "EmailToken" ADD CONSTRAINT "EmailToken_expires_after_creation" CHECK ("expiresAt" > "createdAt");
ALTER TABLE "TradingPreferences" ADD CONSTRAINT "TradingPreferences_bounds" CHECK (
  "maxPositions" BETWEEN 1 AND 20
  AND "maxPositionValue" BETWEEN 100 AND 100000
  AND "profitTarget" BETWEEN 0.1 AND 50
  AND "stopLoss" BETWEEN 0.1 AND 50
  AND "checkInterval" BETWEEN 1 AND 60
  AND "defaultOrderSize" > 0 AND "defaultOrderSize" <> 'NaN'
);
-- Links of notifications stay within the product.
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_link_stays_here" CHECK ("link" ~ '^/([^/\\]|$)');

-- Second factors and access tokens
ALTER TABLE "TotpFactor" ADD CONSTRAINT "TotpFactor_used_once_confirmed" CHECK (("confirmedAt" IS NULL) = ("lastStep" IS NULL) AND ("lastStep" IS NULL OR "lastStep" >= 0));
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_bounds" CHECK ("counter" BETWEEN 0 AND 4294967295 AND length("publicKey") BETWEEN 1 AND 4096 AND length("name") BETWEEN 1 AND 60);
ALTER TABLE "AuthChallenge" ADD CONSTRAINT "AuthChallenge_bounds" CHECK ("expiresAt" > "createdAt" AND "failures" BETWEEN 0 AND 5);
ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_name_check" CHECK (char_length("name") BETWEEN 1 AND 60);
-- A token in clear does not fit into either column.
ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_secret_check" CHECK ("tokenHash" ~ '^[0-9a-f]{64}$' AND char_length("lastFour") = 4);
ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_expires_check" CHECK ("expiresAt" > "createdAt");

-- Webhooks, web push and quiet hours
ALTER TABLE "NotificationPreferences" ADD CONSTRAINT "NotificationPreferences_quiet_hours" CHECK (
    num_nulls("quietFrom", "quietTo", "quietTimeZone") IN (0, 3)
    AND ("quietFrom" IS NULL OR ("quietFrom" BETWEEN 0 AND 1439 AND "quietTo" BETWEEN 0 AND 1439 AND "quietFrom" <> "quietTo" AND length("quietTimeZone") BETWEEN 1 AND 64)));
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_disabled_with_reason" CHECK (num_nulls("disabledAt", "disabledReason") IN (0, 2));
ALTER TABLE "PushSubscription" ADD CONSTRAINT "PushSubscription_bounds" CHECK (length("endpoint") BETWEEN 1 AND 2000 AND length("p256dh") BETWEEN 1 AND 100 AND length("auth") BETWEEN 1 AND 100 AND length("label") BETWEEN 1 AND 100);
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_one_outcome" CHECK ("attempts" >= 0 AND num_nonnulls("deliveredAt", "failedAt") <= 1 AND ("lastStatus" IS NULL OR "lastStatus" BETWEEN 100 AND 999) AND ("lastError" IS NULL OR length("lastError") <= 200));

-- Accounts: the same broker account cannot be added twice while it is there. A removed account keeps its sealed keys, for
-- reading alone, until it is flat. A LIVE account trades only once its owner typed its number; one that closes buys nothing.
CREATE UNIQUE INDEX "Account_broker_account_once" ON "Account" ("broker", "environment", "brokerAccountId") WHERE "deletedAt" IS NULL;
ALTER TABLE "Account" ADD CONSTRAINT "Account_inactive_when_deleted" CHECK ("deletedAt" IS NULL OR "status" = 'INACTIVE');
ALTER TABLE "Account" ADD CONSTRAINT "Account_key_prefix_is_short" CHECK (length("keyPrefix") <= 8);
ALTER TABLE "Account" ADD CONSTRAINT "Account_number_end_is_short" CHECK (length("accountNumberEnd") <= 4);
ALTER TABLE "Account" ADD CONSTRAINT "Account_practice_is_paper" CHECK ("broker" <> 'PRACTICE' OR ("environment" = 'PAPER' AND "market" = 'PRACTICE'));
ALTER TABLE "Account" ADD CONSTRAINT "Account_halt_has_reason" CHECK (("haltedAt" IS NULL) = ("haltReason" IS NULL));
ALTER TABLE "Account" ADD CONSTRAINT "Account_unstopped_has_no_stop" CHECK (
  "killState" <> 'NONE' OR ("killReason" IS NULL AND "killSource" IS NULL AND "killSetAt" IS NULL));
ALTER TABLE "Account" ADD CONSTRAINT "Account_live_is_confirmed" CHECK (
  "environment" <> 'LIVE' OR "status" = 'INACTIVE' OR "liveConfirmedAt" IS NOT NULL);
ALTER TABLE "Account" ADD CONSTRAINT "Account_closing_is_flattened" CHECK (
  "closingAt" IS NULL OR "deletedAt" IS NOT NULL OR "killState" = 'FLATTEN');

-- Access is by pasted keys, or granted by its owner at Alpaca.
ALTER TABLE "Account" ADD CONSTRAINT "Account_granted_access_is_at_alpaca" CHECK ("access" = 'KEYS' OR "broker" = 'ALPACA');
ALTER TABLE "Account" ADD CONSTRAINT "Account_granted_access_has_no_key" CHECK ("access" = 'KEYS' OR "keyPrefix" IS NULL);
-- Without a key prefix the rows that are shown tell by this that there is access.
ALTER TABLE "Account" ADD CONSTRAINT "Account_granted_access_is_kept" CHECK (
  "access" = 'KEYS' OR "deletedAt" IS NOT NULL OR "sealedKeys" IS NOT NULL);
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_expires_after_creation" CHECK ("expiresAt" > "createdAt");

-- No NaN near money
ALTER TABLE "AccountFigures" ADD CONSTRAINT "AccountFigures_no_nan" CHECK (
  "equity" <> 'NaN' AND "cash" <> 'NaN' AND "buyingPower" <> 'NaN' AND "longMarketValue" <> 'NaN' AND "highWaterMark" <> 'NaN'
  AND "netDeposits" <> 'NaN' AND "realizedPnl" <> 'NaN' AND "totalVolume" <> 'NaN');
ALTER TABLE "AccountFigures" ADD CONSTRAINT "AccountFigures_unbooked_no_nan" CHECK ("unbookedCash" <> 'NaN');
ALTER TABLE "EquityPoint" ADD CONSTRAINT "EquityPoint_no_nan" CHECK ("equity" <> 'NaN' AND "cash" <> 'NaN' AND "longMarketValue" <> 'NaN');
ALTER TABLE "Position" ADD CONSTRAINT "Position_quantity" CHECK ("qty" <> 0 AND "qty" <> 'NaN' AND "avgEntryPrice" >= 0 AND "avgEntryPrice" <> 'NaN');
ALTER TABLE "AppliedCorporateAction" ADD CONSTRAINT "AppliedCorporateAction_cost"
  CHECK (("costShare" IS NULL OR ("costShare" >= 0 AND "costShare" <= 1)) AND ("costMoved" IS NULL OR "costMoved" <> 'NaN'));
ALTER TABLE "QuarantinedActivity" ADD CONSTRAINT "QuarantinedActivity_no_nan" CHECK ("amount" <> 'NaN' AND ("qty" IS NULL OR "qty" <> 'NaN'));
ALTER TABLE "QuarantinedActivity" ADD CONSTRAINT "QuarantinedActivity_settled_whole" CHECK (("settlement" IS NULL) = ("settledAt" IS NULL));
ALTER TABLE "Reconciliation" ADD CONSTRAINT "Reconciliation_clean_has_no_findings" CHECK ("isClean" = ("findings" = '[]'::jsonb));
ALTER TABLE "Reconciliation" ADD CONSTRAINT "Reconciliation_no_nan" CHECK ("cashHere" <> 'NaN' AND "cashThere" <> 'NaN');
ALTER TABLE "BenchmarkEvent" ADD CONSTRAINT "BenchmarkEvent_values"
  CHECK ("ratio" > 0 AND "ratio" < 'Infinity' AND "dividend" >= 0 AND "dividend" < 'Infinity');

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
-- Shares that no stop covers: one open row for a symbol of an account.
ALTER TABLE "OwedStop" ADD CONSTRAINT "OwedStop_quantities" CHECK ("qty" > 0 AND "stopPrice" > 0 AND "targetPrice" > 0);
CREATE UNIQUE INDEX "OwedStop_one_open_per_symbol" ON "OwedStop" ("accountId", "symbol") WHERE "paidAt" IS NULL;

-- Owners sell a position and tighten its stop by hand: each request once, and the sale an intent with a purpose of its own.
ALTER TABLE "ManualOrder" ADD CONSTRAINT "ManualOrder_asks_for_its_kind" CHECK (
    CASE "kind" WHEN 'SELL' THEN "stopPrice" IS NULL AND ("qty" IS NULL OR "qty" > 0)
        ELSE "qty" IS NULL AND "stopPrice" IS NOT NULL AND "stopPrice" > 0 END);
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_manual_orders_sell" CHECK ("purpose" <> 'MANUAL' OR "side" = 'SELL');

-- Orders and fills. What no venue traded may have no price.
ALTER TABLE "Order" ADD CONSTRAINT "Order_ours_has_intent" CHECK (("origin" = 'OURS') = ("intentId" IS NOT NULL));
ALTER TABLE "Order" ADD CONSTRAINT "Order_quantities" CHECK (
  ("qty" IS NOT NULL OR "notional" IS NOT NULL)
  AND "filledQty" >= 0 AND "filledQty" <> 'NaN' AND ("qty" IS NULL OR "filledQty" <= "qty"));
ALTER TABLE "Order" ADD CONSTRAINT "Order_filled_is_filled" CHECK ("status" <> 'FILLED' OR ("filledQty" > 0 AND "filledAvgPrice" IS NOT NULL));
ALTER TABLE "Fill" ADD CONSTRAINT "Fill_quantity_and_price" CHECK (
  "qty" > 0 AND "qty" <> 'NaN' AND "price" <> 'NaN' AND "fees" <> 'NaN'
  AND ("price" > 0 OR ("price" = 0 AND "source" IN ('ACTIVITY', 'ADJUSTMENT'))));
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_quantities" CHECK ("qtyRemaining" >= 0 AND "qtyRemaining" <= "qtyOpened" AND "qtyOpened" > 0 AND "costPrice" >= 0 AND "qtyOpened" <> 'NaN' AND "costPrice" <> 'NaN');
ALTER TABLE "LotClosure" ADD CONSTRAINT "LotClosure_quantity" CHECK ("qty" > 0 AND "realizedPnl" = "proceeds" - "cost" - "fees");
CREATE UNIQUE INDEX "RoundTrip_one_open_per_symbol" ON "RoundTrip" ("accountId", "symbol") WHERE "closedAt" IS NULL;
ALTER TABLE "RoundTrip" ADD CONSTRAINT "RoundTrip_closed_has_outcome" CHECK (("closedAt" IS NULL) = ("outcome" IS NULL));

-- Trades: an order that was meant to trade (an entry, an exit) or that was filled. A protective order that never filled stands on
-- its entry's page and counts nowhere. One index per order of the list, of one account and of all, which holds everything that
-- the list filters and adds up by: the table itself is read for the rows of one page only. The condition is spelled as the
-- queries spell it.
CREATE INDEX "Order_trades_by_date" ON "Order" ("accountId", "tradedAt", "id") INCLUDE ("symbol", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_symbol" ON "Order" ("accountId", "symbol", "id") INCLUDE ("tradedAt", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_quantity" ON "Order" ("accountId", "filledQty", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_price" ON "Order" ("accountId", (coalesce("filledAvgPrice", 0)), "id") INCLUDE ("filledAvgPrice", "tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_trades_by_total" ON "Order" ("accountId", "filledValue", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_date" ON "Order" ("tradedAt", "id") INCLUDE ("symbol", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_symbol" ON "Order" ("symbol", "id") INCLUDE ("tradedAt", "side", "status", "filledValue")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_quantity" ON "Order" ("filledQty", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_price" ON "Order" ((coalesce("filledAvgPrice", 0)), "id") INCLUDE ("filledAvgPrice", "tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_by_total" ON "Order" ("filledValue", "id") INCLUDE ("tradedAt", "symbol", "side", "status")
  WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET'));
CREATE INDEX "Order_all_unfilled" ON "Order" ("status", "tradedAt", "id") INCLUDE ("symbol", "side", "filledValue", "filledQty", "filledAvgPrice")
  WHERE "status" <> 'FILLED' AND ("filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET')));
CREATE INDEX "RoundTrip_closed_by_date" ON "RoundTrip" ("accountId", "closedAt") INCLUDE ("symbol", "outcome") WHERE "closedAt" IS NOT NULL;
CREATE INDEX "RoundTrip_closed_by_symbol" ON "RoundTrip" ("accountId", "symbol", "closedAt") INCLUDE ("outcome") WHERE "closedAt" IS NOT NULL;
CREATE INDEX "RoundTrip_all_by_symbol" ON "RoundTrip" ("symbol", "closedAt") INCLUDE ("outcome") WHERE "closedAt" IS NOT NULL;
-- The protective orders of a symbol in a stretch of time, for the page of its entry.
CREATE INDEX "Order_protective" ON "Order" ("accountId", "symbol", "submittedAt", "id") WHERE "role" IN ('STOP', 'TARGET');

-- The totals of an account are kept in the transaction of the row's own change, whoever makes it: they cannot drift. What a
-- statement changes is taken off as it was and added as it is. When an account goes, its totals go by themselves.
CREATE FUNCTION add_trades() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "TradeTotals" AS t ("accountId", "trades", "filledTrades", "volume")
    SELECT r."accountId", count(*), count(*) FILTER (WHERE r."status" = 'FILLED'), sum(r."filledValue")
    FROM after_rows r JOIN "Account" a ON a."id" = r."accountId"
    WHERE r."filledQty" > 0 OR (r."parentId" IS NULL AND r."role" NOT IN ('STOP', 'TARGET'))
    GROUP BY 1 ORDER BY 1
    ON CONFLICT ("accountId") DO UPDATE SET "trades" = t."trades" + excluded."trades",
      "filledTrades" = t."filledTrades" + excluded."filledTrades", "volume" = t."volume" + excluded."volume";
  RETURN NULL;
END $$;
CREATE FUNCTION take_trades() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "TradeTotals" AS t SET "trades" = t."trades" - gone."trades",
      "filledTrades" = t."filledTrades" - gone."filledTrades", "volume" = t."volume" - gone."volume"
    FROM (
      SELECT "accountId", count(*) AS "trades", count(*) FILTER (WHERE "status" = 'FILLED') AS "filledTrades", sum("filledValue") AS "volume"
      FROM before_rows WHERE "filledQty" > 0 OR ("parentId" IS NULL AND "role" NOT IN ('STOP', 'TARGET')) GROUP BY 1
    ) AS gone WHERE t."accountId" = gone."accountId";
  RETURN NULL;
END $$;
CREATE FUNCTION add_trips() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "TradeTotals" AS t ("accountId", "trips", "wins", "losses")
    SELECT r."accountId", count(*), count(*) FILTER (WHERE r."outcome" = 'WIN'), count(*) FILTER (WHERE r."outcome" = 'LOSS')
    FROM after_rows r JOIN "Account" a ON a."id" = r."accountId"
    WHERE r."closedAt" IS NOT NULL GROUP BY 1 ORDER BY 1
    ON CONFLICT ("accountId") DO UPDATE SET "trips" = t."trips" + excluded."trips",
      "wins" = t."wins" + excluded."wins", "losses" = t."losses" + excluded."losses";
  RETURN NULL;
END $$;
CREATE FUNCTION take_trips() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "TradeTotals" AS t SET "trips" = t."trips" - gone."trips", "wins" = t."wins" - gone."wins", "losses" = t."losses" - gone."losses"
    FROM (
      SELECT "accountId", count(*) AS "trips", count(*) FILTER (WHERE "outcome" = 'WIN') AS "wins", count(*) FILTER (WHERE "outcome" = 'LOSS') AS "losses"
      FROM before_rows WHERE "closedAt" IS NOT NULL GROUP BY 1
    ) AS gone WHERE t."accountId" = gone."accountId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_add_new" AFTER INSERT ON "Order" REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION add_trades();
CREATE TRIGGER "Order_add_changed" AFTER UPDATE ON "Order" REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION add_trades();
CREATE TRIGGER "Order_take_changed" AFTER UPDATE ON "Order" REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION take_trades();
CREATE TRIGGER "Order_take_gone" AFTER DELETE ON "Order" REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION take_trades();
CREATE TRIGGER "RoundTrip_add_new" AFTER INSERT ON "RoundTrip" REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION add_trips();
CREATE TRIGGER "RoundTrip_add_changed" AFTER UPDATE ON "RoundTrip" REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION add_trips();
CREATE TRIGGER "RoundTrip_take_changed" AFTER UPDATE ON "RoundTrip" REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION take_trips();
CREATE TRIGGER "RoundTrip_take_gone" AFTER DELETE ON "RoundTrip" REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION take_trips();

-- Steering
CREATE UNIQUE INDEX "PolicyVersion_one_active" ON "PolicyVersion" ("status") WHERE "status" = 'ACTIVE';
ALTER TABLE "RotationConfig" ADD CONSTRAINT "RotationConfig_single" CHECK ("id" = 1);
ALTER TABLE "SystemState" ADD CONSTRAINT "SystemState_single" CHECK ("id" = 1);
ALTER TABLE "RotationPlan" ADD CONSTRAINT "RotationPlan_reject_has_reason" CHECK ("approvalStatus" <> 'REJECTED' OR length(trim("rejectReason")) > 0);
ALTER TABLE "RotationPlan" ADD CONSTRAINT "RotationPlan_closedAs_known"
  CHECK ("closedAs" IS NULL OR "closedAs" IN ('expired', 'superseded') AND "approvalStatus" IN ('PENDING', 'APPROVED'));
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_kind_known" CHECK ("kind" IN ('forced_exit', 'swap', 'enter', 'resize'));
ALTER TABLE "RotationLeg" ADD CONSTRAINT "RotationLeg_outcome_known"
  CHECK ("outcome" IN ('waiting', 'submitted', 'filled', 'refused', 'expired', 'parked'));
-- The worker looks for what is left to do every two seconds: the index holds that and nothing else.
CREATE INDEX "RotationLeg_open" ON "RotationLeg" ("planId") WHERE "outcome" IN ('waiting', 'submitted', 'parked');
ALTER TABLE "RateLimit" ADD CONSTRAINT "RateLimit_bounds" CHECK ("windowMs" BETWEEN 60000 AND 86400000 AND "maxRequests" BETWEEN 1 AND 10000);
-- One what-if of the same content at a time.
CREATE UNIQUE INDEX "WhatIf_one_open" ON "WhatIf" ("contentHash") WHERE "status" IN ('QUEUED', 'RUNNING');

-- Work
ALTER TABLE "JobRun" ADD CONSTRAINT "JobRun_unfinished_check" CHECK ("unfinished" >= 0);
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_dates_check" CHECK ("fromDate" <= "toDate");
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_cash_check" CHECK ("cash" > 0 AND "cash" <> 'NaN');
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_progress_check" CHECK ("attempts" >= 0 AND "sessionsDone" >= 0 AND "sessionsDone" <= COALESCE("sessionsTotal", 0));
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_running_check" CHECK ("status" <> 'RUNNING' OR "beatAt" IS NOT NULL);
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_done_check" CHECK ("status" <> 'DONE' OR "deletedAt" IS NOT NULL OR ("record" IS NOT NULL AND "figures" IS NOT NULL));
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_failed_check" CHECK (("status" = 'FAILED') = ("error" IS NOT NULL));
-- What never came to an end is no trial, and goes when it is deleted.
ALTER TABLE "Backtest" ADD CONSTRAINT "Backtest_deleted_check" CHECK ("deletedAt" IS NULL OR "status" = 'DONE');
-- A person's runs take turns, whatever number of workers there is.
CREATE UNIQUE INDEX "Backtest_running_key" ON "Backtest" ("userId") WHERE "status" = 'RUNNING';
-- One trial of settings of a person at a time, kept until the next.
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_dates_check" CHECK ("fromDate" <= "toDate" AND "sessions" > 0);
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_cash_check" CHECK ("cash" > 0 AND "cash" <> 'NaN');
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_progress_check" CHECK ("attempts" >= 0 AND "sessionsDone" >= 0 AND "sessionsDone" <= COALESCE("sessionsTotal", 0));
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_running_check" CHECK ("status" <> 'RUNNING' OR "beatAt" IS NOT NULL);
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_done_check" CHECK (("status" = 'DONE') = ("result" IS NOT NULL));
ALTER TABLE "SettingsPreview" ADD CONSTRAINT "SettingsPreview_failed_check" CHECK (("status" = 'FAILED') = ("error" IS NOT NULL));
ALTER TABLE "StrategyHistory" ADD CONSTRAINT "StrategyHistory_whole_check" CHECK (
    num_nonnulls("fromDate", "sessions", "cash", "finalEquity", "totalReturn", "maxDrawdown", "exposure", "trades", "points")
      = CASE WHEN "reason" IS NULL THEN 9 ELSE 0 END
    AND ("reason" IS NULL OR ("winRate" IS NULL AND "indexReturn" IS NULL)));
ALTER TABLE "StrategyHistory" ADD CONSTRAINT "StrategyHistory_dates_check" CHECK ("fromDate" <= "throughDate" AND "sessions" > 0);
ALTER TABLE "StrategyHistory" ADD CONSTRAINT "StrategyHistory_figures_check" CHECK (
    "cash" > 0 AND "cash" <> 'NaN' AND "finalEquity" <> 'NaN' AND "trades" >= 0 AND "maxDrawdown" BETWEEN -1 AND 0
    AND "winRate" BETWEEN 0 AND 1 AND "totalReturn" <> 'NaN' AND "exposure" <> 'NaN' AND "indexReturn" <> 'NaN');
-- A backtest repeated with two of its settings varied: what it found goes with the backtest, that it was tried stays.
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

-- Market data: daily bars of a symbol in one row, events beside them, and how far the history is loaded. The packed numbers hardly get smaller:
-- trying to compress them costs more time than reading them.
ALTER TABLE "BarPack" ALTER COLUMN "columns" SET STORAGE EXTERNAL;
ALTER TABLE "BarPack" ADD CONSTRAINT "BarPack_range" CHECK (
      "bars" >= 0
      AND ("bars" = 0) = ("firstSession" IS NULL)
      AND ("firstSession" IS NULL) = ("lastSession" IS NULL)
      AND ("bars" = 0 OR ("firstSession" <= "lastSession" AND "lastSession" <= "through"))
    );
ALTER TABLE "MarketEvent" ADD CONSTRAINT "MarketEvent_kind" CHECK ("kind" IN ('split', 'dividend', 'split without ratio'));
ALTER TABLE "MarketEvent" ADD CONSTRAINT "MarketEvent_value" CHECK ("value" > 0 AND "value" < 'Infinity');
ALTER TABLE "BarHistory" ADD CONSTRAINT "BarHistory_waiting" CHECK ("waiting" BETWEEN 0 AND "symbols");
CREATE UNIQUE INDEX "SourceDisagreement_one_open" ON "SourceDisagreement" ("market", "symbol", "figure") WHERE "clearedAt" IS NULL;
ALTER TABLE "SourceDisagreement" ADD CONSTRAINT "SourceDisagreement_values_of_several" CHECK (jsonb_typeof("values") = 'array' AND jsonb_array_length("values") >= 2);
ALTER TABLE "SourceDisagreement" ADD CONSTRAINT "SourceDisagreement_beyond_its_limit" CHECK ("deviationBps" > "limitBps" AND "limitBps" > 0 AND "deviationBps" < 'Infinity');
ALTER TABLE "SourceAgreement" ADD CONSTRAINT "SourceAgreement_counts" CHECK ("agreed" >= 0 AND "agreed" <= "compared");

-- Texts of a language model
-- A model is named where it wrote, a fault where its text was refused, and nothing of it is kept then.
ALTER TABLE "InsightText"
    ADD CONSTRAINT "InsightText_written" CHECK (
      ("state" = 'WRITTEN') = ("sentences" IS NOT NULL) AND ("state" = 'WRITTEN') = ("model" IS NOT NULL)),
    ADD CONSTRAINT "InsightText_refused" CHECK (("state" = 'REFUSED') = ("fault" IS NOT NULL)),
    ADD CONSTRAINT "InsightText_asked" CHECK ("state" = 'WAITING' OR "askedAt" IS NOT NULL);

-- Checks of the invariants
ALTER TABLE "InvariantCheck" ADD CONSTRAINT "InvariantCheck_scope_names_its_account" CHECK ("scope" = coalesce("accountId"::text, 'system'));
ALTER TABLE "InvariantCheck" ADD CONSTRAINT "InvariantCheck_whole_has_no_breach" CHECK ("isWhole" = ("breaches" = '[]'::jsonb));
-- Nothing in the budget of broker requests is worth a log: after a crash of the database it begins full.
ALTER TABLE "RequestBudget" SET UNLOGGED;

ALTER TABLE "AuditHead" ADD CONSTRAINT "AuditHead_single" CHECK ("id" = 1);

-- Proof: audit rows are never changed or removed; decisions and policies are never rewritten.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "AuditEvent_append_only" BEFORE UPDATE OR DELETE ON "AuditEvent" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "AuditEvent_no_truncate" BEFORE TRUNCATE ON "AuditEvent" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "MarketSnapshot_immutable" BEFORE UPDATE ON "MarketSnapshot" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "DecisionRecord_immutable" BEFORE UPDATE ON "DecisionRecord" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "PolicyActivation_append_only" BEFORE UPDATE OR DELETE ON "PolicyActivation" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "VerdictSheet_immutable" BEFORE UPDATE ON "VerdictSheet" FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- What is written by reference needs what it refers to.
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_verdicts_have_sheet" CHECK (("sheetId" IS NULL) = ("verdicts" IS NULL));
-- Finds the audit rows of an order by its client id: each send has one (I12).
CREATE INDEX "AuditEvent_sent_orders" ON "AuditEvent" (("data" ->> 'clientOrderId')) WHERE "eventType" = 'ORDER_SENT';
CREATE FUNCTION refuse_policy_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."status" <> 'DRAFT' AND NEW."content" IS DISTINCT FROM OLD."content" THEN
    RAISE EXCEPTION 'policy % was activated and cannot be rewritten', OLD."version" USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "PolicyVersion_no_rewrite" BEFORE UPDATE ON "PolicyVersion" FOR EACH ROW EXECUTE FUNCTION refuse_policy_rewrite();
-- What was activated stays: it is neither removed nor made a draft again, which could be rewritten.
CREATE FUNCTION refuse_policy_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."status" <> 'DRAFT' AND (TG_OP = 'DELETE' OR NEW."status" = 'DRAFT') THEN
    RAISE EXCEPTION 'policy % was activated and stays', OLD."version" USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER "PolicyVersion_stays" BEFORE UPDATE OR DELETE ON "PolicyVersion" FOR EACH ROW EXECUTE FUNCTION refuse_policy_removal();
-- A person has a key until they are erased, and none afterwards; their row stays to say so.
ALTER TABLE "SubjectKey" ADD CONSTRAINT "SubjectKey_key_until_erased" CHECK (("sealedKey" IS NULL) = ("erasedAt" IS NOT NULL));
CREATE FUNCTION refuse_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the key of an erased person does not come back' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "SubjectKey_stays_erased" BEFORE UPDATE OR DELETE ON "SubjectKey" FOR EACH ROW WHEN (OLD."erasedAt" IS NOT NULL) EXECUTE FUNCTION refuse_revival();

-- The application's role has no right to change AuditHead: the end of the chain moves through this function of the
-- owner's, and only forward. Who may call it, and every other right, is granted by prisma/roles.mjs after each migration.
CREATE FUNCTION move_audit_head(next_seq bigint, next_hash text, next_proof text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "AuditHead" AS h ("id", "seq", "hash", "proof") VALUES (1, next_seq, next_hash, next_proof)
  ON CONFLICT ("id") DO UPDATE SET "seq" = excluded."seq", "hash" = excluded."hash", "proof" = excluded."proof"
  WHERE h."seq" < excluded."seq";
  IF NOT FOUND THEN RAISE EXCEPTION 'the end of the audit chain does not move back to %', next_seq; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION move_audit_head(bigint, text, text) FROM PUBLIC;

-- A writer's turn at the audit chain and the end that it carries on from, in one round trip: all others wait meanwhile. The end is the last
-- event, or the remembered one where events behind it are missing. Volatile: the second statement sees what was committed before the turn came.
CREATE FUNCTION take_audit_turn(turn bigint) RETURNS TABLE ("seq" bigint, "hash" text)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(turn);
  RETURN QUERY SELECT e."seq", e."hash" FROM (
    (SELECT a."seq", a."hash", 1 AS "isEvent" FROM "AuditEvent" a ORDER BY a."seq" DESC LIMIT 1)
    UNION ALL SELECT h."seq", h."hash", 0 FROM "AuditHead" h
  ) e ORDER BY e."seq" DESC, e."isEvent" DESC LIMIT 1;
END $$;

-- Decisions by month of their ids, points of equity by year of market time (docs/decisions/0016-partitions.md). The partitions stand in a schema of
-- their own, in which the application's role has no rights: it reads and writes the tables above them.
CREATE SCHEMA "partitions";

-- Ids of version 7 begin with 48 bits of time in milliseconds.
CREATE FUNCTION partitions.first_id(moment timestamptz) RETURNS uuid LANGUAGE sql STABLE STRICT AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
CREATE FUNCTION partitions.time_of(id uuid) RETURNS timestamptz LANGUAGE sql STABLE STRICT AS $$
  SELECT to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
$$;

-- The partitions of a table with their bounds, without the one that catches the rest.
CREATE FUNCTION partitions.of(parent text) RETURNS TABLE (part text, starts timestamptz, ends timestamptz) LANGUAGE sql STABLE AS $$
  SELECT c.relname::text, coalesce(CASE parent WHEN 'DecisionRecord' THEN partitions.time_of(bounds[1]::uuid) ELSE bounds[1]::timestamptz END, '-infinity'),
    CASE parent WHEN 'DecisionRecord' THEN partitions.time_of(bounds[2]::uuid) ELSE bounds[2]::timestamptz END
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \((?:MINVALUE|'(.+)')\) TO \('(.+)'\)$re$) AS bounds
  WHERE i.inhparent = format('public.%I', parent)::regclass AND bounds IS NOT NULL
$$;

-- Makes a partition and takes to it what of its range lies in the rest. Whoever reads or writes the table waits for as long as that takes. It gives up
-- before Postgres looks for a deadlock, so that it makes no transaction fail but one that was about to write a row of this range to the rest.
CREATE FUNCTION partitions.add(parent text, part text, lower text, upper text) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
DECLARE
  referenced record;
  intents uuid[];
  decisions uuid[];
BEGIN
  FOR referenced IN SELECT DISTINCT confrelid::regclass::text AS name FROM pg_constraint
    WHERE conrelid = format('public.%I', parent)::regclass AND contype = 'f' AND confrelid <> conrelid ORDER BY 1
  LOOP
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', referenced.name);
  END LOOP;
  EXECUTE format('LOCK TABLE partitions.%I IN ACCESS EXCLUSIVE MODE', parent || '_rest');
  EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part, parent);
  IF parent = 'DecisionRecord' THEN
    EXECUTE format('CREATE UNIQUE INDEX ON partitions.%I ("cycleId", "accountId")', part);
    -- For the foreign key a decision is gone while it is moved.
    SELECT array_agg(i."id"), array_agg(i."decisionId") INTO intents, decisions FROM "Intent" i
      WHERE i."decisionId" IN (SELECT "id" FROM partitions."DecisionRecord_rest" WHERE "id" >= lower::uuid AND "id" < upper::uuid);
  END IF;
  EXECUTE format('WITH moved AS (DELETE FROM partitions.%I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO partitions.%I SELECT * FROM moved',
    parent || '_rest', CASE parent WHEN 'DecisionRecord' THEN 'id' ELSE 'at' END, lower, CASE parent WHEN 'DecisionRecord' THEN 'id' ELSE 'at' END, upper, part);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', parent, part, lower, upper);
  UPDATE "Intent" i SET "decisionId" = m."decision" FROM unnest(intents, decisions) AS m("intent", "decision") WHERE i."id" = m."intent";
END $$;

-- Whether more rows of a range than that lie in the rest.
CREATE FUNCTION partitions.are_more(parent text, lower text, upper text, most bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  are boolean;
  key text := CASE parent WHEN 'DecisionRecord' THEN 'id' ELSE 'at' END;
BEGIN
  EXECUTE format('SELECT count(*) > $1 FROM (SELECT FROM partitions.%I WHERE %I >= %L AND %I < %L LIMIT $1 + 1) few', parent || '_rest', key, lower, key, upper)
    INTO are USING most;
  RETURN coalesce(are, false);
END $$;

-- Makes what is missing of this month and the three after it, of this year and the next by the clock and by that of each market, and of every month and
-- year that has rows in the rest (years up to fifty). Ids of a later time than that are wrong and stay in the rest, and so do more rows of a month or year
-- than "most": trading waits while they are moved. Null: whatever there is. Answers how many were made.
CREATE FUNCTION make_partitions(most bigint DEFAULT 50000) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  made integer := 0;
  wanted record;
BEGIN
  PERFORM pg_advisory_xact_lock(720261126);
  FOR wanted IN
    SELECT 'DecisionRecord' AS parent, to_char(m, '"DecisionRecord"_YYYY_MM') AS part, m AS starts, m + interval '1 month' AS ends,
      partitions.first_id(m)::text AS lower, partitions.first_id(m + interval '1 month')::text AS upper
    FROM (
      SELECT generate_series(date_trunc('month', now()), now() + interval '3 months', interval '1 month')
      UNION SELECT date_trunc('month', partitions.time_of("id")) FROM partitions."DecisionRecord_rest" WHERE "id" < partitions.first_id(now() + interval '3 months')
    ) months(m)
    UNION ALL
    SELECT 'EquityPoint', to_char(y, '"EquityPoint"_YYYY'), y, y + interval '1 year', y::text, (y + interval '1 year')::text
    FROM (
      SELECT generate_series(date_trunc('year', now()), now() + interval '1 year', interval '1 year')
      UNION SELECT date_trunc('year', "asOf") + n * interval '1 year' FROM "AccountFigures", generate_series(0, 1) n WHERE "asOf" IS NOT NULL
      UNION SELECT date_trunc('year', "at") FROM partitions."EquityPoint_rest"
    ) years(y)
    ORDER BY 1, 3
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM partitions.of(wanted.parent) o WHERE o.starts < wanted.ends AND o.ends > wanted.starts);
    -- A market may run through any number of years, and a statement locks each partition that it asks: the others stay in the rest.
    CONTINUE WHEN wanted.parent = 'EquityPoint' AND wanted.starts NOT BETWEEN date_trunc('year', now()) AND now() + interval '1 year'
      AND (SELECT count(*) FROM partitions.of('EquityPoint')) >= 50;
    CONTINUE WHEN partitions.are_more(wanted.parent, wanted.lower, wanted.upper, most);
    PERFORM partitions.add(wanted.parent, wanted.part, wanted.lower, wanted.upper);
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;
REVOKE EXECUTE ON FUNCTION make_partitions(bigint) FROM PUBLIC;

-- What the planner knows of a table with partitions, which autovacuum does not look after.
CREATE FUNCTION analyze_partitioned() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  ANALYZE "DecisionRecord", "EquityPoint";
END $$;
REVOKE EXECUTE ON FUNCTION analyze_partitioned() FROM PUBLIC;

-- Partitions of decisions that ended before a moment, the oldest first.
CREATE FUNCTION ended_decision_partitions(moment timestamptz) RETURNS TABLE ("part" text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.part FROM partitions.of('DecisionRecord') o WHERE o.ends <= moment ORDER BY o.ends
$$;
REVOKE EXECUTE ON FUNCTION ended_decision_partitions(timestamptz) FROM PUBLIC;

-- Drops such a partition where nothing is left in it. Else, once, writes what is left anew, which gives the room of deleted rows back; whoever reads
-- the partition waits meanwhile, and the caller says for how long at most (statement_timeout). Answers what was done.
CREATE FUNCTION release_decision_partition(name text, moment timestamptz, may_rewrite boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  found record;
  is_empty boolean;
BEGIN
  SELECT o.starts, format('partitions.%I', o.part)::regclass AS id INTO found FROM partitions.of('DecisionRecord') o WHERE o.part = name AND o.ends <= moment;
  IF found.id IS NULL THEN RETURN 'kept'; END IF;
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', found.id) INTO is_empty;
  IF NOT is_empty THEN
    IF NOT may_rewrite OR obj_description(found.id, 'pg_class') IS NOT NULL THEN RETURN 'kept'; END IF;
    EXECUTE format('CLUSTER %s USING %I', found.id,
      (SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = found.id AND i.indisprimary));
    EXECUTE format('COMMENT ON TABLE %s IS %L', found.id, 'rewritten ' || now()::date);
    RETURN 'rewritten';
  END IF;
  -- Everything before the first month has its place for good.
  IF found.starts = '-infinity' THEN RETURN 'kept'; END IF;
  LOCK TABLE "DecisionRecord" IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', found.id) INTO is_empty;
  IF NOT is_empty THEN RETURN 'kept'; END IF;
  EXECUTE format('ALTER TABLE "DecisionRecord" DETACH PARTITION %s', found.id);
  EXECUTE format('DROP TABLE %s', found.id);
  RETURN 'dropped';
END $$;
REVOKE EXECUTE ON FUNCTION release_decision_partition(text, timestamptz, boolean) FROM PUBLIC;

-- Decisions by month. A cycle decides once for an account: an id has the time of its cycle's id, so that all decisions of a cycle lie in one partition,
-- and each partition has a unique key. One partition has everything before the month after this migration, in whatever month it was decided.
DO $$
DECLARE
  first uuid := partitions.first_id(date_trunc('month', now(), 'UTC') + interval '1 month');
BEGIN
  EXECUTE format('ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_time_of_cycle" '
    'CHECK (("id" < %L AND "cycleId" < %L) OR left("id"::text, 13) = left("cycleId"::text, 13))', first, first);
  EXECUTE format('CREATE TABLE partitions."DecisionRecord_before" PARTITION OF "DecisionRecord" FOR VALUES FROM (MINVALUE) TO (%L)', first);
END $$;
CREATE TABLE partitions."DecisionRecord_rest" PARTITION OF "DecisionRecord" DEFAULT;
CREATE UNIQUE INDEX "DecisionRecord_before_cycleId_accountId_key" ON partitions."DecisionRecord_before" ("cycleId", "accountId");
CREATE UNIQUE INDEX "DecisionRecord_rest_cycleId_accountId_key" ON partitions."DecisionRecord_rest" ("cycleId", "accountId");

-- Points of equity by year of market time.
CREATE TABLE partitions."EquityPoint_rest" PARTITION OF "EquityPoint" DEFAULT;

-- How many rows of each table lie in no partition of their time.
CREATE FUNCTION rows_in_no_partition() RETURNS TABLE ("table" text, "rows" bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT 'DecisionRecord', count(*) FROM partitions."DecisionRecord_rest" UNION ALL SELECT 'EquityPoint', count(*) FROM partitions."EquityPoint_rest"
$$;
REVOKE EXECUTE ON FUNCTION rows_in_no_partition() FROM PUBLIC;

SELECT make_partitions();

-- The single rows
INSERT INTO "SystemState" ("id", "updatedAt") VALUES (1, now());
INSERT INTO "RotationConfig" ("id", "updatedAt") VALUES (1, now());
