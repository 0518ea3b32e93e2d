import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment, isOneOf } from "../../core/accounts-of-environment.ts";
import { decisionOutcomes } from "../cycles/decision-outcomes.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";
import { isBrokerSilent } from "../sync/broker-silence.ts";
import { marketOf } from "../../core/market-of.ts";
import { usLimitation } from "../providers/read-readiness.ts";
import {
  HOLDING_USER,
  type HoldsOfAccount,
  type HoldsOfAll,
  holdsOfAccount,
  holdsOfAll,
  type Restriction,
} from "./holds.ts";
import { readScreening } from "./read-screening.ts";
import { SWITCHED_OFF } from "../sync/hold-of-account.ts";

/** Registration writes the defaults within this time of the user's own row. */
const REGISTRATION_MS = 2000;

/** Preferences that registration wrote do not count as chosen; a later save does, even of the same values. */
const isLaterSave = (savedAt: Date | null, registeredAt: Date) =>
  savedAt !== null && savedAt.getTime() - registeredAt.getTime() > REGISTRATION_MS;

interface Switches {
  ofAll: HoldsOfAll;
  isPaperOnly: boolean;
  environment: Environment | null;
  /** Accounts of the environment; what holds those among them that are not paused. */
  held: number;
  active: readonly HoldsOfAccount[];
}

const ACCOUNT_COLUMNS = {
  ...{ haltReason: true, haltedAt: true, killState: true, killReason: true, status: true },
  ...{ reconciledAt: true, sealedKeys: true },
} as const;

/** Health is measured by work done: the worker's beat and the schedule's rows, never a ping. */
export async function readHeartbeat(
  context: Context<"user">,
  { environment: wanted }: Received<typeof automationApi.heartbeat>,
): Promise<Given<typeof automationApi.heartbeat>> {
  const { userId } = context.actor;
  const { accounts: scoped, ...scope } = await accountsOfEnvironment(context, wanted);
  const market = marketOf({ accounts: scoped });
  const ids = scoped.map(({ id }) => id);
  const [screening, isBeating, isEnabled, user, system, accounts, [lastDecision], first] = await Promise.all([
    readScreening(context, market),
    isWorkerBeating(context),
    isFlagOn(context, "automation_enabled"),
    context.db.user.findUniqueOrThrow({
      where: { id: userId },
      select: {
        createdAt: true,
        ...HOLDING_USER,
        tradingPreferences: { select: { updatedAt: true, paperTradingOnly: true } },
      },
    }),
    context.db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    context.db.account.findMany({
      where: { id: { in: ids }, status: "ACTIVE" },
      select: ACCOUNT_COLUMNS,
    }),
    ids.length === 0 ? [] : decisionOutcomes(context.db, isOneOf(scoped), 1),
    context.db.decisionRecord.findFirst({ where: { account: { userId } }, select: { id: true } }),
  ]);
  const { environment } = scope;
  const holds = holdsOf({
    ofAll: holdsOfAll(user, system, isEnabled),
    isPaperOnly: user.tradingPreferences?.paperTradingOnly ?? DEFAULT_PREFERENCES.paperTradingOnly,
    environment,
    held: ids.length,
    active: accounts.map(holdsOfAccount),
  });
  // The schedule runs for all users: for a user without an account it reads nothing.
  const run = ids.length === 0 ? null : screening;
  const silent = accounts.filter((account) => isBrokerSilent(account, context.now(), system.isQueueActive));
  // One silent broker of several holds back its own account alone.
  const isSilent = silent.length > 0 && silent.length === accounts.length;
  // The practice market is broker and clock in one.
  const isMarketSilent = market === "PRACTICE" && isSilent;
  const isIdle = isSilent || accounts.length === 0 || holds.some((hold) => hold.isIdle);
  const status = isBeating ? (isIdle ? "IDLE" : "RUNNING") : "STOPPED";
  // What an administrator holds is not due, and says so itself.
  const isDue = isBeating && run !== null && system.isQueueActive;
  const fault = isDue ? (isSilent ? SILENT : run.fault) : null;
  const partly = isDue && silent.length > 0 ? silentOf(silent.length, accounts.length) : null;
  const lastFollowed = accounts
    .map((account) => account.reconciledAt)
    .reduce<Date | null>((latest, at) => (at && (!latest || at > latest) ? at : latest), null);
  return {
    ...scope,
    orderStatusUpdate: { status, lastRunAt: lastFollowed },
    marketScreening: {
      status: status === "RUNNING" && fault !== null ? "IDLE" : status,
      // The schedule has no row for history that was played at the set-up: the latest decision stands in.
      lastRunAt: run?.lastRunAt ?? lastDecision?.decidedAt ?? null,
      nextRunAt: isBeating && !isMarketSilent ? (run?.nextRunAt ?? null) : null,
    },
    isInitialized: isBeating && run?.hasBegun === true,
    pausedReason: holds[0]?.reason ?? null,
    limitation: fault ?? partly ?? (market === "US" ? await usLimitation(context) : null),
    lastDecision: lastDecision ?? null,
    hasDecided: first !== null,
    hasChosenStrategy: isLaterSave(user.tradingPreferences?.updatedAt ?? null, user.createdAt),
    coalesced: screening.coalesced,
  };
}

