import { money, text } from "@/lib/domain/money.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { askBrokers } from "../../core/ask-brokers.ts";
import type { Account } from "../../core/row-types.ts";
import { readCashLedger, readCashLedgers } from "../ledger/read-cash-ledger.ts";
import { differencesOf, lastingDifferences, positionDifferences, readHeldLots } from "../sync/compare-positions.ts";
import { bookQueries } from "./book-queries.ts";
import { orderQueries } from "./order-queries.ts";
import type { Breach } from "./table.ts";

/** So many of one kind are enough to see what is wrong. */
const MOST_OF_A_KIND = 20;
const CENT = money("0.01");
/** Requests of a look at one account's broker. */
const QUESTIONS = 2;

const ASKED = Prisma.raw(`asked."id"`);

/** What the account's own rows contradict at one moment, in one statement. Read only. */
export async function readRowBreaches(context: Pick<Context, "db" | "now">, accountId: string): Promise<Breach[]> {
  const found = await readRowBreachesOf(context, [accountId]);
  return found.map(({ accountId: _, ...breach }) => breach);
}

/**
 * The same of several accounts, as rows of each of them. The limit of a kind also keeps the accounts apart in the plan: each is looked up by
 * its indexes, and no table is read whole because many are asked for.
 */
export async function readRowBreachesOf(
  { db, now }: Pick<Context, "db" | "now">,
  accountIds: readonly string[],
): Promise<(Breach & { accountId: string })[]> {
  const at = now();
  const kinds = [...orderQueries, ...bookQueries].map(
    ([invariant, query]) => Prisma.sql`
      (select ${invariant} as "invariant", broken."subject", broken."detail" from (${query(ASKED, at)}) broken limit ${MOST_OF_A_KIND}::int)`,
  );
  // Where Postgres can compile plans, this one costs enough for it, and compiling its many parts takes longer than running them.
  const [, found] = await db.$transaction([
    db.$executeRaw`set local jit = off`,
    db.$queryRaw<(Breach & { accountId: string })[]>`
      select asked."id"::text as "accountId", found.* from unnest(${[...accountIds]}::uuid[]) as asked("id")
      cross join lateral (${Prisma.join(kinds, " union all ")}) found`,
  ]);
  return found;
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

/**
 * Of these accounts of one market, those whose broker answers in time, and has the positions (I4) and the cash (I5) that our books have. Of
 * the others nothing is concluded.
 */
export async function agreeingWithBrokers(context: Context, accounts: readonly Account[]): Promise<string[]> {
  if (accounts.length === 0) return [];
  const answers = await askBrokers(context, accounts, QUESTIONS, async (broker) => {
    const [positions, { cash }] = await Promise.all([broker.positions(), broker.account()]);
    return { positions, cash };
  });
  const ids = [...answers.keys()];
  const [heldBy, ledgers] = await Promise.all([readHeldLots(context, ids), readCashLedgers(context.db, ids)]);
  return [...answers].flatMap(([id, { positions, cash }]) => {
    const missing = money(cash).minus(ledgers.get(id)!.cash);
    return differencesOf(heldBy(id), positions).length === 0 && missing.abs().lt(CENT) ? [id] : [];
  });
}
