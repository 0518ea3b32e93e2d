-- Who stopped an account, why and since when. Until now only the drawdown latch stopped accounts.
CREATE TYPE "KillSource" AS ENUM ('OWNER', 'ADMIN', 'DRAWDOWN');
ALTER TABLE "Account" ADD COLUMN "killReason" TEXT;
ALTER TABLE "Account" ADD COLUMN "killSource" "KillSource";
ALTER TABLE "Account" ADD COLUMN "killSetAt" TIMESTAMPTZ(3);
UPDATE "Account" SET "killSource" = 'DRAWDOWN' WHERE "killState" <> 'NONE';
ALTER TABLE "Account" ADD CONSTRAINT "Account_unstopped_has_no_stop" CHECK (
  "killState" <> 'NONE' OR ("killReason" IS NULL AND "killSource" IS NULL AND "killSetAt" IS NULL));
ALTER TABLE "SystemState" ADD COLUMN "killSetAt" TIMESTAMPTZ(3);