const SILENT = "The broker does not answer: nothing new is bought until it does, stops that rest there keep working.";
const silentOf = (silent: number, active: number) =>
  `The broker of ${silent} of ${active} active accounts does not answer: nothing new is bought there until it does, stops that rest there keep working.`;

interface Hold {
  reason: string | null;
  /** Nothing at all is bought, so no run is waited for. */
  isIdle: boolean;
}

const restrictionText = ({ meaning, reason }: Restriction) => `${meaning}${reason === null ? "" : ` ${reason}`}`;

/** What keeps purchases back: the person's own pause, the switches of administrators, then the accounts. */
function holdsOf({ ofAll, active, ...of }: Switches): Hold[] {
  const { pause, system, user, isQueuePaused, isSwitchedOff } = ofAll;
  const halted = active.find(({ halt }) => halt !== null);
  const restriction = active.map((account) => account.restriction).find((one) => one !== null);
  const holds: Hold[] = [
    // First: under the others exits keep working, here they do not.
    { reason: whyNothingTrades(of), isIdle: true },
    { reason: pause && (pause.reason ?? "Paused by you"), isIdle: true },
    { reason: system && (system.reason ?? "Stopped by an administrator"), isIdle: false },
    { reason: isQueuePaused ? "The job queue is paused by an administrator" : null, isIdle: true },
    { reason: isSwitchedOff ? SWITCHED_OFF : null, isIdle: true },
    { reason: halted?.halt?.reason ?? null, isIdle: false },
    { reason: user && `Stopped by an administrator. ${restrictionText(user)}`, isIdle: false },
    { reason: restriction ? restrictionText(restriction) : null, isIdle: false },
    { reason: whyNothingIsBought({ active, ...of }), isIdle: true },
  ];
  return holds.filter(({ reason }) => reason !== null);
}

const accountsText = (environment: Environment, count: number) =>
  `${environment.toLowerCase()} account${count === 1 ? "" : "s"}`;

/** Under Paper Trading Only a LIVE account sends protective orders alone: no exits either. */
function whyNothingTrades({
  isPaperOnly,
  environment,
  held,
}: Pick<Switches, "isPaperOnly" | "environment" | "held">): string | null {
  if (held === 0 || environment !== "LIVE" || !isPaperOnly) return null;
  return `Paper Trading Only is on: nothing is traded in your ${accountsText(environment, held)}.`;
}

function whyNothingIsBought({ environment, held, active }: Pick<Switches, "environment" | "held" | "active">) {
  if (held === 0 || environment === null || active.length > 0) return null;
  const which = accountsText(environment, held);
  return `${held === 1 ? `Your ${which} is` : `Your ${held} ${which} are`} paused: nothing is bought, exits and stops keep working.`;
}
