import { Failure } from "@/lib/domain/failures.ts";
import { cents, money, sum, text } from "@/lib/domain/money.ts";
import type { Context } from "@/lib/server/context.ts";
import type { Db } from "@/lib/server/db.ts";
import {
  practiceStatus,
  practiceTruth,
  setPracticeClock,
  type PracticeTruth,
} from "@/lib/server/providers/practice-control.ts";
import { readBrokerBooks } from "./broker-truth.ts";

export interface AccountReport {
  accountNumber: string;
  owner: string;
  orders: number;
  fills: number;
  positions: number;
  cash: string;
  differences: string[];
  /** Why the account could not be judged; null when it was. */
  undecided: string | null;
}

export interface TruthReport {
  accounts: AccountReport[];
}

type Truth = PracticeTruth["accounts"][number];
/** An account's books at its broker. */
export interface BrokerBooks {
  cash: string;
  positions: Pick<Truth["positions"][number], "symbol" | "qty">[];
  orders: Pick<Truth["orders"][number], "id" | "client_order_id" | "symbol" | "side" | "status" | "filled_qty">[];
  fills: Pick<Truth["fills"][number], "side" | "qty" | "price">[];
}
/** Lets one account be followed: the running worker does it, unless a caller does. */
type Follow = (accountId: string) => Promise<void>;

/** The worker follows orders every few seconds; an account that is not at rest within a minute is not judged. */
const REST_WITHIN_MS = 60_000;
/** Where the broker counts requests the worker reads the books again after half a minute, and two readings are waited for. */
const REST_WITHIN_AT_ALPACA_MS = 4 * 60_000;
const POLL_MS = 250;
const POLL_AT_ALPACA_MS = 5_000;

/** Compares every account that is followed with its broker's books: the practice market's at rest, Alpaca's while it trades on. */
export async function compareAccounts(context: Context, signal: AbortSignal): Promise<TruthReport> {
  // Every account asks for it again and again while it is judged.
  const follow = async () => signal.throwIfAborted();
  const { accounts } = context.brokers.hasPracticeMarket ? await comparePractice(context, follow) : { accounts: [] };
  return { accounts: [...accounts, ...(await compareAlpaca(context, follow)).accounts] };
}

/**
 * Compares every account at Alpaca, connected by keys or by access that was granted, with the lists that Alpaca gives of it. Nothing
 * but reads: its clock cannot be stopped, so an account that trades is judged in a quiet moment or not at all.
 */
export async function compareAlpaca(
  context: Context,
  follow: Follow = () => Promise.resolve(),
  pollMs = POLL_AT_ALPACA_MS,
): Promise<TruthReport> {
  const endsAt = context.now().getTime() + REST_WITHIN_AT_ALPACA_MS;
  const rows = await context.db.account.findMany({
    where: { broker: "ALPACA", deletedAt: null, sealedKeys: { not: null } },
    include: { user: { select: { email: true } } },
    orderBy: { createdAt: "asc" },
  });
  const accounts: AccountReport[] = [];
  // One after the other: each reads an account's whole past.
  for (const account of rows) {
    const read = async () => {
      const books = await readBrokerBooks(context.brokers.forAccount(account), account.brokerAccountId);
      const end = account.accountNumberEnd === null ? "" : ` …${account.accountNumberEnd}`;
      return { books: books ?? undefined, accountNumber: `Alpaca ${account.environment}${end}` };
    };
    const hold = () => Promise.resolve();
    accounts.push(await judge(context, account, { hold, follow, read, endsAt, pollMs, isListed: true }));
  }
  return { accounts };
}

/** Compares every practice account of the product with the exchange's own books, at rest. */
export async function comparePractice(
  context: Context,
  follow: Follow = () => Promise.resolve(),
): Promise<TruthReport> {
  const endsAt = context.now().getTime() + REST_WITHIN_MS;
  const before = await patiently(context, endsAt, practiceStatus);
  try {
    const accounts = await context.db.account.findMany({
      where: { broker: "PRACTICE", deletedAt: null },
      include: { user: { select: { email: true } } },
    });
    const hold = async () => {
      if (!before.isWallClock) await setPracticeClock({ paused: true });
    };
    const readOf = (account: { brokerAccountId: string }) => async () => {
      const truth = await practiceTruth();
      const books = truth.accounts.find(({ id }) => id === account.brokerAccountId);
      return { books, accountNumber: books?.account_number ?? account.brokerAccountId };
    };
    const shared = { hold, follow, endsAt, pollMs: POLL_MS, isListed: false };
    // All of them end before the clock runs again: one that is still judged would pause it anew.
    const judged = await Promise.allSettled(
      accounts.map((account) => judge(context, account, { ...shared, read: readOf(account) })),
    );
    return {
      accounts: judged.map((one) => {
        if (one.status === "rejected") throw one.reason;
        return one.value;
      }),
    };
  } finally {
    const unpausedBy = context.now().getTime() + REST_WITHIN_MS;
    if (!before.isPaused && !before.isWallClock)
      await patiently(context, unpausedBy, () => setPracticeClock({ paused: false }));
  }
}

