-- Activities that waited for a person, and what was decided about them; cost that moved between symbols with them.
CREATE TYPE "ActivitySettlement" AS ENUM ('BOOKED', 'DISMISSED');
ALTER TABLE "QuarantinedActivity" ADD COLUMN "settlement" "ActivitySettlement", ADD COLUMN "settledAt" TIMESTAMPTZ(3);
ALTER TABLE "QuarantinedActivity" ADD CONSTRAINT "QuarantinedActivity_settled_whole"
  CHECK (("settlement" IS NULL) = ("settledAt" IS NULL));
ALTER TABLE "AppliedCorporateAction" ADD COLUMN "costShare" DECIMAL(18,9), ADD COLUMN "costMoved" DECIMAL(24,9);
ALTER TABLE "AppliedCorporateAction" ADD CONSTRAINT "AppliedCorporateAction_cost"
  CHECK (("costShare" IS NULL OR ("costShare" >= 0 AND "costShare" <= 1)) AND ("costMoved" IS NULL OR "costMoved" <> 'NaN'));

-- Shares may be removed without money: what no venue traded may have no price.
ALTER TABLE "Fill" DROP CONSTRAINT "Fill_quantity_and_price";
ALTER TABLE "Fill" ADD CONSTRAINT "Fill_quantity_and_price"
  CHECK ("qty" > 0 AND "qty" <> 'NaN' AND "price" <> 'NaN' AND "fees" <> 'NaN'
    AND ("price" > 0 OR ("price" = 0 AND "source" IN ('ACTIVITY', 'ADJUSTMENT'))));
