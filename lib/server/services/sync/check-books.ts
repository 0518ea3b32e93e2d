import { type MarketName, MARKETS } from "@/lib/domain/enums.ts";
import { money, text } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { UNSETTLED } from "@/lib/domain/protocol/intent-states.ts";
import { isRecorded } from "@/lib/domain/protocol/recorded-order.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { isWithinLast } from "@/lib/domain/wall-clock.ts";
import type { BrokerAccount, BrokerOrder, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { askBrokers } from "../../core/ask-brokers.ts";
import { byAccount } from "../../core/by-account.ts";
import type { Account } from "../../core/row-types.ts";
import type { Db, Tx } from "../../db.ts";
import { type MarkedBalances, postMarks } from "../ledger/post-marks.ts";
import { accountsToProtect } from "../orders/bare-shares.ts";
import { readKnownOrders } from "../orders/known-orders.ts";
import { isHaltedByKeys } from "./key-halts.ts";
import { wasReadSinceStart } from "./recover-accounts.ts";

/** Books that were read whole this long ago are read whole again. Wall time. */
const READ_WHOLE_AFTER_MS = 120_000;
/**
 * Brokers are asked again this long after their books were last read, beside the stream: with a look every five seconds, within half
 * a minute of it. Wall time: the broker's limit leaves room for two to three looks a minute.
 */
export const CHECK_AGAIN_AFTER_MS = 25_000;
/** Requests of a look at one account. */
const QUESTIONS = 3;

/** What a broker says now. */
interface Stated {
  account: Account;
  orders: BrokerOrder[];
  positions: BrokerPosition[];
  balances: BrokerAccount;
  hasOtherAssets: boolean;
}

/**
 * Answers which of these accounts need nothing: nothing of ours is unanswered, owed, bare or waiting to be bought, the books were
 * read whole a short time ago, and their broker, where it is time to ask it, says the same as our books. Its marks and balances are
 * stored then. Needs no writer: it books and sends nothing.
 */
export async function checkBooks(context: Context, accountIds: readonly string[]): Promise<string[]> {
  const { db, now } = context;
  const [accounts, busy, bare] = await Promise.all([
    db.account.findMany({ where: { id: { in: [...accountIds] } } }),
    accountsAtWork(db, accountIds),
    accountsToProtect(db, now(), accountIds),
  ]);
  const isBusy = new Set([...busy, ...bare]);
  const settled = accounts.filter((account) => !isBusy.has(account.id) && isSettled(account, now()));
  const quiet = await Promise.all(
    MARKETS.map((market) =>
      quietIn(
        context,
        market,
        settled.filter((account) => account.market === market),
      ),
    ),
  );
  return quiet.flat();
}

/** Of these accounts of one market, those that are not to be asked about yet, or of which their broker says what our books say. */
async function quietIn(context: Context, market: MarketName, accounts: readonly Account[]): Promise<string[]> {
  const asOf = context.now();
  const agreedWithin = (ms: number) =>
    accounts.filter(({ reconciledAt }) => reconciledAt !== null && isWithinLast(ms, reconciledAt, asOf));
  const recent = market === "US" ? agreedWithin(CHECK_AGAIN_AFTER_MS).map(({ id }) => id) : [];
  if (recent.length === accounts.length) return recent;
  try {
    // Before the brokers are asked: what they say is not older.
    const { now: at, isOpen } = await context.marketData(market).clock();
    const isLeft = new Set(
      agreedWithin(market === "PRACTICE" && isOpen ? practicePaceMs(context) : CHECK_AGAIN_AFTER_MS),
    );
    const agreeing = await agreeingOf(
      context,
      accounts.filter((account) => !isLeft.has(account)),
      at,
    );
    return [...[...isLeft].map(({ id }) => id), ...agreeing];
  } catch (error) {
    // The others get their own turn, which meets the same, and says so.
    context.log.warn("order-status-page.not-read", { market, err: error });
    return recent;
  }
}

/** Half a minute of an open practice market in wall time; each time while its clock is moved by hand. */
function practicePaceMs({ brokers }: Context): number {
  const minuteMs = brokers.practiceMinuteMs();
  return minuteMs === null ? 0 : Math.min(minuteMs / 2, CHECK_AGAIN_AFTER_MS);
}

/** Whether a look is enough for now. */
export const wasReadWhole = ({ readWholeAt }: Pick<Account, "readWholeAt">, now: Date): boolean =>
  readWholeAt !== null && isWithinLast(READ_WHOLE_AFTER_MS, readWholeAt, now);

/** Nothing but its broker has to be asked about the account. */
function isSettled(account: Account, now: Date): boolean {
  const { deletedAt, closingAt, sealedKeys } = account;
  if (deletedAt !== null || closingAt !== null || sealedKeys === null) return false;
  return wasReadWhole(account, now) && wasReadSinceStart(account, now) && !isHaltedByKeys(account);
}

/** Of these, those with a decision without an answer, a stop that is owed or an entry at the broker. */
async function accountsAtWork(db: Db, accountIds: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ accountId: string }[]>`
    with asked as (select unnest(${[...accountIds]}::uuid[]) as "id")
    select i."accountId" from "Intent" i join asked on asked."id" = i."accountId"
    where i."status" = any(${[...UNSETTLED]}::"IntentStatus"[])
    union select w."accountId" from "OwedStop" w join asked on asked."id" = w."accountId" where w."paidAt" is null
    union select o."accountId" from "Order" o join asked on asked."id" = o."accountId"
    where o."role" = 'ENTRY' and o."status" = any(${[...WORKING_STATUSES]}::"OrderStatus"[])`;
  return rows.map(({ accountId }) => accountId);
}