const MAY_PASS = ["unavailable", "broker_unavailable"];

/** Asks the exchange again while it is unavailable: it may be starting. */
async function patiently<T>(
  { now }: Context,
  endsAt: number,
  ask: () => Promise<T>,
  pollMs: number = POLL_MS,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Failure) || !MAY_PASS.includes(error.code) || now().getTime() >= endsAt) throw error;
      await pause(pollMs);
    }
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Judgement {
  hold: () => Promise<void>;
  follow: Follow;
  /** The broker's books; undefined where it does not know this account. */
  read: () => Promise<{ books: BrokerBooks | undefined; accountNumber: string }>;
  endsAt: number;
  pollMs: number;
  /** True where the books are the broker's lists of orders and executions, and not what it knows itself. */
  isListed: boolean;
}

/**
 * One account. Both sides are read until they agree, or until two readings are equal on both sides with nothing on its way and the account
 * followed in between: what differs then is not the worker's delay.
 */
async function judge(
  context: Context,
  account: { id: string; brokerAccountId: string; user: { email: string } },
  { hold, follow, read, endsAt, pollMs, isListed }: Judgement,
): Promise<AccountReport> {
  let last: string | null = null;
  for (;;) {
    // Again each time: an exchange that was killed may restart with a clock that runs.
    await patiently(context, endsAt, hold);
    const isFollowed = await isFollowedBy(context, account.id, { follow, endsAt, pollMs });
    const said = await patiently(context, endsAt, read, pollMs).catch(unreadable);
    if (typeof said === "string") return unjudged(context, account, said);
    const { books, accountNumber } = said;
    const { fingerprint, isQuiet, ...found } = await compareAccount(context, account.id, books, isListed);
    const report = { ...found, accountNumber, owner: account.user.email, undecided: null };
    const isAtRest = isQuiet && fingerprint === last;
    if (isFollowed && (found.differences.length === 0 || isAtRest)) return report;
    if (context.now().getTime() >= endsAt)
      return { ...report, differences: [], undecided: whyNot(isFollowed, isQuiet) };
    last = isFollowed ? fingerprint : null;
  }
}

/** Books that the broker does not show, for keys that it refuses or because it does not answer, are not judged. */
function unreadable(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  return error.message;
}

async function unjudged(
  context: Context,
  account: { id: string; brokerAccountId: string; user: { email: string } },
  undecided: string,
): Promise<AccountReport> {
  const { fingerprint: _, isQuiet: __, ...found } = await compareAccount(context, account.id, undefined);
  return { ...found, accountNumber: account.brokerAccountId, owner: account.user.email, differences: [], undecided };
}

function whyNot(isFollowed: boolean, isQuiet: boolean): string {
  if (!isFollowed) return "the worker has not followed this account for a minute";
  return isQuiet ? "it has not come to rest for a minute" : "orders have been on their way for a minute";
}

/** Whether the account is followed from beginning to end after now. One run may have begun before; the next one did not. */
async function isFollowedBy(
  { db, now }: Context,
  id: string,
  { follow, endsAt, pollMs }: Pick<Judgement, "follow" | "endsAt" | "pollMs">,
): Promise<boolean> {
  for (let run = 0; run < 2; run += 1) {
    const since = now();
    for (;;) {
      await follow(id);
      if ((await db.account.count({ where: { id, reconciledAt: { gt: since } } })) === 1) break;
      if (now().getTime() >= endsAt) return false;
      await pause(pollMs);
    }
  }
  return true;
}

/** What we hold of an account. */
async function readOurs(db: Db, accountId: string) {
  const [account, positions, lots, orders, fills, onTheirWay] = await Promise.all([
    db.account.findUniqueOrThrow({ where: { id: accountId }, include: { figures: true } }),
    db.position.findMany({ where: { accountId }, orderBy: { symbol: "asc" } }),
    db.lot.groupBy({
      by: ["symbol"],
      where: { accountId, qtyRemaining: { gt: 0 } },
      _sum: { qtyRemaining: true },
      orderBy: { symbol: "asc" },
    }),
    db.order.findMany({ where: { accountId }, orderBy: { brokerOrderId: "asc" } }),
    db.fill.findMany({ where: { accountId }, orderBy: { id: "asc" } }),
    db.intent.count({ where: { accountId, status: { in: ["SUBMITTING", "UNKNOWN"] } } }),
  ]);
  const cash = account.figures ? text(cents(money(account.figures.cash))) : "unknown";
  return { account, cash, positions, lots, orders, fills, onTheirWay };
}

