-- What the SEC says of each ticker of the US market: sectors and dates of results without a paid source.
CREATE TABLE "Company" (
    "symbol" TEXT NOT NULL,
    "cik" INTEGER,
    "sic" INTEGER,
    "announcedAt" TIMESTAMPTZ(3)[],
    "readAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Company_pkey" PRIMARY KEY ("symbol")
);

CREATE INDEX "Company_readAt_idx" ON "Company"("readAt");
