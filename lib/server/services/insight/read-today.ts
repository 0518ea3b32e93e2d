import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { ACCESS_TEXT, OTHER_ACCOUNT } from "@/lib/domain/account-access.ts";
import { todayAnswer } from "@/lib/domain/insight/today.ts";
import { NOTHING_LEFT, type TodayFacts, type TodayPosition } from "@/lib/domain/insight/today-facts.ts";
import { refusalOf, toldLook } from "@/lib/domain/insight/today-situation.ts";
import { dayTimeline, type TimelineFacts } from "@/lib/domain/insight/today-timeline.ts";
import { text } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { haltAdvice } from "../accounts/halt-advice.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { readHeld } from "../portfolio/list-positions.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";
import { isBrokerSilent } from "../sync/broker-silence.ts";
import type { BriefAccount, BriefScope } from "./accounts-of-brief.ts";
import { latestMoment } from "./latest-moment.ts";
import { readLeft } from "./read-left.ts";
import { readHolds } from "./read-holds.ts";
import { positionFacts } from "./read-positions.ts";
import { readResult, readWeekPnl } from "./read-result.ts";
import { readDayOfEvents } from "./read-today-events.ts";
import { isCalendarMissingIn, readMarketHours, readRegime, readRest, readSpyPercent } from "./read-today-market.ts";

type Answer = Given<typeof insightApi.today>;
type Accounts = [BriefAccount, ...BriefAccount[]];

interface Day {
  facts: TodayFacts;
  timeline: TimelineFacts;
  asOf: Date | null;
}

/**
 * The answer on top of the dashboard, of the accounts that it adds up. It is no text of a model, and there whatever the flag of
 * the insights says. The cost is that of one day's rows, however long the history.
 */
export async function readToday(
  context: Context<"user">,
  { environment: wanted }: Received<typeof insightApi.today>,
): Promise<Answer> {
  const { actor, db } = context;
  const { environment, environments, accounts } = await accountsOfEnvironment(context, wanted);
  const [first, ...others] =
    actor.role === "ADMIN"
      ? []
      : await db.account.findMany({
          where: { id: { in: accounts.map(({ id }) => id) } },
          include: { figures: true },
          orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        });
  const { facts, timeline, asOf } =
    first === undefined || environment === null
      ? await withoutAccount(context)
      : await dayOf(context, environment, [first, ...others]);
  const { headline, did, next, health, action } = todayAnswer(facts);
  return {
    environment,
    environments,
    session: facts.session,
    asOf,
    headline,
    sentences: [did, next],
    health,
    action,
    hasInsight: actor.role === "USER" && (await isFlagOn(context, "ai_insights")),
    timeline: dayTimeline(timeline),
  };
}

const NO_EVENTS: TimelineFacts = { looks: [], trades: [], trips: [], raises: [], rejected: [] };
const NOTHING = {
  session: null,
  hasDecided: false,
  result: null,
  spyPercent: null,
  weekPnl: null,
  trades: [],
  rejected: [],
  trips: [],
  look: null,
  isCalendarMissing: false,
  restsUntil: null,
} as const;

async function withoutAccount(context: Context<"user">): Promise<Day> {
  const { actor, db } = context;
  const isAdmin = actor.role === "ADMIN";
  const first = isAdmin
    ? null
    : await db.decisionRecord.findFirst({ where: { account: { userId: actor.userId } }, select: { id: true } });
  const now = context.now().toISOString();
  const facts: TodayFacts = {
    ...NOTHING,
    hasDecided: first !== null,
    trades: [],
    rejected: [],
    trips: [],
    environment: null,
    accounts: 0,
    market: { now, isOpen: false, opensAt: now, closesAt: now },
    isWorkerBeating: true,
    silentAccounts: 0,
    unreadAccounts: 0,
    preferences: DEFAULT_PREFERENCES,
    policy: await activePolicy(context),
    holds: [],
    haltAdvice: null,
    needsKeys: false,
    unknownOrders: 0,
    parkedOrders: 0,
    regime: null,
    positions: [],
    left: isAdmin ? NOTHING_LEFT : await readLeft(context),
    waiting: [],
  };
  return { facts, timeline: NO_EVENTS, asOf: null };
}

/** Halts that end with other keys, or with access that is granted anew. */
const KEY_HALTS: readonly (string | null)[] = [
  ...Object.values(ACCESS_TEXT).flatMap(({ refused, unopenable }) => [refused, unopenable]),
  OTHER_ACCOUNT,
];

