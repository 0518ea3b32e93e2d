-- Kill switches of a person and of a symbol, beside those of the system and of an account.
ALTER TABLE "User" ADD COLUMN "killState" "KillState" NOT NULL DEFAULT 'NONE',
ADD COLUMN "killReason" TEXT,
ADD COLUMN "killSetAt" TIMESTAMPTZ(3);

ALTER TABLE "User" ADD CONSTRAINT "User_kill" CHECK (
  ("killState" = 'NONE') = ("killSetAt" IS NULL) AND ("killState" <> 'NONE' OR "killReason" IS NULL));

CREATE TABLE "SymbolStop" (
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "reason" TEXT,
    "setAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SymbolStop_pkey" PRIMARY KEY ("market", "symbol")
);
