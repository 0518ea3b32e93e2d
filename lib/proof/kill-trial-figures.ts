/** What the exchange's own record says about one trial of the kill switch. Only tests import it. */
import type { KillStateName } from "@/lib/domain/enums.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { truthOf } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "@/lib/server/context.ts";
import type { Account } from "../server/core/row-types.ts";

export const SCOPES = ["account", "user", "system", "symbol"] as const;

export interface KillTrial {
  seed: number;
  scope: (typeof SCOPES)[number];
  killState: KillStateName;
  isRedisDown: boolean;
  fault: string;
  /** Entries of what is stopped (accounts, or some symbols in all of them) that arrived before the stop was committed. */
  entriesBefore: number;
  /** Of these, how many had no answer yet when the stop was committed. */
  inFlight: number;
  /** Wall milliseconds from the commit to the last arrival of a stopped entry; 0 for none after it. */
  lastEntryAfterMs: number;
  /** Entries that the stop refused. */
  refused: number;
  /** Entries that were not stopped (of another owner or symbol) which arrived after the commit; null where all were. */
  othersAfter: number | null;
  /** Wall milliseconds from commit and answer to the first request to cancel, the slowest of all open entries. */
  slowestCancelMs: number;
  /** Entries that still work at the exchange at the end. */
  stillWorking: number;
}

export interface Run {
  scope: KillTrial["scope"];
  accounts: Account[];
  /** Accounts that the stop is about: of a symbol's, all. */
  stopped: Account[];
  numbers: Set<string>;
  symbols: string[];
  /** By account: the place in `symbols` of the entry that it submits. */
  at: Map<string, number>;
  /** When the last stop was committed; of each symbol where symbols are stopped. */
  committedAt: number;
  symbolsStoppedAt: Map<string, number>;
  refused: number;
  othersSent: number;
  isOver: boolean;
}

/** Whether the stop is about such an entry. */
export const isStopped = (run: Run, account: Account, symbol: string) =>
  run.scope === "symbol" ? run.symbolsStoppedAt.has(symbol) : run.stopped.includes(account);

type Arrival = ReturnType<Exchange["control"]["arrivals"]>["arrivals"][number];
type Figures = Pick<KillTrial, "entriesBefore" | "inFlight" | "lastEntryAfterMs" | "othersAfter" | "slowestCancelMs">;

/** By the exchange's own record of what arrived when. */
export async function measure(exchange: Exchange, { db }: Context, run: Run): Promise<Figures> {
  const intents = await db.intent.findMany({
    where: { accountId: { in: run.accounts.map(({ id }) => id) } },
    select: { clientOrderId: true, symbol: true },
  });
  const symbolOf = new Map(intents.map(({ clientOrderId, symbol }) => [clientOrderId, symbol]));
  const committedAt = ({ client_order_id }: Arrival) =>
    run.scope === "symbol" ? run.symbolsStoppedAt.get(symbolOf.get(client_order_id ?? "") ?? "") : run.committedAt;
  const numbers = new Set(run.accounts.map((account) => truthOf(exchange, account).account_number));
  const { arrivals } = exchange.control.arrivals({ path: "/v2/orders" });
  const ours = arrivals.filter(({ account_number }) => numbers.has(account_number ?? ""));
  const posts = ours.filter(({ method }) => method === "POST");
  const isOfStop = (arrival: Arrival) =>
    run.numbers.has(arrival.account_number ?? "") && committedAt(arrival) !== undefined;
  const entries = posts.filter(isOfStop).map((arrival) => ({ ...arrival, stopAt: committedAt(arrival)! }));
  // Of symbols the first commit counts: what was on its way then stood between look and answer for one of them.
  const before = run.scope === "symbol" ? posts : entries;
  const from = Math.min(run.committedAt, ...run.symbolsStoppedAt.values());
  return {
    entriesBefore: before.filter(({ wall_ms }) => wall_ms <= from).length,
    inFlight: before.filter(({ wall_ms, answered_wall_ms }) => wall_ms <= from && (answered_wall_ms ?? Infinity) > from)
      .length,
    lastEntryAfterMs: Math.round(Math.max(0, ...entries.map(({ wall_ms, stopAt }) => wall_ms - stopAt))),
    othersAfter:
      run.scope === "system"
        ? null
        : posts.filter((arrival) => !isOfStop(arrival) && arrival.wall_ms > run.committedAt).length,
    slowestCancelMs: Math.round(slowestCancel(exchange, run, ours)),
  };
}

/** From the later of the commit and the order's own answer to the first request to cancel it. */
function slowestCancel(exchange: Exchange, run: Run, arrivals: Arrival[]): number {
  const waits = run.stopped.flatMap((account) =>
    truthOf(exchange, account)
      .orders.filter(({ symbol }) => isStopped(run, account, symbol))
      .map(({ id, client_order_id, symbol }) => {
        const sent = arrivals.find(
          ({ method, client_order_id: sentId }) => method === "POST" && sentId === client_order_id,
        );
        const cancel = arrivals.find(({ method, path }) => method === "DELETE" && path === `/v2/orders/${id}`);
        const stopAt = run.symbolsStoppedAt.get(symbol) ?? run.committedAt;
        const from = Math.max(stopAt, sent?.answered_wall_ms ?? sent?.served_wall_ms ?? stopAt);
        return cancel ? cancel.wall_ms - from : Infinity;
      }),
  );
  return Math.max(0, ...waits);
}
