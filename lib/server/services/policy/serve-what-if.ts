import { WHAT_IF_BOUNDS } from "@/lib/contracts/policy-what-if.ts";
import { MARKETS, type Environment, type MarketName } from "@/lib/domain/enums.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { policyDifferences } from "@/lib/domain/policy-changes.ts";
import { db, type Db } from "../../db.ts";
import { serveThread } from "../queue/serve-thread.ts";
import { unknownsOf } from "./draft-changes.ts";
import { compareByEnvironment } from "./what-if-by-environment.ts";
import type { ChangedOrder, WhatIfReport } from "./what-if.ts";

export interface WhatIfTask {
  policy: Policy;
  /** The policy that it would replace. */
  inForce: Policy;
  /** The latest so many cycles of each market. */
  cycles: number;
}

export interface WhatIfProgress {
  kind: "decisions";
  done: number;
  total: number;
}

type Compared = Omit<WhatIfReport, "draftVersion" | "recordedVersions" | "changedFields" | "beyond" | "unknown">;

export interface WhatIfOutcome {
  cycles: number;
  /** Each with the market's time of its first and last cycle. */
  markets: { market: MarketName; cycles: number; from: string; to: string }[];
  recordedVersions: string[];
  changedFields: { path: string; from: number; to: number }[];
  environments: ({ environment: Environment } & Compared)[];
  unknown: string[];
}

const REPORT_EVERY_MS = 250;
const MOST_EXAMPLES = 20;
const MOST_ACCOUNTS = 20;

/** Decides recorded cycles again, all within the thread: the loop that trades waits for none of it. */
export const serveWhatIfThread = () =>
  serveThread((task: WhatIfTask, post: (news: WhatIfProgress) => void) => figureWhatIf(db(), task, post));

export async function figureWhatIf(
  database: Db,
  { policy, inForce, cycles: asked }: WhatIfTask,
  post: (news: WhatIfProgress) => void,
): Promise<WhatIfOutcome> {
  const cycles = (await Promise.all(MARKETS.map((market) => latestCycles(database, market, asked)))).flat();
  const cycleIds = cycles.map(({ id }) => id);
  let reportedAt = -Infinity;
  const environments: WhatIfOutcome["environments"] = [];
  const versions = new Set<string>();
  const beyond = new Set<string>();
  const compared = await compareByEnvironment(
    { db: database },
    {
      draft: policy,
      cycleIds,
      onProgress: (done, total) => {
        if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
        reportedAt = performance.now();
        post({ kind: "decisions", done, total });
      },
    },
  );
  for (const report of compared) {
    const { environment, draftVersion: _, changedFields: __, unknown: ___, beyond: farther, ...rest } = report;
    const { recordedVersions, ...figures } = rest;
    for (const version of recordedVersions) versions.add(version);
    for (const path of farther) beyond.add(path);
    environments.push({ environment, ...bounded(figures) });
  }
  const changed = policyDifferences(inForce, policy);
  return {
    cycles: cycles.length,
    markets: MARKETS.flatMap((market) => spanOf(market, cycles)),
    recordedVersions: [...versions].sort(),
    changedFields: changed,
    environments,
    unknown: unknownsOf(changed, [...beyond]),
  };
}

/** The markets' clocks may be years apart: each has a span of its own. */
function spanOf(market: MarketName, cycles: readonly CycleOf[]): WhatIfOutcome["markets"] {
  const times = cycles.filter((cycle) => cycle.market === market).map(({ startedAt }) => startedAt.toISOString());
  const [from, to] = [times.toSorted()[0], times.toSorted().at(-1)];
  return from === undefined || to === undefined ? [] : [{ market, cycles: times.length, from, to }];
}

type CycleOf = { id: string; market: MarketName; startedAt: Date };

/** The latest cycles in which something was decided, as many as fit; the newest always. */
async function latestCycles(database: Db, market: MarketName, asked: number): Promise<CycleOf[]> {
  const found = await database.cycle.findMany({
    where: { market, decisions: { some: {} } },
    orderBy: { startedAt: "desc" },
    take: asked,
    select: { id: true, market: true, startedAt: true },
  });
  const counted = await database.decisionRecord.groupBy({
    by: ["cycleId"],
    where: { cycleId: { in: found.map(({ id }) => id) } },
    _count: true,
  });
  const countOf = new Map(counted.map(({ cycleId, _count }) => [cycleId, _count]));
  let decisions = 0;
  const fitting = found.findIndex(({ id }) => (decisions += countOf.get(id) ?? 0) > WHAT_IF_BOUNDS.decisions);
  return fitting === -1 ? found : found.slice(0, Math.max(1, fitting));
}

/** What is stored and sent of the lists. */
function bounded(report: Compared): Compared {
  const few = <K extends { examples: ChangedOrder[] }>(kind: K): K => ({
    ...kind,
    examples: kind.examples.slice(0, MOST_EXAMPLES),
  });
  const { entriesAdded, entriesRemoved, sizesChanged, exitsAdded, exitsRemoved, accounts } = report;
  return {
    ...report,
    entriesAdded: few(entriesAdded),
    entriesRemoved: few(entriesRemoved),
    sizesChanged: few(sizesChanged),
    exitsAdded: few(exitsAdded),
    exitsRemoved: few(exitsRemoved),
    accounts: accounts.slice(0, MOST_ACCOUNTS),
  };
}
