CREATE TYPE "ApprovalKind" AS ENUM ('ACTIVATE_POLICY', 'EXECUTE_ROTATION', 'MAKE_ADMINISTRATOR');

CREATE TABLE "PendingApproval" (
    "kind" "ApprovalKind" NOT NULL,
    "subject" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "requestedById" UUID NOT NULL,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PendingApproval_pkey" PRIMARY KEY ("kind", "subject")
);
