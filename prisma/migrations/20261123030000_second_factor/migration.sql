-- Second factors, recovery codes, challenges, and when a sign-in was last confirmed.

CREATE TYPE "ChallengeKind" AS ENUM ('SIGN_IN', 'STEP_UP', 'ENROL');

-- Sign-ins that are open during the migration were confirmed when they began, not now.
ALTER TABLE "SignIn" ADD COLUMN "confirmedAt" TIMESTAMPTZ(3);
UPDATE "SignIn" SET "confirmedAt" = "createdAt";
ALTER TABLE "SignIn" ALTER COLUMN "confirmedAt" SET NOT NULL, ALTER COLUMN "confirmedAt" SET DEFAULT CURRENT_TIMESTAMP;

CREATE TABLE "TotpFactor" (
    "userId" UUID NOT NULL,
    "sealedSecret" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMPTZ(3),
    "lastStep" BIGINT,

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

CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");
CREATE UNIQUE INDEX "RecoveryCode_userId_codeHash_key" ON "RecoveryCode"("userId", "codeHash");
CREATE UNIQUE INDEX "AuthChallenge_tokenHash_key" ON "AuthChallenge"("tokenHash");
CREATE INDEX "AuthChallenge_userId_kind_idx" ON "AuthChallenge"("userId", "kind");

ALTER TABLE "TotpFactor" ADD CONSTRAINT "TotpFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AuthChallenge" ADD CONSTRAINT "AuthChallenge_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "TotpFactor" ADD CONSTRAINT "TotpFactor_used_once_confirmed" CHECK (("confirmedAt" IS NULL) = ("lastStep" IS NULL) AND ("lastStep" IS NULL OR "lastStep" >= 0));
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_bounds" CHECK ("counter" BETWEEN 0 AND 4294967295 AND length("publicKey") BETWEEN 1 AND 4096 AND length("name") BETWEEN 1 AND 60);
ALTER TABLE "AuthChallenge" ADD CONSTRAINT "AuthChallenge_bounds" CHECK ("expiresAt" > "createdAt" AND "failures" BETWEEN 0 AND 5);
