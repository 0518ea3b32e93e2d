-- What the product has told a person, in its pages. Mails stay in the outbox; both are written with the event.
CREATE TYPE "EnvironmentLabel" AS ENUM ('PRACTICE', 'PAPER', 'LIVE');
CREATE TYPE "NotificationKind" AS ENUM ('ORDER', 'TRADE', 'SYSTEM', 'SECURITY', 'WEEKLY');

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

    CONSTRAINT "Notification_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Notification_link_stays_here" CHECK ("link" ~ '^/([^/\\]|$)')
);
CREATE UNIQUE INDEX "Notification_userId_dedupeKey_key" ON "Notification"("userId", "dedupeKey");
CREATE INDEX "Notification_userId_at_id_idx" ON "Notification"("userId", "at" DESC, "id" DESC);
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Finds the mail that is being put together for an account.
CREATE INDEX "Outbox_userId_createdAt_idx" ON "Outbox"("userId", "createdAt");

-- System alerts have a template of their own, with the same props.
UPDATE "Outbox" SET "template" = 'system-alert' WHERE "template" = 'notice' AND "sentAt" IS NULL;
