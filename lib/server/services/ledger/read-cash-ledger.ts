import { money, type Money } from "@/lib/domain/money.ts";
import type { Db, Tx } from "../../db.ts";

interface CashLedger {
  cash: Money;
  /** How many are in it. */
  fills: number;
}

/** Cash as our own rows have it, exactly: opening + deposits − buys + sells + dividends − fees, USD. */
export async function readCashLedger(db: Db | Tx, accountId: string): Promise<CashLedger> {
  return (await readCashLedgers(db, [accountId])).get(accountId)!;
}

/** The same of several accounts, in one statement; each has an answer. */
export async function readCashLedgers(db: Db | Tx, accountIds: readonly string[]): Promise<Map<string, CashLedger>> {
  const rows = await db.$queryRaw<{ id: string; flows: string; trades: string; fills: number }[]>`
    select asked."id"::text as "id", moved."flows", traded."trades", traded."fills"
    from unnest(${[...accountIds]}::uuid[]) as asked("id")
    cross join lateral (
      select coalesce(sum("amount"), 0)::text as "flows" from "CashFlow" where "accountId" = asked."id"
    ) moved
    cross join lateral (
      select coalesce(sum(case "side" when 'BUY' then -"qty" * "price" else "qty" * "price" end - "fees"), 0)::text as "trades",
        count(*)::int as "fills"
      from "Fill" where "accountId" = asked."id"
    ) traded`;
  return new Map(rows.map(({ id, flows, trades, fills }) => [id, { cash: money(flows).plus(money(trades)), fills }]));
}
