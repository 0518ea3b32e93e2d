-- Drafts are edited by compare-and-set on their revision.
ALTER TABLE "PolicyVersion" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN "basedOn" TEXT,
ADD COLUMN "updatedById" UUID,
ADD COLUMN "updatedAt" TIMESTAMPTZ(3);

-- Every activation, a roll back too: a version's own row keeps the last one only.
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
CREATE INDEX "PolicyActivation_version_at_idx" ON "PolicyActivation"("version", "at");
ALTER TABLE "PolicyActivation" ADD CONSTRAINT "PolicyActivation_version_fkey" FOREIGN KEY ("version") REFERENCES "PolicyVersion"("version") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE TRIGGER "PolicyActivation_append_only" BEFORE UPDATE OR DELETE ON "PolicyActivation" FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What was activated stays: it is neither removed nor made a draft again, which could be rewritten.
CREATE FUNCTION refuse_policy_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."status" <> 'DRAFT' AND (TG_OP = 'DELETE' OR NEW."status" = 'DRAFT') THEN
    RAISE EXCEPTION 'policy % was activated and stays', OLD."version" USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER "PolicyVersion_stays" BEFORE UPDATE OR DELETE ON "PolicyVersion" FOR EACH ROW EXECUTE FUNCTION refuse_policy_removal();

-- A policy tried on recorded cycles.
CREATE TYPE "WhatIfStatus" AS ENUM ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED');

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
CREATE INDEX "WhatIf_version_createdAt_idx" ON "WhatIf"("version", "createdAt" DESC);
CREATE INDEX "WhatIf_status_createdAt_idx" ON "WhatIf"("status", "createdAt");
CREATE INDEX "WhatIf_contentHash_status_idx" ON "WhatIf"("contentHash", "status");
ALTER TABLE "WhatIf" ADD CONSTRAINT "WhatIf_version_fkey" FOREIGN KEY ("version") REFERENCES "PolicyVersion"("version") ON DELETE CASCADE ON UPDATE CASCADE;
-- One try of the same content at a time.
CREATE UNIQUE INDEX "WhatIf_one_open" ON "WhatIf" ("contentHash") WHERE "status" IN ('QUEUED', 'RUNNING');

-- Filters of the audit trail.
CREATE INDEX "AuditEvent_at_idx" ON "AuditEvent"("at");
CREATE INDEX "AuditEvent_requestId_seq_idx" ON "AuditEvent"("requestId", "seq");
