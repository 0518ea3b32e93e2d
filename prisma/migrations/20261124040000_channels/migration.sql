-- Webhooks, web push and quiet hours.

CREATE TYPE "DeliveryChannel" AS ENUM ('WEBHOOK', 'PUSH');

ALTER TABLE "NotificationPreferences" ADD COLUMN "quietFrom" INTEGER, ADD COLUMN "quietTo" INTEGER, ADD COLUMN "quietTimeZone" TEXT;

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

CREATE UNIQUE INDEX "Webhook_userId_key" ON "Webhook"("userId");
CREATE UNIQUE INDEX "PushSubscription_endpoint_key" ON "PushSubscription"("endpoint");
CREATE INDEX "PushSubscription_userId_idx" ON "PushSubscription"("userId");
CREATE UNIQUE INDEX "Delivery_targetId_dedupeKey_key" ON "Delivery"("targetId", "dedupeKey");
CREATE INDEX "Delivery_deliveredAt_failedAt_dueAt_idx" ON "Delivery"("deliveredAt", "failedAt", "dueAt");
CREATE INDEX "Delivery_userId_createdAt_id_idx" ON "Delivery"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Delivery_notificationId_idx" ON "Delivery"("notificationId");

ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "PushSubscription" ADD CONSTRAINT "PushSubscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "NotificationPreferences" ADD CONSTRAINT "NotificationPreferences_quiet_hours" CHECK (
    num_nulls("quietFrom", "quietTo", "quietTimeZone") IN (0, 3)
    AND ("quietFrom" IS NULL OR ("quietFrom" BETWEEN 0 AND 1439 AND "quietTo" BETWEEN 0 AND 1439 AND "quietFrom" <> "quietTo" AND length("quietTimeZone") BETWEEN 1 AND 64)));
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_disabled_with_reason" CHECK (num_nulls("disabledAt", "disabledReason") IN (0, 2));
ALTER TABLE "PushSubscription" ADD CONSTRAINT "PushSubscription_bounds" CHECK (length("endpoint") BETWEEN 1 AND 2000 AND length("p256dh") BETWEEN 1 AND 100 AND length("auth") BETWEEN 1 AND 100 AND length("label") BETWEEN 1 AND 100);
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_one_outcome" CHECK ("attempts" >= 0 AND num_nonnulls("deliveredAt", "failedAt") <= 1 AND ("lastStatus" IS NULL OR "lastStatus" BETWEEN 100 AND 999) AND ("lastError" IS NULL OR length("lastError") <= 200));