/** The accounts of one market of which the broker says what our books say. */
async function agreeingOf(context: Context, accounts: readonly Account[], at: Instant): Promise<string[]> {
  if (accounts.length === 0) return [];
  const stated = await readStated(context, accounts);
  // At one moment: a writer's change is seen as a whole or not at all.
  const agree = await context.db.$transaction(async (tx) => agreement(tx, stated), {
    isolationLevel: "RepeatableRead",
    timeout: 15_000,
    maxWait: 10_000,
  });
  const agreeing = stated.flatMap((one) => agree(one) ?? []);
  await postMarks(context, agreeing, at);
  return agreeing.map(({ accountId }) => accountId);
}

/** What the brokers that answer in time say. */
async function readStated(context: Context, accounts: readonly Account[]): Promise<Stated[]> {
  const answers = await askBrokers(context, accounts, QUESTIONS, async (broker) => {
    const [orders, positions, balances] = await Promise.all([
      broker.openOrders(),
      broker.positions(),
      broker.account(),
    ]);
    const others = broker.otherAssets?.() ?? { orders: [], positions: [] };
    return { orders, positions, balances, hasOtherAssets: others.orders.length + others.positions.length > 0 };
  });
  return accounts.flatMap((account) => {
    const said = answers.get(account.id);
    return said === undefined ? [] : [{ account, ...said }];
  });
}

/** Holds what brokers say against our books as they stand now: the marks of an account that agrees, and null for others. */
async function agreement(tx: Tx, stated: readonly Stated[]): Promise<(one: Stated) => MarkedBalances | null> {
  const ids = stated.map(({ account }) => account.id);
  const accountId = { in: ids };
  const { known, working, intents } = await readKnownOrders(
    tx,
    ids,
    stated.flatMap(({ orders }) => orders),
  );
  const lots = await tx.lot.groupBy({
    by: ["accountId", "symbol"],
    where: { accountId, qtyRemaining: { gt: 0 } },
    _sum: { qtyRemaining: true },
  });
  const held = byAccount(await tx.position.findMany({ where: { accountId } }));
  const figures = new Map(
    (await tx.accountFigures.findMany({ where: { accountId } })).map((row) => [row.accountId, row]),
  );
  const [workingOf, lotsOf] = [byAccount(working), byAccount(lots)];
  return ({ account, orders, positions, balances, hasOtherAssets }) => {
    const { id } = account;
    const own = figures.get(id);
    if (own === undefined || hasOtherAssets || !isPlain(account, balances)) return null;
    // A fill, a fee, a dividend, a deposit: whatever was booked moved the cash.
    if (!money(balances.cash).eq(money(own.cash))) return null;
    const ours = lotsOf(id).map(({ symbol, _sum }) => `${symbol} ${text(_sum.qtyRemaining ?? 0)}`);
    const theirs = positions.map(({ symbol, qty }) => `${symbol} ${text(money(qty))}`);
    if (ours.sort().join() !== theirs.sort().join()) return null;
    const orderOf = (brokerOrderId: string) => {
      const order = known.get(brokerOrderId);
      return order?.accountId === id ? order : undefined;
    };
    if (!orders.every((order) => isRecorded(order, orderOf, (intentId) => intents.get(intentId)))) return null;
    const named = new Set(orders.flatMap((order) => [order.id, ...order.legs.map((leg) => leg.id)]));
    if (!workingOf(id).every(({ brokerOrderId }) => named.has(brokerOrderId))) return null;
    return { accountId: id, version: own.version, balances, positions, held: held(id) };
  };
}

/** The account may trade, and is the one that it was. */
const isPlain = ({ access, brokerAccountId }: Account, { id, status, isBlocked }: BrokerAccount): boolean =>
  status === "ACTIVE" && !isBlocked && (access === "KEYS" || id === brokerAccountId);
