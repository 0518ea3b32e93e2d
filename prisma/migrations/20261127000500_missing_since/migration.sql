-- Since when the broker has named a working order in no reading.
ALTER TABLE "Order" ADD COLUMN "missingSince" TIMESTAMPTZ(3);
