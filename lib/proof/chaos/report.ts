/** What a run of episodes adds up to. */
import type { Outcome } from "./play-episode.ts";

export interface Report {
  seed: number;
  episodes: number;
  failed: { seed: number; isDatabaseCut: boolean; violations: string[] }[];
  uniquenessOff: number;
  pairs: number;
  starts: number;
  kills: number;
  stops: number;
  switches: number;
  databaseCuts: number;
  posts: number;
  orders: number;
  fills: number;
  doubles: number;
  losses: number;
  /** Positions with bare shares after the clean start. */
  bare: number;
  parked: number;
  faults: Record<string, number>;
  crashPoints: Record<string, number>;
  seconds: number;
}

const COUNTED = [
  ...(["starts", "kills", "stops", "switches", "databaseCuts", "posts", "orders"] as const),
  ...(["fills", "doubles", "losses", "bare", "parked"] as const),
] as const;

export function emptyReport(seed: number): Report {
  return {
    ...{ seed, episodes: 0, failed: [], uniquenessOff: 0, pairs: 0, starts: 0, kills: 0, stops: 0, switches: 0 },
    ...{ databaseCuts: 0, posts: 0, orders: 0, fills: 0, doubles: 0, losses: 0, bare: 0, parked: 0 },
    ...{ faults: {}, crashPoints: {}, seconds: 0 },
  };
}

/** Adds an episode to the report, in place. */
export function addOutcome(report: Report, outcome: Outcome): void {
  report.episodes += 1;
  report.uniquenessOff += outcome.isUniquenessOff ? 1 : 0;
  report.pairs += outcome.isPair ? 1 : 0;
  for (const name of COUNTED) report[name] += outcome[name];
  for (const group of ["faults", "crashPoints"] as const)
    for (const [name, times] of Object.entries(outcome[group]))
      report[group][name] = (report[group][name] ?? 0) + times;
  const { seed, violations, databaseCuts } = outcome;
  if (violations.length > 0) report.failed.push({ seed, isDatabaseCut: databaseCuts > 0, violations });
}

const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `  ${name.padEnd(22)}${String(times).padStart(7)}`);

export function reportLines(report: Report): string[] {
  const { episodes, seconds, starts, kills, stops, switches, databaseCuts } = report;
  return [
    `${episodes} episodes in ${seconds} s (${(seconds / Math.max(1, episodes)).toFixed(2)} s each), seed ${report.seed}`,
    `  two workers at once in ${report.pairs}, client ids not unique at the exchange in ${report.uniquenessOff}`,
    `  ${starts} worker starts, ${kills} killed, ${stops} put to sleep, ${switches} switches thrown, Postgres cut ${databaseCuts} times`,
    "faults that struck",
    ...listed(report.faults),
    "ended at",
    ...listed(report.crashPoints),
    `${report.posts} requests to place an order, ${report.orders} orders and ${report.fills} fills checked`,
    `doubled ${report.doubles}, lost ${report.losses}, bare ${report.bare}, left to a person ${report.parked}`,
    report.failed.length === 0 ? "every invariant holds" : `BROKEN in ${report.failed.length} episodes`,
  ];
}
