import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";

/** A row of the watchlist in the specification's names. */
export const watchFields = (row: Prisma.EarningsWatchGetPayload<object>) => ({
  symbol: row.symbol,
  companyName: row.companyName,
  sector: row.sector,
  lastPrice: row.lastPrice.toString(),
  earningsDate: sessionOf(row.earningsDate),
  earningsTime: row.earningsTime,
  riskLevel: row.riskLevel,
  expectedMove: row.expectedMove,
  // Stored as 0 where nothing gives one: a stock without a known upside is no stock that stays where it is.
  upside: row.upsideSource === "none" ? null : row.upside,
  upsideSource: row.upsideSource,
  volumeRatio: row.volumeRatio,
  watchlistReason: row.watchlistReason,
});
