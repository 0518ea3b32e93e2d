import { Gauge } from "prom-client";
import { WHOLE_SHARE } from "@/lib/domain/canary.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Context } from "../../context.ts";
import { readSplit } from "../../jobs/canary.ts";
import { readQueueDepth } from "../../jobs/kept-jobs.ts";
import { metrics } from "../../metrics.ts";
import { countBareAccounts } from "../orders/bare-shares.ts";
import { readBeat } from "../schedule/worker-lease.ts";
import { countFailed } from "./count-failed.ts";
import { countOverdue } from "./count-overdue.ts";
import { rowsInNoPartition } from "./keep-partitions.ts";

type Labelled = { labels: Record<string, string>; value: number }[];
type Read = (context: Context) => Promise<number | null | Labelled>;

const ageS = ({ now }: Context, at: Date | null | undefined) =>
  at == null ? null : Math.max(0, (now().getTime() - at.getTime()) / 1000);

const countsOf = <Row extends { _count: number }>(rows: Row[], label: (row: Row) => Record<string, string>): Labelled =>
  rows.map((row) => ({ labels: label(row), value: row._count }));

/**
 * What the books say, of all people together: no name, no account and no amount stands in it. Rows outlive a deleted account: they count no
 * more than the console shows of them, else an alert would never end.
 */
const GAUGES: Record<string, { help: string; labelNames?: string[]; read: Read }> = {
  tradewind_worker_beat_age_seconds: {
    help: "Since the last heartbeat of any worker.",
    read: async (context) => ageS(context, await readBeat(context)),
  },
  tradewind_accounts_without_stop: {
    help: "Accounts that hold shares of which no stop rests, but for those that can only be sold, at the opening.",
    read: ({ db, now }) => countBareAccounts(db, now()),
  },
  tradewind_stops_owed: {
    help: "Stops that went and are not back.",
    read: ({ db }) => db.owedStop.count({ where: { paidAt: null, account: { deletedAt: null } } }),
  },
  tradewind_orders: {
    help: "Orders that are open at brokers.",
    labelNames: ["status"],
    read: async ({ db }) =>
      countsOf(
        await db.order.groupBy({
          by: ["status"],
          where: {
            status: { in: [...WORKING_STATUSES] },
            account: { OR: [{ deletedAt: null }, { sealedKeys: { not: null } }] },
          },
          _count: true,
        }),
        ({ status }) => ({ status }),
      ),
  },
  tradewind_intents_unresolved: {
    help: "Orders of which it is not known whether the broker has them, or that wait for a person.",
    labelNames: ["status"],
    read: async ({ db }) =>
      countsOf(
        await db.intent.groupBy({
          by: ["status"],
          where: { status: { in: ["UNKNOWN", "PARKED"] }, account: { deletedAt: null } },
          _count: true,
        }),
        ({ status }) => ({ status }),
      ),
  },
  tradewind_accounts_halted: {
    help: "Accounts that take no orders until a person looks.",
    read: ({ db }) => db.account.count({ where: { haltedAt: { not: null }, deletedAt: null } }),
  },
  tradewind_invariants_broken: {
    help: "Accounts, and the system, whose last check found a breach.",
    read: ({ db }) =>
      db.invariantCheck.count({
        where: {
          brokenSince: { not: null },
          OR: [{ scope: "system" }, { account: { deletedAt: null, sealedKeys: { not: null } } }],
        },
      }),
  },
  tradewind_schedules_overdue: {
    help: "Scheduled work, but for the practice market's, that is more than a minute late.",
    read: countOverdue,
  },
  tradewind_schedules_failed: {
    help: "Scheduled work, but for that of accounts, whose last run failed.",
    labelNames: ["work"],
    read: async (context) =>
      (await countFailed(context)).map(({ job, failed }) => ({ labels: { work: job }, value: failed })),
  },
  tradewind_cycle_age_seconds: {
    help: "Wall time since the last finished cycle of each market.",
    labelNames: ["market"],
    read: async (context) => {
      const rows = await context.db.cycle.groupBy({ by: ["market"], _max: { finishedAt: true } });
      return rows.flatMap(({ market, _max }) => {
        const value = ageS(context, _max.finishedAt);
        return value === null ? [] : [{ labels: { market }, value }];
      });
    },
  },
  tradewind_mails_waiting: {
    help: "Mails that are due and not sent, or that a try could not send.",
    // Each try moves the due time on. A mail that is held for quiet hours has no error.
    read: ({ db, now }) =>
      db.outbox.count({
        where: { sentAt: null, failedAt: null, OR: [{ dueAt: { lte: now() } }, { lastError: { not: null } }] },
      }),
  },
  tradewind_mails_given_up: {
    help: "Mails that no try could send.",
    read: ({ db }) => db.outbox.count({ where: { failedAt: { not: null }, sentAt: null } }),
  },
  tradewind_queue_jobs: {
    help: "Jobs in the queue; absent while Redis cannot be asked.",
    labelNames: ["state"],
    read: async () => {
      const depth = await readQueueDepth();
      return depth && Object.entries(depth).map(([state, value]) => ({ labels: { state }, value }));
    },
  },
  tradewind_canary_share: {
    help: "Part of the accounts, 0 to 1, that a canary worker takes while one lives.",
    read: async ({ db, now }) => (await readSplit(db, now())).share / WHOLE_SHARE,
  },
  tradewind_canary_alive: {
    help: "1 while a canary worker sends heartbeats.",
    read: async ({ db, now }) => Number((await readSplit(db, now())).isAlive),
  },
  tradewind_rows_in_no_partition: {
    help: "Decisions and points of equity whose month or year has no partition yet.",
    labelNames: ["table"],
    read: async (context) =>
      (await rowsInNoPartition(context)).map(({ table, rows }) => ({ labels: { table }, value: rows })),
  },
  tradewind_audit_seq: {
    help: "Number of the last event of the audit chain.",
    read: async ({ db }) => Number((await db.auditHead.findUnique({ where: { id: 1 } }))?.seq ?? 0),
  },
};

/** Reads every gauge anew. One that cannot be read is absent, never an old number; the others are there. */
export async function refreshGauges(context: Context): Promise<void> {
  const { registry } = metrics();
  const failures: unknown[] = [];
  for (const [name, { help, labelNames = [], read }] of Object.entries(GAUGES)) {
    const known = registry.getSingleMetric(name) as Gauge | undefined;
    const gauge = known ?? new Gauge({ name, help, labelNames, registers: [registry] });
    let value: Awaited<ReturnType<Read>> = null;
    try {
      value = await read(context);
    } catch (error) {
      failures.push(error);
    }
    // In one go: a scrape that reads the registry meanwhile finds no emptied gauge.
    gauge.reset();
    // Without labels a gauge that was reset says 0: what is not known is left out.
    if (labelNames.length === 0) gauge.remove();
    if (typeof value === "number") gauge.set(value);
    else for (const each of value ?? []) gauge.set(each.labels, each.value);
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} gauges could not be read`);
}