async function dayOf(
  context: Context<"user">,
  environment: BriefScope["environment"],
  accounts: Accounts,
): Promise<Day> {
  const { db } = context;
  const [{ market, userId }] = accounts;
  const latest = await latestMoment(context, accounts);
  const [hours, common] = await Promise.all([
    readMarketHours(context, market, latest?.at ?? null),
    readCommon(context, environment, accounts),
  ]);
  const isQueueActive = !common.holds.some(({ kind }) => kind === "QUEUE_PAUSED");
  const halted = accounts.find(({ haltedAt }) => haltedAt !== null);
  const shared = {
    environment,
    accounts: accounts.length,
    market: hours,
    ...common,
    unreadAccounts: accounts.filter(({ figures }) => figures?.asOf == null).length,
    silentAccounts: accounts.filter((account) => isBrokerSilent(account, context.now(), isQueueActive)).length,
    haltAdvice: halted ? haltAdvice(halted.haltReason) : null,
    needsKeys: KEY_HALTS.includes(halted?.haltReason ?? null) && halted !== undefined,
  };
  if (latest === null) {
    const facts: TodayFacts = { ...NOTHING, trades: [], rejected: [], trips: [], ...shared, regime: null };
    return { facts, timeline: NO_EVENTS, asOf: null };
  }
  const scope: BriefScope = { environment, accounts, session: latest.session };
  const [{ result, asOf }, weekPnl, events, regime] = await Promise.all([
    readResult(context, scope, latest.at),
    readWeekPnl(context, accounts),
    readDayOfEvents(context, scope),
    readRegime(context, market, latest.session),
  ]);
  const last = toldLook(events.looks);
  const look = last === undefined ? null : { id: last.id, at: last.at, line: last.line };
  const refusal = refusalOf({ look });
  const [spyPercent, isCalendarMissing, restsUntil, hasDecided] = await Promise.all([
    result === null || result.isSinceStart ? null : readSpyPercent(context, market, latest.session, asOf),
    refusal === "earnings_blackout" && isCalendarMissingIn(context, market, latest.session),
    look !== null && refusal === "stop_guard" ? readRest(context, look.id, latest.session) : null,
    look !== null ||
      db.decisionRecord.findFirst({
        where: { account: { userId, id: { in: accounts.map(({ id }) => id) } } },
        select: { id: true },
      }),
  ]);
  const facts: TodayFacts = {
    ...shared,
    session: latest.session,
    hasDecided: Boolean(hasDecided),
    result,
    spyPercent,
    weekPnl,
    trades: events.trades,
    rejected: events.rejected.map(({ symbol }) => symbol),
    trips: events.trips,
    look,
    regime,
    isCalendarMissing,
    restsUntil,
  };
  return { facts, timeline: events, asOf: result === null ? null : asOf };
}

/** What there is before the first record, too. */
async function readCommon(context: Context<"user">, environment: BriefScope["environment"], accounts: Accounts) {
  const { db, actor } = context;
  // Holds are not of a session.
  const scope: BriefScope = { environment, accounts, session: "" };
  const [holds, policy, isBeating, preferences, positions, waiting] = await Promise.all([
    readHolds(context, scope),
    activePolicy(context),
    isWorkerBeating(context),
    db.tradingPreferences.findUnique({
      where: { userId: actor.userId },
      select: { strategy: true, riskLevel: true, maxPositions: true, checkInterval: true },
    }),
    heldToday(context, accounts),
    db.order.findMany({
      where: {
        accountId: { in: accounts.map(({ id }) => id) },
        status: { in: [...WORKING_STATUSES] },
        role: { notIn: ["STOP", "TARGET"] },
      },
      select: { symbol: true, side: true },
      orderBy: { submittedAt: "asc" },
    }),
  ]);
  const common = { preferences: preferences ?? DEFAULT_PREFERENCES, positions, left: NOTHING_LEFT, waiting };
  return { ...holds, policy, isWorkerBeating: isBeating, ...common };
}

async function heldToday(context: Context, accounts: Accounts): Promise<TodayPosition[]> {
  const held = await readHeld(context, accounts);
  return positionFacts(held).map((position, index) => ({
    ...position,
    stopPrice: held.positions[index]?.stopPrice == null ? null : text(held.positions[index].stopPrice),
    stopDistancePercent: held.positions[index]?.stopDistancePercent ?? null,
  }));
}
