/** What Postgres and Redis say of a run of `npm run bench:accounts`. */
import pg from "pg";
import { Redis } from "ioredis";

export interface Statements {
  calls: number;
  /** By their text, most time first. */
  top: { calls: number; ms: number; text: string }[];
}

export interface Tables {
  bytes: number;
  byName: Record<string, { bytes: number; rows: number }>;
}

export interface Ending {
  /** Average bytes of a row without its share of indexes. */
  rowBytes: { decision: number; intent: number };
  halted: number;
  /** Events of the audit trail, by kind. */
  trail: Record<string, number>;
  /** Accounts in whose last look an invariant was broken, by invariant. */
  broken: Record<string, number>;
  /** Why orders were stopped at the last gate. */
  stopped: Record<string, number>;
}

async function readEnding(client: pg.Client): Promise<Ending> {
  const number = async (sql: string) => Number((await client.query<{ n: string | null }>(sql)).rows[0]?.n ?? 0);
  const bytesOf = (table: string) =>
    number(`select round(avg(pg_column_size(t.*)))::text as n from (select * from "${table}" limit 2000) t`);
  const { rows } = await client.query<{ type: string; count: string }>(
    'select "eventType" as type, count(*)::text as count from "AuditEvent" group by 1 order by 2 desc',
  );
  const { rows: stopped } = await client.query<{ reason: string; count: string }>(
    `select data ->> 'reason' as reason, count(*)::text as count from "AuditEvent" where "eventType" = 'ORDER_STOPPED' group by 1`,
  );
  const { rows: broken } = await client.query<{ invariant: string; count: string }>(
    `select b ->> 'invariant' as invariant, count(*)::text as count
      from "InvariantCheck" c cross join jsonb_array_elements(c."breaches") b where c."accountId" is not null group by 1`,
  );
  return {
    broken: Object.fromEntries(broken.map(({ invariant, count }) => [invariant, Number(count)])),
    stopped: Object.fromEntries(stopped.map(({ reason, count }) => [reason, Number(count)])),
    rowBytes: { decision: await bytesOf("DecisionRecord"), intent: await bytesOf("Intent") },
    halted: await number('select count(*)::text as n from "Account" where "haltedAt" is not null'),
    trail: Object.fromEntries(rows.map(({ type, count }) => [type, Number(count)])),
  };
}

/** Reads as the superuser: statistics of all sessions. */
export async function openBooks(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // A database that becomes unavailable ends the run by the first program that needs it.
  client.on("error", () => undefined);
  await client.query("create extension if not exists pg_stat_statements");
  return {
    async startCounting(): Promise<void> {
      await client.query("select pg_stat_statements_reset()");
    },

    async statements(): Promise<Statements> {
      const { rows: total } = await client.query<{ calls: string }>(
        "select coalesce(sum(calls), 0)::text as calls from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())",
      );
      const { rows } = await client.query<{ calls: string; ms: number; query: string }>(`
        select calls::text, total_exec_time as ms, query from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database()) order by total_exec_time desc limit 40`);
      return {
        calls: Number(total[0]?.calls ?? 0),
        top: rows.map(({ calls, ms, query }) => ({
          calls: Number(calls),
          ms: Math.round(ms),
          text: query.replace(/\s+/g, " ").slice(0, 240),
        })),
      };
    },

    async tables(): Promise<Tables> {
      const { rows } = await client.query<{ name: string; bytes: string; rows: string }>(`
        select coalesce(p.relname, s.relname) as name, sum(pg_total_relation_size(s.relid))::text as bytes, sum(s.n_live_tup)::text as rows
        from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid left join pg_class p on p.oid = i.inhparent
        where s.schemaname in ('public', 'partitions') group by 1`);
      const byName = Object.fromEntries(
        rows.map((row) => [row.name, { bytes: Number(row.bytes), rows: Number(row.rows) }]),
      );
      return { bytes: rows.reduce((sum, row) => sum + Number(row.bytes), 0), byName };
    },

    /** The newest cycle: when it began by the wall clock, and how far it is. */
    async cycle(): Promise<Cycle | null> {
      const { rows } = await client.query<{
        id: string;
        beganAt: Date;
        status: string;
        decided: string;
        firstAt: Date | null;
        lastAt: Date | null;
        orders: string;
      }>(`
        select c."id", c."createdAt" as "beganAt", c."status", count(d."id")::text as decided,
          min(d."createdAt") as "firstAt", max(d."createdAt") as "lastAt",
          (select count(*) from "Order" o where o."createdAt" >= c."createdAt" and o."parentId" is null)::text as orders
        from (select * from "Cycle" order by "createdAt" desc limit 1) c left join "DecisionRecord" d on d."cycleId" = c."id"
        group by c."id", c."createdAt", c."status"`);
      const [row] = rows;
      return row ? { ...row, decided: Number(row.decided), orders: Number(row.orders) } : null;
    },

    /** Decided accounts alone: asked often. */
    async decided(cycleId: string): Promise<number> {
      const { rows } = await client.query<{ count: string }>(
        'select count(*)::text as count from "DecisionRecord" where "cycleId" = $1',
        [cycleId],
      );
      return Number(rows[0]?.count ?? 0);
    },

    ending: () => readEnding(client),

    close: () => client.end(),
  };
}

export interface Cycle {
  id: string;
  beganAt: Date;
  status: string;
  decided: number;
  firstAt: Date | null;
  lastAt: Date | null;
  orders: number;
}

export type Books = Awaited<ReturnType<typeof openBooks>>;

export async function redisUse(url: string): Promise<{ peakMb: number; keys: number }> {
  const client = new Redis(url);
  try {
    const peak = /used_memory_peak:(\d+)/.exec(await client.info("memory"))?.[1];
    return { peakMb: Number(peak ?? 0) / 1e6, keys: await client.dbsize() };
  } finally {
    client.disconnect();
  }
}
