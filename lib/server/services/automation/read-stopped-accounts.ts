import { strictestKillState } from "@/lib/domain/kill-strictness.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { AWAITING_ANSWER } from "@/lib/domain/protocol/intent-states.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import type { Db, Prisma } from "../../db.ts";
import { isFlagOn } from "../flags/read-flags.ts";

export type StoppedAccount = Account & { isFlattened: boolean; hasUnresolvedOrders: boolean };
export type OpenEntry = Prisma.OrderGetPayload<{ select: typeof ENTRY_FIELDS }>;
const ENTRY_FIELDS = {
  id: true,
  accountId: true,
  brokerOrderId: true,
  clientOrderId: true,
  symbol: true,
  intent: { select: { rotationLegId: true } },
} as const;

/** Our purchases that still work. */
const WORKING_ENTRY = {
  origin: "OURS",
  role: "ENTRY",
  side: "BUY",
  status: { in: [...WORKING_STATUSES] },
} satisfies Prisma.OrderWhereInput;

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

/** Accounts with a purchase under way, of the symbol or of any. */
const buying = (of: { symbol?: string } = {}) =>
  [
    { orders: { some: { ...of, ...WORKING_ENTRY } } },
    { intents: { some: { ...of, side: "BUY", status: { in: [...AWAITING_ANSWER] } } } },
  ] satisfies Prisma.AccountWhereInput[];

/** Accounts with a purchase under way of a symbol that is stopped. */
const buyingStopped = ({ market, symbol }: SymbolStop) =>
  ({ market, OR: buying({ symbol }) }) satisfies Prisma.AccountWhereInput;

/** Of the accounts: their open purchases, which of them hold positions, and which have orders whose outcome is not known. */
async function readOpen(db: Db, ids: string[]) {
  const [orders, held, asked] = await Promise.all([
    db.order.findMany({
      where: { accountId: { in: ids }, ...WORKING_ENTRY },
      select: ENTRY_FIELDS,
    }),
    db.position.findMany({
      where: { accountId: { in: ids }, strategy: { not: null } },
      distinct: ["accountId"],
      select: { accountId: true },
    }),
    db.intent.findMany({
      where: { accountId: { in: ids }, status: { in: [...AWAITING_ANSWER] } },
      distinct: ["accountId"],
      select: { accountId: true },
    }),
  ]);
  const idsOf = (rows: { accountId: string }[]) => new Set(rows.map(({ accountId }) => accountId));
  return { orders, holders: idsOf(held), unresolved: idsOf(asked) };
}

/**
 * Accounts that are stopped in some way, and those of their open purchases which the stop does not allow. While automation
 * is switched off for everyone, accounts with a purchase under way are among them, as if each were paused.
 */
export async function readStoppedAccounts({
  db,
}: Pick<Context, "db">): Promise<{ stopped: StoppedAccount[]; entries: OpenEntry[] }> {
  const [system, isEnabled, symbolStops] = await Promise.all([
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    isFlagOn({ db }, "automation_enabled"),
    db.symbolStop.findMany({ select: { market: true, symbol: true } }),
  ]);
  const accounts = await db.account.findMany({
    where: {
      deletedAt: null,
      sealedKeys: { not: null },
      ...(system.killState === "NONE"
        ? { OR: [...STOPPED, ...(isEnabled ? symbolStops.map(buyingStopped) : buying())] }
        : {}),
    },
    include: { user: { select: { automationPausedAt: true, killState: true, disabledAt: true } } },
  });
  if (accounts.length === 0) return { stopped: [], entries: [] };
  const states = new Map(
    accounts.map((row) => [row.id, strictestKillState(row.killState, row.user.killState, system.killState)]),
  );
  const open = await readOpen(
    db,
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
      !isEnabled ||
      haltedAt !== null ||
      status === "PAUSED" ||
      user.automationPausedAt !== null ||
      user.disabledAt !== null;
    if (buysNothing || symbolStops.some((stop) => stop.symbol === symbol && stop.market === market)) return true;
    const state = states.get(accountId);
    // An account may be here for one symbol alone; and a mere stop of entries leaves a rotation's open purchases alone: it has sold for them.
    const isOfRotation = intent !== null && intent.rotationLegId !== null;
    return state !== "NONE" && !(state === "NO_NEW_ENTRIES" && isOfRotation);
  });
  return { stopped, entries };
}
