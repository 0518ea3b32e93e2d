-- Assets other than stocks are left alone; their owner is told once.
ALTER TABLE "Account" ADD COLUMN "otherAssetsToldAt" TIMESTAMPTZ(3);
