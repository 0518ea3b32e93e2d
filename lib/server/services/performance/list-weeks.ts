import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { performanceApi } from "@/lib/contracts/performance.ts";
import { timeWeightedReturn } from "@/lib/domain/metrics.ts";
import { growthOf, type SessionGrowth } from "@/lib/domain/growth.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { mondayOf, weekFrom } from "@/lib/domain/weeks.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { readStarts } from "../equity/read-starts.ts";
import { latestOf, readCloses } from "./read-closes.ts";
import { isRunning, marketTime } from "./market-time.ts";
import { readBooks } from "./read-statement.ts";
import { readEquityChanges } from "./week-figures.ts";

type Answer = Given<typeof performanceApi.weeks>;

/** The weeks in which a session ended or runs, newest first; what each made is by the rule of its page and of its mail. */
export async function listWeeks(
  context: Context<"user">,
  { environment: wanted, before, limit }: Received<typeof performanceApi.weeks>,
): Promise<Answer> {
  const { db } = context;
  const { accounts, ...scope } = await accountsOfEnvironment(context, wanted);
  const [first] = accounts;
  if (!first) return { ...scope, weeks: [], hasMore: false };
  const ids = accounts.map(({ id }) => id);
  const starts = await readStarts(db, ids);
  const [books, closes] = await Promise.all([readBooks(db, accounts), readCloses(db, accounts, starts)]);
  const latest = latestOf(books, starts);
  const isNewer = latest !== null && latest.session > (closes.at(-1)?.session ?? "");
  const weeks = byWeek(growthOf(isNewer ? [...closes, latest] : closes, null));
  const end = before === undefined ? null : mondayOf(before);
  const wantedWeeks = [...weeks].filter(([monday]) => end === null || monday < end).slice(-limit - 1);
  const shown = wantedWeeks.slice(-limit);
  const now = await marketTime(context, first.market, accounts);
  // Not every week has sessions. Between the ends of one week no other begins, so its change stands where its beginning does.
  const instants = [...new Set(shown.flatMap(([monday]) => [weekFrom(monday).from, weekFrom(monday).to]))].sort();
  const changes = await readEquityChanges(
    db,
    ids,
    starts,
    instants.map((at) => new Date(at)),
  );
  return {
    ...scope,
    weeks: shown
      .flatMap(([monday, growth]) => {
        const change = changes[instants.indexOf(weekFrom(monday).from)];
        if (!change) return [];
        const value = timeWeightedReturn(growth);
        return [{ monday, sessions: growth.length, pnl: change.pnl, value, isRunning: isRunning(monday, now) }];
      })
      .reverse(),
    hasMore: wantedWeeks.length > shown.length,
  };
}

function byWeek(growth: readonly SessionGrowth[]): Map<SessionDate, SessionGrowth[]> {
  const weeks = new Map<SessionDate, SessionGrowth[]>();
  for (const each of growth) {
    const monday = mondayOf(each.session);
    weeks.set(monday, [...(weeks.get(monday) ?? []), each]);
  }
  return weeks;
}
