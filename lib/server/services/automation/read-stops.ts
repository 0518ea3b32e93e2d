import type { KillStateName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { readBeat } from "../schedule/worker-lease.ts";
import { isAdministrator } from "../../core/account-for-operator.ts";

const MOST_SHOWN = 200;

export interface Stops {
  system: { killState: KillStateName; killReason: string | null };
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
  const [system, users, symbols, workerBeatAt, accounts, intents] = await Promise.all([
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    db.user.findMany({
      where: { killState: { not: "NONE" } },
      select: { id: true, email: true, killState: true, killReason: true },
      orderBy: { id: "asc" },
      take: MOST_SHOWN,
    }),
    db.symbolStop.findMany({
      select: { market: true, symbol: true, reason: true },
      orderBy: [{ market: "asc" }, { symbol: "asc" }],
      take: MOST_SHOWN,
    }),
    readBeat(context),
    db.account.findMany({
      where: { deletedAt: null, OR: [{ killState: { not: "NONE" } }, { haltedAt: { not: null } }] },
      include: { user: { select: { email: true } } },
      orderBy: { id: "asc" },
      take: MOST_SHOWN,
    }),
    db.intent.findMany({
      where: { account: { deletedAt: null }, status: { in: ["SUBMITTING", "UNKNOWN", "PARKED"] } },
      orderBy: { createdAt: "asc" },
      take: MOST_SHOWN,
    }),
  ]);
  return {
    system: { killState: system.killState, killReason: system.killReason },
    users,
    symbols,
    workerBeatAt,
    accounts: accounts.map(({ id, user, name, killState, killSource, killReason, haltReason }) => ({
      id,
      owner: user.email,
      name,
      killState,
      killSource,
      killReason,
      haltReason,
    })),
    orders: intents.map(({ clientOrderId, accountId, side, qty, symbol, status, lastError, nextAskAt }) => ({
      clientOrderId,
      accountId,
      what: `${side} ${qty.toFixed()} ${symbol}`,
      status,
      why: lastError,
      needsPerson: status === "PARKED" && nextAskAt === null,
    })),
  };
}
