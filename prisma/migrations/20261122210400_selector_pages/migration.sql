-- What the selector pages read: reactions to past reports, and the ways to a selection's QA results, a symbol's news and
-- its places on the watchlist.
CREATE TABLE "EarningsReaction" (
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "reportDate" DATE NOT NULL,
    "reportTime" TEXT NOT NULL,
    "reaction" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "EarningsReaction_pkey" PRIMARY KEY ("market","symbol","reportDate")
);

CREATE INDEX "EarningsWatch_market_symbol_sessionDate_idx" ON "EarningsWatch"("market", "symbol", "sessionDate");

CREATE INDEX "NewsItem_symbols_idx" ON "NewsItem" USING GIN ("symbols");

CREATE INDEX "QaResult_selectionId_idx" ON "QaResult"("selectionId");
