import { type AppliedSplit, levelInSharesOfNow, SPLIT_TYPES } from "@/lib/domain/level-basis.ts";
import { type Money, money } from "@/lib/domain/money.ts";
import { newYork } from "@/lib/domain/time.ts";
import type { Order } from "../../core/row-types.ts";
import type { Db } from "../../db.ts";
import { sessionOf } from "../../rows.ts";

type Protective = Pick<Order, "accountId" | "symbol" | "filledAt" | "endedAt">;

/** How the prices of these orders compare: each in shares of now, whatever was split since it ended. */
export async function readLevels(
  db: Db,
  orders: readonly Protective[],
): Promise<(order: Protective, price: Money) => Money> {
  const [accountIds, symbols] = (["accountId", "symbol"] as const).map((key) => [
    ...new Set(orders.map((order) => order[key])),
  ]) as [string[], string[]];
  const rows =
    orders.length < 2
      ? []
      : await db.appliedCorporateAction.findMany({
          where: { accountId: { in: accountIds }, symbol: { in: symbols }, kind: { in: [...SPLIT_TYPES] } },
        });
  const splits = new Map<string, Map<string, AppliedSplit>>();
  for (const { accountId, symbol, exDate, ratio } of rows) {
    const key = `${accountId} ${symbol}`;
    // A split has a row for each of the broker's activities.
    const ofSymbol = splits.get(key) ?? new Map<string, AppliedSplit>();
    splits.set(key, ofSymbol.set(sessionOf(exDate), { exDate: sessionOf(exDate), ratio: money(ratio) }));
  }
  return ({ accountId, symbol, filledAt, endedAt }, price) => {
    const end = filledAt ?? endedAt;
    const applied = [...(splits.get(`${accountId} ${symbol}`)?.values() ?? [])];
    return levelInSharesOfNow(price, end && newYork(end).date, applied);
  };
}
