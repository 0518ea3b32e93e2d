import { money, type Money } from "@/lib/domain/money.ts";
import type { Db, Tx } from "../../db.ts";

/**
 * Cash as our own rows have it, exactly: opening + deposits − buys + sells + dividends − fees, USD, with the
 * number of fills in it.
 */
export async function readCashLedger(db: Db | Tx, accountId: string): Promise<{ cash: Money; fills: number }> {
  const [ledger] = await db.$queryRaw<{ flows: string; trades: string; fills: number }[]>`
    select
      (select coalesce(sum("amount"), 0)::text from "CashFlow" where "accountId" = ${accountId}::uuid) as "flows",
      coalesce(sum(case "side" when 'BUY' then -"qty" * "price" else "qty" * "price" end - "fees"), 0)::text as "trades",
      count(*)::int as "fills"
    from "Fill" where "accountId" = ${accountId}::uuid`;
  return { cash: money(ledger?.flows ?? 0).plus(money(ledger?.trades ?? 0)), fills: ledger?.fills ?? 0 };
}
