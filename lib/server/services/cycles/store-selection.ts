import type { SeatView } from "@/lib/domain/engine/plan.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { text } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { ScreenResult, SelectionMemory } from "@/lib/domain/screening/screen-market.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { asJson, selectionMemoryOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db.ts";
import { dateOf } from "../../rows.ts";

export interface StoredSelection {
  id: string;
  seats: SeatView[];
}

/** What the selection of a session knew beside its scores. */
export interface SelectionInputs {
  /** Symbols whose bars could not be trusted, with the reason. */
  quarantine: Record<string, string>;
  /** Whether the earnings calendar answered: without it there is no watchlist of the session. */
  hasEarnings: boolean;
  /** It is configured and did not. */
  hasCalendarFailed: boolean;
  /** A vendor of sectors is configured and named none. */
  hasSectorVendorFailed: boolean;
  /** Sources of prices that are configured and did not answer when closes were compared. */
  failedPriceSources: string[];
}

/** The selector's memory before a session; null at the first selection. */
export async function latestSelection(
  { db }: Pick<Context, "db">,
  market: MarketName,
  before: SessionDate,
): Promise<{ memory: SelectionMemory } | null> {
  const row = await db.selection.findFirst({
    where: { market, sessionDate: { lt: dateOf(before) } },
    orderBy: { sessionDate: "desc" },
    select: { memory: true },
  });
  return row && { memory: selectionMemoryOf(row) };
}

/** Stores a session's selection once; a second worker, or a restart, reads back what the first one stored. */
export async function storeSelection(
  { db }: Pick<Context, "db">,
  market: MarketName,
  session: SessionDate,
  policy: Policy,
  result: ScreenResult,
  known: SelectionInputs,
): Promise<StoredSelection> {
  const key = { market_sessionDate: { market, sessionDate: dateOf(session) } };
  const existing = await db.selection.findUnique({ where: key, select: { id: true } });
  if (!existing) {
    try {
      await db.selection.create({
        data: {
          market,
          sessionDate: dateOf(session),
          policyVersion: policy.version,
          metadata: asJson({
            eligible: result.eligibleCount,
            exclusions: result.exclusions,
            refusedSwaps: result.refusedSwaps,
            swaps: result.swaps,
            forcedOut: result.forcedOut,
            ...known,
          }),
          memory: asJson(result.memory),
          seats: {
            create: result.seats.map((seat) => ({
              symbol: seat.symbol,
              rank: seat.rank,
              kind: seat.kind,
              sector: seat.sector,
              lastPrice: text(seat.lastPrice),
              compositeScore: seat.composite,
              liquidityScore: seat.liquidity,
              sentimentScore: seat.sentiment,
              technicalScore: seat.technical,
              momentumPercentile: seat.momentumPercentile,
              coverage: seat.coverage,
              tenureSessions: seat.tenureSessions,
              reasons: seat.reasons,
            })),
          },
        },
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
  const stored = await db.selection.findUniqueOrThrow({ where: key, include: { seats: { orderBy: { rank: "asc" } } } });
  return {
    id: stored.id,
    seats: stored.seats.map((seat) => ({
      symbol: seat.symbol,
      rank: seat.rank,
      kind: seat.kind,
      composite: seat.compositeScore,
      liquidity: seat.liquidityScore,
      sentiment: seat.sentimentScore,
      technical: seat.technicalScore,
      momentumPercentile: seat.momentumPercentile,
    })),
  };
}
