import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { guardedAccounts } from "../../jobs/canary.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { flattenAccount } from "./flatten-account.ts";
import { strictestKillState } from "../../../domain/kill-strictness.ts";

/** Entries must be asked back within five seconds of a stop. */
const LOOK_EVERY_MS = 1_000;
/** A cancel is a request: it is made again while the order still works. */
const ASK_AGAIN_MS = 5_000;
/** Orders whose answer was lost are asked for this often: what is found can be cancelled. */
const SETTLE_EVERY_MS = 2_000;
/** What one pass could not sell is tried again after this long. */
const FLATTEN_AGAIN_MS = 30_000;
const WRITER_WAIT_MS = 5_000;

export interface KillWatch {
  /** Ends the rounds, and resolves when what runs has ended. */
  close(): Promise<void>;
}

/**
 * Acts on stops that are in force: asks the broker to cancel entries that still work, and for those whose
 * answer was lost, and sells what is to be flattened. It reads Postgres alone, beside the queue and its jobs, so that a stop needs neither; one account
 * whose broker is slow does not hold up the others.
 */
export function watchKillStates(context: Context, { everyMs = LOOK_EVERY_MS } = {}): KillWatch {
  const running = new Map<string, Promise<void>>();
  const askedAt = new Map<string, number>();
  const settledAt = new Map<string, number>();
  const flattenedAt = new Map<string, number>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  /** One piece of work of a name at a time; its failure is logged, and a later round retries. */
  function run(name: string, accountId: string, work: () => Promise<unknown>): void {
    const key = `${name}:${accountId}`;
    if (running.has(key)) return;
    const done = work()
      .then(() => undefined)
      .catch((error: unknown) => context.log.error("kill-watch.task-failed", { accountId, task: name, err: error }))
      .then(() => void running.delete(key));
    running.set(key, done);
  }

  async function look(): Promise<void> {
    const { stopped, entries } = await readStops(context);
    const now = performance.now();
    const known = new Set(entries.map(({ id }) => id));
    for (const id of askedAt.keys()) if (!known.has(id)) askedAt.delete(id);
    const isGuarded = await guardedAccounts(context.db);
    for (const account of stopped.filter(({ id }) => isGuarded(id))) {
      const due = entries.filter(
        ({ accountId, id }) => accountId === account.id && (askedAt.get(id) ?? -Infinity) <= now - ASK_AGAIN_MS,
      );
      if (due.length > 0) run("cancelling entries", account.id, () => cancelEntries(context, account, due, askedAt));
      if (account.hasUnresolvedOrders && (settledAt.get(account.id) ?? -Infinity) <= now - SETTLE_EVERY_MS) {
        settledAt.set(account.id, now);
        run("asking for orders", account.id, async () => {
          const { orders_execution } = await activePolicy(context);
          const settleWindowMs = orders_execution.settle_window_seconds * 1000;
          await resolveUnknownOrders(context, account.id, { settleWindowMs, isImpatient: true });
        });
      }
      if (!account.isFlattened || (flattenedAt.get(account.id) ?? -Infinity) > now - FLATTEN_AGAIN_MS) continue;
      run("flattening", account.id, async () => {
        const sell = (epoch: number) => flattenAccount(context, account.id, epoch);
        const legs = await withAccountWriter(context, account.id, sell, { waitMs: WRITER_WAIT_MS });
        // Another writer had the account all the time: the next round tries again.
        if (legs !== null) flattenedAt.set(account.id, performance.now());
      });
    }
    const isWanted = new Map(stopped.map((account) => [account.id, account]));
    for (const id of settledAt.keys()) if (!isWanted.get(id)?.hasUnresolvedOrders) settledAt.delete(id);
    for (const id of flattenedAt.keys()) if (!isWanted.get(id)?.isFlattened) flattenedAt.delete(id);
  }

  let round: Promise<void> = Promise.resolve();
  function next(): void {
    round = look()
      .catch((error: unknown) => context.log.error("kill-watch.read-failed", { err: error }))
      .then(() => {
        if (!isClosed) timer = setTimeout(next, everyMs);
      });
  }
  next();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await round;
      await Promise.all(running.values());
    },
  };
}

type StoppedAccount = Account & { isFlattened: boolean; hasUnresolvedOrders: boolean };
type OpenEntry = Prisma.OrderGetPayload<{ select: typeof ENTRY_FIELDS }>;
const ENTRY_FIELDS = {
  id: true,
  accountId: true,
  brokerOrderId: true,
  clientOrderId: true,
  symbol: true,
  intent: { select: { purpose: true } },
} as const;

/** What stops an account beside the switches of the system and of symbols: a pause asks entries back, too, lest they fill in it. */
const STOPPED = [
  { killState: { not: "NONE" } },
  { haltedAt: { not: null } },
  { status: "PAUSED" },
  { user: { automationPausedAt: { not: null } } },
  { user: { killState: { not: "NONE" } } },
  { user: { disabledAt: { not: null } } },
] as const;

