-- Daily bars of the US market were those of the feed that the quotes come from, by default a single exchange's: they are read anew, from the
-- consolidated tape, and with them splits and dividends, of which some were missing. Only a copy of the source's history is emptied.

DELETE FROM "BarPack" WHERE "market" = 'US';
DELETE FROM "MarketEvent" WHERE "market" = 'US';
DELETE FROM "BarHistory" WHERE "market" = 'US';
