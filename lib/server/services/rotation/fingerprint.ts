import { text } from "@/lib/domain/money.ts";
import type { RotationLegPlan } from "@/lib/domain/rotation/proposal.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Prisma } from "../../db.ts";
import { hashOf } from "../cycles/market-record.ts";

export type LegRow = Prisma.RotationLegGetPayload<object>;

/** A stored leg as it was planned. */
export function legOf(row: LegRow): RotationLegPlan {
  const { accountId, leg, kind, symbol, side, reason, costBps, isCostKnown } = row;
  return {
    accountId,
    leg,
    kind: kind as RotationLegPlan["kind"],
    symbol,
    side,
    qty: text(row.qty.toString()),
    reason,
    decisionPrice: text(row.decisionPrice.toString()),
    priceGuardLow: text(row.priceGuardLow.toString()),
    priceGuardHigh: text(row.priceGuardHigh.toString()),
    costBps: isCostKnown ? costBps : null,
  };
}

/** A leg as it is stored with its plan. */
export function legRowOf({ costBps, ...leg }: RotationLegPlan) {
  return { ...leg, costBps: costBps ?? 0, isCostKnown: costBps !== null };
}

/** What an approval and an execution stand on: the legs in every detail that makes an order of them. */
export function fingerprintOf(legs: readonly RotationLegPlan[]): string {
  const rows = legs.map(({ accountId, leg, kind, symbol, side, qty, priceGuardLow, priceGuardHigh }) => ({
    accountId,
    leg,
    kind,
    symbol,
    side,
    qty,
    priceGuardLow,
    priceGuardHigh,
  }));
  return hashOf(rows.sort((a, b) => byText(a.accountId, b.accountId) || a.leg - b.leg));
}
