import { HISTORY_CASH, HISTORY_SESSIONS, type StrategyHistory } from "@/lib/domain/backtest/strategy-history.ts";
import { ENGINE_VERSION } from "@/lib/domain/engine/plan.ts";
import { type MarketName, MARKETS, STRATEGY_NAMES, type StrategyName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { tooFewSessions } from "@/lib/domain/insight/history-text.ts";
import { HOUR_MS, MINUTE_MS, type SessionDate } from "@/lib/domain/time.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { dateOf } from "../../rows.ts";
import { startThread } from "../../start-thread.ts";
import { type End, runThread } from "../queue/run-thread.ts";
import { isRotationTraded, readConfigRow } from "../rotation/config-row.ts";
import { knownCompanies } from "./known-companies.ts";
import { closedSessions, whyNoPast } from "./read-options.ts";
import { PAST_HEAP_MB } from "./read-past.ts";
import type { HistoriesOutcome, HistoriesTask } from "./serve-histories.ts";
import type { ThreadNews } from "./serve-thread.ts";

/** What could not be made is not tried again before this, unless a session has closed since. Wall time. */
const AGAIN_AFTER_MS = HOUR_MS;
/** Made anew at most this often: on a fast practice market a session closes every minute. Wall time. */
const AT_MOST_EVERY_MS = 15 * MINUTE_MS;

/** What a history is made for; made for the same it is the same. */
interface Made {
  market: MarketName;
  /** The last session that has closed. */
  through: SessionDate;
  policy: Policy;
}

/** By market what this process could not make, and when. */
const failed = new Map<MarketName, { of: string; at: number }>();

/**
 * Makes the histories of all strategies anew for each market in which a session has closed since, or another policy is in force. A
 * market is looked at and traded first: before its first cycle nothing is made. Done twice at once, both give the same rows.
 */
export async function runStrategyHistories(context: Context, program: string): Promise<void> {
  for (const market of MARKETS.filter(hasMarket)) {
    try {
      await runMarket(context, market, program);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      context.log.warn("strategy-history.failed", { market, reason: error.message });
    }
  }
}

async function runMarket(context: Context, market: MarketName, program: string): Promise<void> {
  const { db, log, now } = context;
  if ((await db.cycle.findFirst({ where: { market, status: "DONE" }, select: { id: true } })) === null) return;
  const { all, minBars } = await closedSessions(context, market);
  const through = all.at(-1);
  if (through === undefined) return;
  const made: Made = { market, through, policy: await activePolicy(context) };
  const key = `${through} ${made.policy.version}`;
  const before = failed.get(market);
  if (before?.of === key && now().getTime() - before.at < AGAIN_AFTER_MS) return;
  if (await isMade(context, made)) return;
  const sessions = all.slice(minBars).slice(-HISTORY_SESSIONS.most);
  const reason =
    (await whyNoPast(context, market)) ??
    (sessions.length < HISTORY_SESSIONS.least ? tooFewSessions(sessions.length, HISTORY_SESSIONS.least) : null);
  if (reason !== null) return save(context, made, () => ({ reason }));
  const [from] = sessions;
  const startedAt = performance.now();
  const end = await playInThread(context, made, await taskOf(context, made, from!), program);
  const facts = { market, session: through };
  if (end.kind === "done") {
    await save(context, made, (strategy) => columnsOf(end.outcome[strategy], from!));
    const durationMs = Math.round(performance.now() - startedAt);
    log.info("strategy-history.completed", { ...facts, count: sessions.length, durationMs });
  } else if (end.kind === "failed") {
    failed.set(market, { of: key, at: now().getTime() });
    log.warn("strategy-history.failed", { market, reason: end.message });
  } else {
    log.info("strategy-history.released", facts);
  }
}

/** Made for these, or so lately by this policy and engine that another session makes little of a difference. */
async function isMade({ db, now }: Context, { market, through, policy }: Made): Promise<boolean> {
  const lately = new Date(now().getTime() - AT_MOST_EVERY_MS);
  const count = await db.strategyHistory.count({
    where: {
      ...{ market, policyVersion: policy.version, engineVersion: ENGINE_VERSION },
      OR: [{ throughDate: dateOf(through) }, { reason: null, computedAt: { gt: lately } }],
    },
  });
  return count === STRATEGY_NAMES.length;
}

async function taskOf({ db }: Context, { market, through, policy }: Made, from: SessionDate): Promise<HistoriesTask> {
  const companies = await knownCompanies({ db }, market, through);
  // As it would be traded live now.
  const hasRotation = isRotationTraded(await readConfigRow(db));
  return { market, policy, from, to: through, companies, cash: HISTORY_CASH, hasRotation };
}

function playInThread(
  context: Context,
  { market }: Made,
  task: HistoriesTask,
  program: string,
): Promise<End<HistoriesOutcome>> {
  return runThread<ThreadNews, null, HistoriesOutcome>(context, {
    id: `strategy-history:${market}`,
    thread: startThread(program, task, { maxOldGenerationSizeMb: PAST_HEAP_MB }),
    what: "The history of the strategies",
    ask: "It is tried again later.",
    progressOf: () => null,
    // No user waits for it, and no other worker takes it over.
    beat: () => Promise.resolve(true),
  });
}

type Columns = Partial<Prisma.StrategyHistoryUncheckedCreateInput>;

const NONE = {
  reason: null,
  fromDate: null,
  sessions: null,
  cash: null,
  finalEquity: null,
  totalReturn: null,
  maxDrawdown: null,
  exposure: null,
  trades: null,
  winRate: null,
  indexReturn: null,
  points: Prisma.DbNull,
} satisfies Columns;

const columnsOf = ({ points, ...figures }: StrategyHistory, from: SessionDate): Columns => ({
  ...figures,
  fromDate: dateOf(from),
  points: asJson(points),
});

/** All strategies of a market together: their histories are of the same sessions. */
async function save(
  { db, now }: Context,
  { market, through, policy }: Made,
  columns: (strategy: StrategyName) => Columns,
): Promise<void> {
  const throughDate = dateOf(through);
  const computedAt = now();
  await db.$transaction(
    STRATEGY_NAMES.map((strategy) => {
      const row = {
        ...{ throughDate, policyVersion: policy.version, engineVersion: ENGINE_VERSION, computedAt },
        ...NONE,
        ...columns(strategy),
      };
      return db.strategyHistory.upsert({
        where: { market_strategy: { market, strategy } },
        create: { market, strategy, ...row },
        update: row,
      });
    }),
  );
}
