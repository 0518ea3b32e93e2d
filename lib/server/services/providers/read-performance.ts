import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { RANGE_MS } from "@/lib/domain/console.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { PROBES } from "../../providers/probes.ts";
import { readAgreement } from "./read-agreement.ts";

type Performance = Given<typeof consoleApi.providerPerformance>;

interface Row {
  provider: string;
  operation: string;
  ok: boolean;
  status: number;
  error: string;
  calls: number;
  durationMs: number;
  lastAt: Date;
}

/** Up to a day from the minutes, longer ranges from the hours; the first of them counts whole. */
export async function readProviderPerformance(
  { db, now }: Pick<Context, "db" | "now">,
  { range }: Received<typeof consoleApi.providerPerformance>,
): Promise<Performance> {
  const isShort = RANGE_MS[range] <= DAY_MS;
  const partMs = isShort ? MINUTE_MS : HOUR_MS;
  const from = now().getTime() - RANGE_MS[range];
  const since = new Date(from - (from % partMs));
  const rows = await db.$queryRaw<Row[]>`
    select "provider", "operation", "ok", "status", "error", sum("calls")::float8 as "calls",
      sum("durationMs")::float8 as "durationMs", max("lastAt") as "lastAt"
    from "ProviderCall"
    where "span" = ${isShort ? "MINUTE" : "HOUR"}::"CallSpan" and "at" >= ${since}::timestamptz
    group by 1, 2, 3, 4, 5`;
  const { figuresOf: agreementOf, quarantined, quarantinedCount } = await readAgreement({ db }, since);
  return {
    range,
    since,
    providers: PROBES.map(({ provider, absence }) => {
      const configured = absence() === null;
      const figures = figuresOf(rows.filter((row) => row.provider === provider));
      // What stands in for a source on the practice market is compared under its name, and says nothing about it.
      const isAsked = configured || figures.totalRequests > 0;
      return { provider, configured, ...figures, ...(isAsked ? agreementOf(provider) : NOT_COMPARED) };
    }),
    quarantined,
    quarantinedCount,
  };
}

const NOT_COMPARED = { agreement: null, lastDisagreement: null };

const MOST_FAULTS = 5;

function figuresOf(rows: readonly Row[]) {
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const totalRequests = sum(({ calls }) => calls);
  const errorCount = sum(({ ok, calls }) => (ok ? 0 : calls));
  const last = Math.max(...rows.map(({ lastAt }) => lastAt.getTime()));
  return {
    successRate: totalRequests === 0 ? null : (totalRequests - errorCount) / totalRequests,
    averageResponseTime:
      totalRequests === 0 ? null : Math.round((10 * sum(({ durationMs }) => durationMs)) / totalRequests) / 10,
    totalRequests,
    errorCount,
    lastCheck: rows.length === 0 ? null : new Date(last),
    faults: rows
      .filter(({ ok }) => !ok)
      .sort((a, b) => b.calls - a.calls)
      .slice(0, MOST_FAULTS)
      .map(({ operation, error, status, calls }) => ({
        operation,
        error,
        status: status === 0 ? null : status,
        count: calls,
      })),
  };
}
