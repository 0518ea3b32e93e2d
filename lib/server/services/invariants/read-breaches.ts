import { money, text, ZERO } from "@/lib/domain/money.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { readCashLedger } from "../orders/read-cash-ledger.ts";
import { bookQueries, heldLots } from "./book-queries.ts";
import { orderQueries } from "./order-queries.ts";
import type { Breach } from "./table.ts";

/** So many of one kind are enough to see what is wrong. */
const MOST_OF_A_KIND = 20;
const CENT = money("0.01");

/** What the account's own rows contradict. Read only. */
export async function readRowBreaches({ db, now }: Pick<Context, "db" | "now">, accountId: string): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const [invariant, query] of [...orderQueries, ...bookQueries]) {
    const rows = await db.$queryRaw<{ subject: string; detail: string }[]>(query(accountId, now()));
    for (const { subject, detail } of rows.slice(0, MOST_OF_A_KIND)) found.push({ invariant, subject, detail });
  }
  return found;
}

type Sum = { toString(): string };

/** Positions (I4) and cash (I5) as the broker has them, against our books. */
export async function readBrokerBreaches(db: Db, accountId: string, broker: Broker): Promise<Breach[]> {
  const [positions, balances] = [await broker.positions(), await broker.account()];
  const lots = await db.$queryRaw<{ symbol: string; qty: Sum }[]>(heldLots(accountId));
  const { cash } = await readCashLedger(db, accountId);
  const ours = new Map(lots.map(({ symbol, qty }) => [symbol, money(qty)]));
  const theirs = new Map(positions.map(({ symbol, qty }) => [symbol, money(qty)]));
  const found: Breach[] = [];
  for (const symbol of new Set([...ours.keys(), ...theirs.keys()])) {
    const [here, there] = [ours.get(symbol) ?? ZERO, theirs.get(symbol) ?? ZERO];
    if (!here.eq(there))
      found.push({ invariant: "I4", subject: symbol, detail: `${text(here)} here, ${text(there)} at the broker` });
  }
  const missing = money(balances.cash).minus(cash);
  if (missing.abs().gte(CENT)) {
    const detail = `${text(cash.toDecimalPlaces(2))} by our records, ${balances.cash} at the broker`;
    found.push({ invariant: "I5", subject: "cash", detail });
  }
  return found;
}
