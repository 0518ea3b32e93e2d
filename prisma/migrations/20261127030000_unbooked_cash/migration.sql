-- Money that the broker has and the books do not, so that it raises no high-water mark before it is booked.
ALTER TABLE "AccountFigures" ADD COLUMN "unbookedCash" DECIMAL(24, 9) NOT NULL DEFAULT 0;
ALTER TABLE "AccountFigures" ADD CONSTRAINT "AccountFigures_unbooked_no_nan" CHECK ("unbookedCash" <> 'NaN') NOT VALID;
