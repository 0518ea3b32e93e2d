-- Personal access tokens: programs call the API with them. Their secrets are stored as hashes alone.
CREATE TYPE "AccessTokenScope" AS ENUM ('READ', 'STEER');

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

CREATE UNIQUE INDEX "AccessToken_tokenHash_key" ON "AccessToken"("tokenHash");
CREATE INDEX "AccessToken_userId_createdAt_idx" ON "AccessToken"("userId", "createdAt");

ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_name_check" CHECK (char_length("name") BETWEEN 1 AND 60);
-- A token in clear does not fit into either column.
ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_secret_check" CHECK ("tokenHash" ~ '^[0-9a-f]{64}$' AND char_length("lastFour") = 4);
ALTER TABLE "AccessToken" ADD CONSTRAINT "AccessToken_expires_check" CHECK ("expiresAt" > "createdAt");
