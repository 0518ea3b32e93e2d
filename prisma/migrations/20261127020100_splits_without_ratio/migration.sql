-- A split of which the source's row cannot be read is known by its symbol and date: the symbol is set aside.

ALTER TABLE "MarketEvent" DROP CONSTRAINT "MarketEvent_kind",
  ADD CONSTRAINT "MarketEvent_kind" CHECK ("kind" IN ('split', 'dividend', 'split without ratio')) NOT VALID;
ALTER TABLE "MarketEvent" VALIDATE CONSTRAINT "MarketEvent_kind";