type SymbolStop = Prisma.SymbolStopGetPayload<{ select: { market: true; symbol: true } }>;

/** Accounts with a purchase under way of a symbol that is stopped. */
const buyingStopped = ({ market, symbol }: SymbolStop) =>
  ({
    market,
    OR: [
      {
        orders: { some: { symbol, origin: "OURS", role: "ENTRY", side: "BUY", status: { in: [...WORKING_STATUSES] } } },
      },
      { intents: { some: { symbol, side: "BUY", status: { in: ["SUBMITTING", "UNKNOWN"] } } } },
    ],
  }) satisfies Prisma.AccountWhereInput;

/** Of the accounts: their open purchases, which of them hold positions, and which have orders whose outcome is not known. */
async function readOpen({ db }: Context, ids: string[]) {
  const [orders, held, asked] = await Promise.all([
    db.order.findMany({
      where: {
        accountId: { in: ids },
        origin: "OURS",
        role: "ENTRY",
        side: "BUY",
        status: { in: [...WORKING_STATUSES] },
      },
      select: ENTRY_FIELDS,
    }),
    db.position.findMany({
      where: { accountId: { in: ids }, strategy: { not: null } },
      distinct: ["accountId"],
      select: { accountId: true },
    }),
    db.intent.findMany({
      where: { accountId: { in: ids }, status: { in: ["SUBMITTING", "UNKNOWN"] } },
      distinct: ["accountId"],
      select: { accountId: true },
    }),
  ]);
  const idsOf = (rows: { accountId: string }[]) => new Set(rows.map(({ accountId }) => accountId));
  return { orders, holders: idsOf(held), unresolved: idsOf(asked) };
}

/** Accounts that are stopped in some way, and those of their open purchases which the stop does not allow. */
async function readStops(context: Context): Promise<{ stopped: StoppedAccount[]; entries: OpenEntry[] }> {
  const { db } = context;
  const [system, symbolStops] = await Promise.all([
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    db.symbolStop.findMany({ select: { market: true, symbol: true } }),
  ]);
  const accounts = await db.account.findMany({
    where: {
      deletedAt: null,
      sealedKeys: { not: null },
      ...(system.killState === "NONE" ? { OR: [...STOPPED, ...symbolStops.map(buyingStopped)] } : {}),
    },
    include: { user: { select: { automationPausedAt: true, killState: true, disabledAt: true } } },
  });
  if (accounts.length === 0) return { stopped: [], entries: [] };
  const states = new Map(
    accounts.map((row) => [row.id, strictestKillState(row.killState, row.user.killState, system.killState)]),
  );
  const open = await readOpen(
    context,
    accounts.map(({ id }) => id),
  );
  const stopped = accounts.map((account) => ({
    ...account,
    isFlattened: states.get(account.id) === "FLATTEN" && account.haltedAt === null && open.holders.has(account.id),
    hasUnresolvedOrders: open.unresolved.has(account.id),
  }));
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const entries = open.orders.filter(({ accountId, symbol, intent }) => {
    const { haltedAt, status, user, market } = byId.get(accountId)!;
    const buysNothing =
      haltedAt !== null || status === "PAUSED" || user.automationPausedAt !== null || user.disabledAt !== null;
    if (buysNothing || symbolStops.some((stop) => stop.symbol === symbol && stop.market === market)) return true;
    const state = states.get(accountId);
    // An account may be here for one symbol alone; and a mere stop of entries leaves a rotation's purchases alone.
    return state !== "NONE" && (state !== "NO_NEW_ENTRIES" || intent?.purpose === "ENTRY");
  });
  return { stopped, entries };
}

async function cancelEntries(
  context: Context,
  account: Account,
  entries: OpenEntry[],
  askedAt: Map<string, number>,
): Promise<void> {
  const broker = context.brokers.forAccount(account);
  const isFirst = entries.filter(({ id }) => !askedAt.has(id));
  await Promise.all(
    entries.map(async ({ id, brokerOrderId, clientOrderId, symbol }) => {
      const outcome = await broker.cancel(brokerOrderId);
      context.log.info("cancel.requested", {
        accountId: account.id,
        clientOrderId,
        symbol,
        reason: "kill state",
        outcome,
      });
      // What failed is asked again in the next round; the rest when the order still works after a while.
      if (outcome.kind !== "failed") askedAt.set(id, performance.now());
    }),
  );
  const symbols = isFirst.filter(({ id }) => askedAt.has(id)).map(({ symbol }) => symbol);
  if (symbols.length === 0) return;
  const message = `Trading is stopped: the broker was asked to cancel open entry orders: ${symbols.sort().join(", ")}`;
  const { id: accountId, userId } = account;
  await logUserEvents(context.db, [{ level: "warn", message, userId, accountId, marketAt: null }]);
}
