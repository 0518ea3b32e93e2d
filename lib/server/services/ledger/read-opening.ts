import { REGIMES, type RegimeLabel, type StrategyName } from "@/lib/domain/enums.ts";
import type { Prisma, Tx } from "../../db.ts";

/** What a position and its round trip take from the decision or rotation plan that opened them; null where neither did, or it did not say. */
export interface Opening {
  strategy: StrategyName | null;
  /** The regime that was decided in. */
  regime: RegimeLabel | null;
  stopPrice: Prisma.Decimal | null;
  targetPrice: Prisma.Decimal | null;
  /** The volatility that size and stop were made from. */
  entryAtr: number | null;
}

export const NO_OPENING: Opening = { strategy: null, regime: null, stopPrice: null, targetPrice: null, entryAtr: null };

/**
 * In one statement, since trades wait for it. The regime holds for the session, so it stands in the part of the snapshot that the session
 * shares. Intents recorded before they kept the ATR themselves have it in their decision.
 */
export async function readOpening(tx: Tx, intentId: string | null): Promise<Opening> {
  if (intentId === null) return NO_OPENING;
  const [row] = await tx.$queryRaw<(Omit<Opening, "regime" | "entryAtr"> & Record<"label" | "atr", string | null>)[]>`
    select i."strategy", i."stopLossPrice" as "stopPrice", i."takeProfitPrice" as "targetPrice",
      part."content" -> 'regime' ->> 'label' as "label", coalesce(i."atr"::text, (
        select planned ->> 'atr' from jsonb_array_elements(d."plan" -> 'orders') planned where planned -> 'leg' = to_jsonb(i."leg") limit 1
      )) as "atr"
    from "Intent" i
    left join "DecisionRecord" d on d."id" = i."decisionId"
    left join "RotationPlan" r on i."rotationLegId" is not null and r."id" = i."planId"
    left join "MarketSnapshot" moment on moment."id" = coalesce(d."snapshotId", r."snapshotId")
    left join "MarketSnapshot" part on part."id" = moment."content" ->> 'sessionPart'
    where i."id" = ${intentId}::uuid`;
  if (row === undefined) return NO_OPENING;
  const { label, atr, ...opening } = row;
  const regime = REGIMES.find((known) => known === label) ?? null;
  return { ...opening, regime, entryAtr: atr === null ? null : Number(atr) };
}
