-- Texts that a language model was asked for: the record's facts, and the sentences that it made of them.

CREATE TYPE "InsightKind" AS ENUM ('DAILY', 'TRADE', 'DECISION', 'ROTATION');
CREATE TYPE "InsightState" AS ENUM ('WAITING', 'ASKED', 'WRITTEN', 'REFUSED');

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

-- A model is named where it wrote, a fault where its text was refused, and nothing of it is kept then.
ALTER TABLE "InsightText"
    ADD CONSTRAINT "InsightText_written" CHECK (
      ("state" = 'WRITTEN') = ("sentences" IS NOT NULL) AND ("state" = 'WRITTEN') = ("model" IS NOT NULL)),
    ADD CONSTRAINT "InsightText_refused" CHECK (("state" = 'REFUSED') = ("fault" IS NOT NULL)),
    ADD CONSTRAINT "InsightText_asked" CHECK ("state" = 'WAITING' OR "askedAt" IS NOT NULL);

CREATE UNIQUE INDEX "InsightText_kind_subject_recordHash_key" ON "InsightText"("kind", "subject", "recordHash");
CREATE INDEX "InsightText_userId_createdAt_idx" ON "InsightText"("userId", "createdAt");
CREATE INDEX "InsightText_state_createdAt_idx" ON "InsightText"("state", "createdAt");

ALTER TABLE "InsightText" ADD CONSTRAINT "InsightText_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