type Ours = Awaited<ReturnType<typeof readOurs>>;

function fingerprintOf(
  { account, cash, positions, lots, orders, fills }: Ours,
  theirs: BrokerBooks | undefined,
): string {
  return JSON.stringify([
    theirs,
    cash,
    account.haltReason,
    positions.map(({ symbol, qty }) => [symbol, qty]),
    lots.map(({ symbol, _sum }) => [symbol, _sum.qtyRemaining]),
    orders.map(({ brokerOrderId, brokerStatus, filledQty }) => [brokerOrderId, brokerStatus, filledQty]),
    fills.map(({ id, qty, price }) => [id, qty, price]),
  ]);
}

function differ(what: string, ours: string | null, broker: string | null): string[] {
  return ours === broker ? [] : [`${what}: here ${ours ?? "none"}, at the broker ${broker ?? "none"}`];
}

const plain = (value: { toString(): string } | null | undefined) => (value == null ? null : text(value.toString()));

function accountDifferences({ reconciledAt, haltReason }: Ours["account"], nowMs: number): string[] {
  const differences: string[] = [];
  if (!reconciledAt || nowMs - reconciledAt.getTime() > REST_WITHIN_MS)
    differences.push("the worker has not followed this account for a minute");
  if (haltReason) differences.push(`the account is halted: ${haltReason}`);
  return differences;
}

function positionDifferences({ positions, lots }: Ours, theirs: BrokerBooks): string[] {
  const symbols = new Set([...positions, ...theirs.positions].map((row) => row.symbol));
  return [...symbols].flatMap((symbol) => {
    const ours = positions.find((row) => row.symbol === symbol);
    const there = theirs.positions.find((row) => row.symbol === symbol);
    const ourLots = lots.find((row) => row.symbol === symbol)?._sum.qtyRemaining;
    return [
      ...differ(`${symbol} position`, plain(ours?.qty), plain(there?.qty)),
      ...differ(`${symbol} lots`, plain(ourLots), plain(there?.qty)),
    ];
  });
}

function orderDifferences({ orders }: Ours, theirs: BrokerBooks): string[] {
  const oursById = new Map(orders.map((row) => [row.brokerOrderId, row]));
  const known = new Set(theirs.orders.map(({ id }) => id));
  return [
    ...theirs.orders.flatMap((there) => {
      const ours = oursById.get(there.id);
      const name = `order ${there.symbol} ${there.side} ${there.client_order_id}`;
      if (!ours) return [`${name}: not known here`];
      return [
        ...differ(`${name} status`, ours.brokerStatus, there.status),
        ...differ(`${name} filled quantity`, plain(ours.filledQty), plain(there.filled_qty)),
      ];
    }),
    ...orders
      .filter(({ brokerOrderId }) => !known.has(brokerOrderId))
      .map(({ clientOrderId }) => `order ${clientOrderId}: not known at the broker`),
  ];
}

/** What the fills moved in cash, to the cent. */
function movedBy(fills: { qty: { toString(): string }; price: { toString(): string }; side: string }[]): string {
  const amounts = fills.map(({ qty, price, side }) =>
    money(qty)
      .times(money(price))
      .times(side.toUpperCase() === "BUY" ? -1 : 1),
  );
  return text(cents(sum(amounts)));
}

/** Fills that a broker's list of executions holds; the others come from a corporate action, or from taking over its books. */
const LISTED_SOURCES = ["STREAM", "RECONCILE"];

/** One account against its broker's books of it, as both stand now. Two readings of one fingerprint read the same. */
export async function compareAccount(
  { db, now }: Context,
  accountId: string,
  theirs: BrokerBooks | undefined,
  isListed = false,
) {
  const ours = await readOurs(db, accountId);
  const { account, cash, positions, orders, onTheirWay } = ours;
  const fills = ours.fills.filter(({ source }) => !isListed || LISTED_SOURCES.includes(source));
  const found = {
    orders: orders.length,
    fills: fills.length,
    positions: positions.length,
    cash,
    isQuiet: onTheirWay === 0,
    fingerprint: fingerprintOf(ours, theirs),
  };
  if (!theirs) return { ...found, differences: ["the broker does not know this account"] };
  const differences = [
    ...accountDifferences(account, now().getTime()),
    ...differ("cash", cash, text(cents(money(theirs.cash)))),
    ...positionDifferences(ours, theirs),
    ...orderDifferences(ours, theirs),
    ...differ("number of fills", String(fills.length), String(theirs.fills.length)),
    ...differ("money moved by fills", movedBy(fills), movedBy(theirs.fills)),
  ];
  return { ...found, differences };
}
