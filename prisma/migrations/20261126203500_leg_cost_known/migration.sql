-- Whether the cost of a leg was known when it was planned: of a forced exit it need not be, and the 0 in its place read as free.
ALTER TABLE "RotationLeg" ADD COLUMN "isCostKnown" BOOLEAN NOT NULL DEFAULT true;
