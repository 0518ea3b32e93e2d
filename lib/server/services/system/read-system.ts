import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { systemApi } from "@/lib/contracts/system.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { readQueueDepth } from "../../jobs/kept-jobs.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { describeThisProcess } from "./process-pulse.ts";
import { readStreams } from "./read-streams.ts";

type System = Given<typeof systemApi.read>;

type ReadDepth = () => Promise<System["queue"]>;

/** All that an operator needs in an emergency. Health is measured by work done and by beats, never by a ping. */
export async function readSystem(
  context: Context,
  { limit }: Received<typeof systemApi.read>,
  readDepth: ReadDepth = readQueueDepth,
): Promise<System> {
  const { db } = context;
  const at = context.now();
  const leases = await readLeases(context, at);
  const [
    processes,
    system,
    schedules,
    accountSchedules,
    queue,
    queueDepth,
    newestQueueDepth,
    streams,
    clock,
    database,
  ] = await Promise.all([
    readProcesses(context, at),
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    readSchedules(context),
    readAccountSchedules(context, at),
    readDepth(),
    readQueueDepths(context, at),
    readNewestDepth(context),
    readStreams(context, { limit, follower: leases.find(({ name }) => name === "follower") }),
    readClock(context, at),
    readDatabase(context),
  ]);
  return {
    at,
    silenceMs: env().WORKER_SILENCE_SECONDS * 1000,
    processes,
    orderProtocol: system.orderProtocol,
    leases,
    schedules,
    accountSchedules,
    queue,
    isQueueActive: system.isQueueActive,
    queueDepth,
    newestQueueDepth,
    streams,
    clock,
    database,
  };
}

const ageMs = (at: Date, beatAt: Date) => Math.max(0, at.getTime() - beatAt.getTime());

const KINDS = ["worker", "canary", "watchdog"] as const;
/** However many of one program are listed, those that still beat among them, the others are not left out for them. */
const MOST_OF_A_KIND = 50;

async function readProcesses({ db }: Context, at: Date): Promise<System["processes"]> {
  const rows = await Promise.all(
    KINDS.map(async (kind) => {
      const latest = await db.processBeat.findMany({
        where: { kind },
        orderBy: { beatAt: "desc" },
        take: MOST_OF_A_KIND,
      });
      return latest.map((row) => ({ ...row, kind, ageMs: ageMs(at, row.beatAt) }));
    }),
  );
  return [{ ...describeThisProcess(at), kind: "web", ageMs: 0 }, ...rows.flat()];
}

async function readLeases({ db }: Context, at: Date): Promise<System["leases"]> {
  const rows = await db.lease.findMany({
    where: { name: { in: ["worker", "watchdog", "follower"] } },
    select: { name: true, owner: true, beatAt: true },
    orderBy: { name: "desc" },
  });
  return rows.map((row) => ({ ...row, ageMs: ageMs(at, row.beatAt) }));
}

function readSchedules({ db }: Context): Promise<System["schedules"]> {
  return db.schedule.findMany({
    where: { accountId: null },
    orderBy: [{ market: { sort: "asc", nulls: "first" } }, { key: "asc" }],
    take: 100,
    omit: { accountId: true, lastMarketAt: true },
  });
}

/** Of accounts with keys: the others wait for nothing. */
function readAccountSchedules({ db }: Context, at: Date): Promise<System["accountSchedules"]> {
  const late = new Date(at.getTime() - MINUTE_MS);
  return db.$queryRaw<System["accountSchedules"]>`
    select s."job", count(*)::int as "accounts", count(*) filter (where s."dueAt" < ${late}::timestamptz)::int as "overdue",
      count(*) filter (where s."lastStatus" = 'failed')::int as "failed", max(s."lastFinishedAt") as "lastFinishedAt",
      (array_agg(s."lastError" order by s."lastFinishedAt" desc) filter (where s."lastStatus" = 'failed'))[1] as "lastError"
    from "Schedule" s join "Account" a on a."id" = s."accountId"
    where a."deletedAt" is null and a."sealedKeys" is not null
    group by s."job" order by s."job"`;
}

function readQueueDepths({ db }: Context, at: Date): Promise<System["queueDepth"]> {
  const since = new Date(at.getTime() - DAY_MS);
  return db.$queryRaw<System["queueDepth"]>`
    select date_bin('10 minutes', "at", 'epoch') as "at", max("pendingJobs") as "pending"
    from "SystemSample" where "at" >= ${since}::timestamptz group by 1 order by 1`;
}

async function readNewestDepth({ db }: Context): Promise<System["newestQueueDepth"]> {
  const newest = await db.systemSample.findFirst({ orderBy: { at: "desc" } });
  return newest && { at: newest.at, pending: newest.pendingJobs };
}

const FRESH_MS = 5 * MINUTE_MS;

async function readClock({ db }: Context, at: Date): Promise<System["clock"]> {
  if (!hasMarket("US"))
    return {
      skewMs: null,
      at: null,
      note: "The US market is not configured; the practice market has a time of its own.",
    };
  const last = await db.systemSample.findFirst({
    where: { at: { gte: new Date(at.getTime() - FRESH_MS) }, clockSkewMs: { not: null } },
    orderBy: { at: "desc" },
  });
  return last === null
    ? { skewMs: null, at: null, note: "The broker's clock could not be read within the last five minutes." }
    : { skewMs: last.clockSkewMs, at: last.at, note: "Broker's clock less ours. Beyond 5 s nothing is traded." };
}

async function readDatabase({ db }: Context): Promise<System["database"]> {
  const [row] = await db.$queryRaw<[System["database"]]>`
    select pg_database_size(current_database())::float8 as "sizeBytes",
      (select count(*)::int from pg_stat_activity where "datname" = current_database()) as "connections",
      current_setting('max_connections')::int as "maxConnections", current_setting('server_version') as "version"`;
  return row;
}
