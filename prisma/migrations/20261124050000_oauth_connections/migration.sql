-- An account is reached with pasted keys, or with access that its owner granted at Alpaca.
CREATE TYPE "AccountAccess" AS ENUM ('KEYS', 'OAUTH');

ALTER TABLE "Account" ADD COLUMN "access" "AccountAccess" NOT NULL DEFAULT 'KEYS';
ALTER TABLE "Account" ADD CONSTRAINT "Account_granted_access_is_at_alpaca" CHECK ("access" = 'KEYS' OR "broker" = 'ALPACA');
ALTER TABLE "Account" ADD CONSTRAINT "Account_granted_access_has_no_key" CHECK ("access" = 'KEYS' OR "keyPrefix" IS NULL);
-- Without a key prefix the rows that are shown tell by this that there is access.
ALTER TABLE "Account" ADD CONSTRAINT "Account_granted_access_is_kept" CHECK (
  "access" = 'KEYS' OR "deletedAt" IS NOT NULL OR "sealedKeys" IS NOT NULL);

-- A person who was sent to Alpaca to grant access: what they come back with is taken once, in the sign-in that sent them.
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

CREATE UNIQUE INDEX "BrokerAuthorization_stateHash_key" ON "BrokerAuthorization"("stateHash");
CREATE INDEX "BrokerAuthorization_userId_idx" ON "BrokerAuthorization"("userId");
CREATE INDEX "BrokerAuthorization_signInId_idx" ON "BrokerAuthorization"("signInId");
CREATE INDEX "BrokerAuthorization_accountId_idx" ON "BrokerAuthorization"("accountId");
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_signInId_fkey" FOREIGN KEY ("signInId") REFERENCES "SignIn"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BrokerAuthorization" ADD CONSTRAINT "BrokerAuthorization_expires_after_creation" CHECK ("expiresAt" > "createdAt");
