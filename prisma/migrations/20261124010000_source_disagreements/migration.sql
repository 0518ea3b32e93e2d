-- Closes and prices of a symbol are compared between sources: what was too far apart, and how often each source agreed.
CREATE TYPE "PriceFigure" AS ENUM ('CLOSE', 'QUOTE');

CREATE TABLE "SourceDisagreement" (
    "id" UUID NOT NULL,
    "market" "Market" NOT NULL,
    "symbol" TEXT NOT NULL,
    "session" DATE NOT NULL,
    "figure" "PriceFigure" NOT NULL,
    "values" JSONB NOT NULL,
    "deviationBps" DOUBLE PRECISION NOT NULL,
    "limitBps" DOUBLE PRECISION NOT NULL,
    "foundAt" TIMESTAMPTZ(3) NOT NULL,
    "clearedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SourceDisagreement_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "SourceDisagreement_market_symbol_foundAt_idx" ON "SourceDisagreement"("market", "symbol", "foundAt");
CREATE UNIQUE INDEX "SourceDisagreement_one_open" ON "SourceDisagreement" ("market", "symbol", "figure") WHERE "clearedAt" IS NULL;
ALTER TABLE "SourceDisagreement" ADD CONSTRAINT "SourceDisagreement_values_of_several" CHECK (jsonb_typeof("values") = 'array' AND jsonb_array_length("values") >= 2);
ALTER TABLE "SourceDisagreement" ADD CONSTRAINT "SourceDisagreement_beyond_its_limit" CHECK ("deviationBps" > "limitBps" AND "limitBps" > 0 AND "deviationBps" < 'Infinity');

CREATE TABLE "SourceAgreement" (
    "provider" TEXT NOT NULL,
    "market" "Market" NOT NULL,
    "figure" "PriceFigure" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "compared" INTEGER NOT NULL,
    "agreed" INTEGER NOT NULL,

    CONSTRAINT "SourceAgreement_pkey" PRIMARY KEY ("provider","market","figure","at")
);

CREATE INDEX "SourceAgreement_at_idx" ON "SourceAgreement"("at");
ALTER TABLE "SourceAgreement" ADD CONSTRAINT "SourceAgreement_counts" CHECK ("agreed" >= 0 AND "agreed" <= "compared");
