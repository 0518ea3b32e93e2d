-- How far a backtest has read its market's history: reading takes a minute, and nothing was shown of it.
ALTER TABLE "Backtest" ADD COLUMN "readPercent" INTEGER;
