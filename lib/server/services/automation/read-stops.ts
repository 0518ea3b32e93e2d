import type { KillStateName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { readBeat } from "../schedule/worker-lease.ts";
import { isAdministrator } from "../../core/account-for-operator.ts";
import type { Intent } from "../../core/row-types.ts";
import { PEOPLE } from "../../core/people.ts";

const MOST_SHOWN = 200;

export interface Stops {
  system: { killState: KillStateName; killReason: string | null };
  isQueueActive: boolean;
  /** The feature flag automation_enabled. */
  isAutomationOn: boolean;
  /** People whose automation is paused, and who are disabled. */
  pausedUsers: number;
  disabledUsers: number;
  /** How many there are beyond those that are listed. */
  more: { users: number; symbols: number; accounts: number; orders: number };
  /** People all of whose accounts are stopped, by id; at most 200. */
  users: { id: string; email: string; killState: KillStateName; killReason: string | null }[];
  /** Symbols that are bought nowhere; at most 200. */
  symbols: { market: string; symbol: string; reason: string | null }[];
  workerBeatAt: Date | null;
  /** Stopped or halted, by id; at most 200. */
  accounts: {
    id: string;
    owner: string;
    name: string | null;
    killState: KillStateName;
    killSource: string | null;
    killReason: string | null;
    haltReason: string | null;
  }[];
  /** Orders whose status is unknown or that are parked, oldest first; at most 200. */
  orders: {
    clientOrderId: string;
    accountId: string;
    what: string;
    status: string;
    why: string | null;
    needsPerson: boolean;
  }[];
}

/** Everything that is stopped, halted, asked for or parked, for an administrator. */
export async function readStops(context: Context): Promise<Stops> {
  const { actor, db } = context;
  if (!isAdministrator(actor)) throw new Failure("forbidden", "Only an administrator can do this.");
  const where = {
    users: { killState: { not: "NONE" } },
    accounts: { deletedAt: null, OR: [{ killState: { not: "NONE" } }, { haltedAt: { not: null } }] },
    orders: { account: { deletedAt: null }, status: { in: ["SUBMITTING", "UNKNOWN", "PARKED"] } },
  } satisfies { users: Prisma.UserWhereInput; accounts: Prisma.AccountWhereInput; orders: Prisma.IntentWhereInput };
  const [system, isAutomationOn, workerBeatAt, users, symbols, accounts, intents] = await Promise.all([
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    isFlagOn(context, "automation_enabled"),
    readBeat(context),
    db.user.findMany({
      where: where.users,
      select: { id: true, email: true, killState: true, killReason: true },
      orderBy: { id: "asc" },
      take: MOST_SHOWN,
    }),
    db.symbolStop.findMany({
      select: { market: true, symbol: true, reason: true },
      orderBy: [{ market: "asc" }, { symbol: "asc" }],
      take: MOST_SHOWN,
    }),
    db.account.findMany({
      where: where.accounts,
      include: { user: { select: { email: true } } },
      orderBy: { id: "asc" },
      take: MOST_SHOWN,
    }),
    db.intent.findMany({ where: where.orders, orderBy: { createdAt: "asc" }, take: MOST_SHOWN }),
  ]);
  const [pausedUsers, disabledUsers, ofUsers, ofSymbols, ofAccounts, ofOrders] = await Promise.all([
    db.user.count({ where: { ...PEOPLE, automationPausedAt: { not: null } } }),
    db.user.count({ where: { ...PEOPLE, disabledAt: { not: null } } }),
    db.user.count({ where: where.users }),
    db.symbolStop.count(),
    db.account.count({ where: where.accounts }),
    db.intent.count({ where: where.orders }),
  ]);
  const beyond = (total: number, { length }: readonly unknown[]) => Math.max(0, total - length);
  return {
    system: { killState: system.killState, killReason: system.killReason },
    isQueueActive: system.isQueueActive,
    isAutomationOn,
    pausedUsers,
    disabledUsers,
    more: {
      users: beyond(ofUsers, users),
      symbols: beyond(ofSymbols, symbols),
      accounts: beyond(ofAccounts, accounts),
      orders: beyond(ofOrders, intents),
    },
    users,
    symbols,
    workerBeatAt,
    accounts: accounts.map(stoppedAccount),
    orders: intents.map(openOrder),
  };
}

type AccountRow = Prisma.AccountGetPayload<{ include: { user: { select: { email: true } } } }>;

function stoppedAccount({ id, user, name, killState, killSource, killReason, haltReason }: AccountRow) {
  return { id, owner: user.email, name, killState, killSource, killReason, haltReason };
}

const openOrder = ({ clientOrderId, accountId, side, qty, symbol, status, lastError, nextAskAt }: Intent) => ({
  clientOrderId,
  accountId,
  what: `${side} ${qty.toFixed()} ${symbol}`,
  status,
  why: lastError,
  needsPerson: status === "PARKED" && nextAskAt === null,
});
