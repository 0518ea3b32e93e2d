import { money, text } from "@/lib/domain/money.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { readCashLedger } from "../ledger/read-cash-ledger.ts";
import { positionDifferences, lastingDifferences } from "../sync/compare-positions.ts";
import { bookQueries } from "./book-queries.ts";
import { orderQueries } from "./order-queries.ts";
import type { Breach } from "./table.ts";

/** So many of one kind are enough to see what is wrong. */
const MOST_OF_A_KIND = 20;
const CENT = money("0.01");

/** What the account's own rows contradict at one moment, in one statement. Read only. */
export async function readRowBreaches({ db, now }: Pick<Context, "db" | "now">, accountId: string): Promise<Breach[]> {
  const at = now();
  const kinds = [...orderQueries, ...bookQueries].map(
    ([invariant, query]) => Prisma.sql`
      (select ${invariant} as "invariant", broken."subject", broken."detail" from (${query(accountId, at)}) broken limit ${MOST_OF_A_KIND}::int)`,
  );
  return db.$queryRaw<Breach[]>(Prisma.join(kinds, " union all "));
}

/** Positions (I4) and cash (I5) as the broker has them, against our books. */
export async function readBrokerBreaches(
  context: Context,
  accountId: string,
  broker: Broker,
): Promise<{ breaches: Breach[]; undecided: string | null }> {
  const [positions, balances] = [await broker.positions(), await broker.account()];
  const differences = await positionDifferences(context, accountId, positions);
  const { cash } = await readCashLedger(context.db, accountId);
  const lasting = await lastingDifferences(context, accountId, differences);
  const breaches: Breach[] = lasting.map(({ symbol, ours, theirs }) => ({
    invariant: "I4",
    subject: symbol,
    detail: `${ours} here, ${theirs} at the broker`,
    difference: text(money(theirs).minus(money(ours))),
  }));
  const missing = money(balances.cash).minus(cash);
  if (missing.abs().gte(CENT)) {
    const detail = `${text(cash.toDecimalPlaces(2))} by our records, ${balances.cash} at the broker`;
    breaches.push({ invariant: "I5", subject: "cash", detail, difference: text(missing.toDecimalPlaces(2)) });
  }
  const late = differences.filter((each) => !lasting.includes(each)).map(({ symbol }) => symbol);
  return { breaches, undecided: late.length === 0 ? null : `positions may lag behind their fills: ${late.join(", ")}` };
}
