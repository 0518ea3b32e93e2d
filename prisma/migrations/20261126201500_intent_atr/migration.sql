-- The ATR that an order was decided with. Null for intents of before: those of a decision have it in the decision's plan.
ALTER TABLE "Intent" ADD COLUMN "atr" DOUBLE PRECISION;
