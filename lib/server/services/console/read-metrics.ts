import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { systemStatus } from "@/lib/domain/console.ts";
import { money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { readQueueDepth } from "../../jobs/kept-jobs.ts";
import { sessionOf } from "../../rows.ts";
import { accountsOfEnvironment, type Scope } from "../../core/accounts-of-environment.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import { marketOf } from "../../core/market-of.ts";
import { PEOPLE } from "../../core/people.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { countStates, readProviderStates } from "../providers/provider-states.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";
import { silentAt } from "../sync/broker-silence.ts";
import { readUserHealth } from "./read-user-health.ts";

type Metrics = Given<typeof consoleApi.metrics>;

/** Jobs of the queue by their state; null while it does not answer. */
type ReadDepth = () => Promise<{ pending: number; processing: number; completed: number; failed: number } | null>;

/** The state of the system and, of one environment, the kept figures of its active accounts: nothing historical is added up. */
export async function readMetrics(
  context: Context<"admin">,
  { environment: wanted, cursor, limit }: Received<typeof consoleApi.metrics>,
  readDepth: ReadDepth = readQueueDepth,
): Promise<Metrics> {
  const { db } = context;
  const scope = await accountsOfEnvironment(context, wanted, { isOfAll: true });
  const system = await db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  const [status, users, sums, health, page, depth, last, providers, regimeSignals] = await Promise.all([
    readStatus(context, system),
    countUsers(context),
    sumFigures(context, scope),
    countHealth(context, scope),
    readUserHealth(context, { cursor, limit }),
    readDepth(),
    db.auditEvent.findFirst({ orderBy: { seq: "desc" }, select: { seq: true } }),
    readProviderStates(context),
    readRegime(context, scope),
  ]);
  return {
    environment: scope.environment,
    environments: scope.environments,
    systemStatus: status.status,
    systemStatusReason: status.reason,
    ...users,
    portfolioValue: sums.totalValue,
    portfolioSummary: sums,
    accountHealth: health,
    ...page,
    queueStatus: depth && {
      active: system.isQueueActive,
      pendingJobs: depth.pending,
      processingJobs: depth.processing,
      completedJobs: depth.completed,
      failedJobs: depth.failed,
      totalJobs: depth.pending + depth.processing + depth.completed + depth.failed,
    },
    // The chain has no gaps: its last number is its length.
    auditLogsCount: Number(last?.seq ?? 0n),
    apiMetrics: countStates(providers),
    providers,
    regimeSignals,
  };
}

interface SystemRow {
  isQueueActive: boolean;
  killState: keyof typeof KILL_STATE_TEXT;
  killReason: string | null;
}

async function readStatus(context: Context, { isQueueActive, killState, killReason }: SystemRow) {
  const [isWorker, isAutomationOn, check, silentAccounts] = await Promise.all([
    isWorkerBeating(context),
    isFlagOn(context, "automation_enabled"),
    context.db.invariantCheck.findUnique({ where: { scope: "system" }, select: { isWhole: true } }),
    context.db.account.count({ where: { ...silentAt(context.now()), deletedAt: null, status: { not: "INACTIVE" } } }),
  ]);
  const killText =
    killState === "NONE" ? null : `${KILL_STATE_TEXT[killState]}${killReason === null ? "" : ` Reason: ${killReason}`}`;
  return systemStatus({
    isWorkerBeating: isWorker,
    isQueueActive,
    killText,
    isAutomationOn,
    isWhole: check?.isWhole ?? true,
    silentAccounts,
  });
}

async function countUsers({ db }: Context): Promise<Pick<Metrics, "totalUsers" | "usersWithAlpacaKeys">> {
  const [totalUsers, usersWithAlpacaKeys] = await Promise.all([
    db.user.count({ where: PEOPLE }),
    db.user.count({
      where: { ...PEOPLE, accounts: { some: { broker: "ALPACA", deletedAt: null, sealedKeys: { not: null } } } },
    }),
  ]);
  return { totalUsers, usersWithAlpacaKeys };
}

const idsOf = ({ accounts }: Scope) => accounts.map(({ id }) => id);

interface Sums {
  read: number;
  equity: string;
  netDeposits: string;
  cash: string;
  buyingPower: string;
  asOf: Date | null;
}

/** An account that was never read at its broker adds nothing rather than a guess. */
async function sumFigures({ db }: Context, scope: Scope): Promise<Metrics["portfolioSummary"]> {
  const [row] = await db.$queryRaw<[Sums]>`
    select count(*)::int as "read", coalesce(sum("equity"), 0)::text as "equity",
      coalesce(sum("netDeposits"), 0)::text as "netDeposits", coalesce(sum("cash"), 0)::text as "cash",
      coalesce(sum("buyingPower"), 0)::text as "buyingPower", min("asOf") as "asOf"
    from "AccountFigures" where "accountId" = any(${idsOf(scope)}::uuid[]) and "asOf" is not null`;
  const totalValue = money(row.equity);
  return {
    totalValue,
    pnlTotal: totalValue.minus(money(row.netDeposits)),
    cash: money(row.cash),
    buyingPower: money(row.buyingPower),
    accountsInSums: row.read,
    accountsUnread: scope.accounts.length - row.read,
    asOf: row.asOf,
  };
}

/** Each account counts once, under the most severe state that holds for it or for its owner. */
async function countHealth({ db }: Context, scope: Scope): Promise<Metrics["accountHealth"]> {
  const [row] = await db.$queryRaw<[Metrics["accountHealth"]]>`
    select count(*) filter (where "isHalted")::int as "halted",
      count(*) filter (where not "isHalted" and "isStopped")::int as "stopped",
      count(*) filter (where not "isHalted" and not "isStopped"
        and ("status" = 'PAUSED' or "status" = 'ACTIVE' and "isPaused"))::int as "paused",
      count(*) filter (where not "isHalted" and not "isStopped" and "status" = 'ACTIVE' and not "isPaused")::int as "active"
    from (
      select a."status", a."haltedAt" is not null as "isHalted", u."automationPausedAt" is not null as "isPaused",
        (a."killState" <> 'NONE' or u."killState" <> 'NONE' or u."disabledAt" is not null) as "isStopped"
      from "Account" a join "User" u on u."id" = a."userId" where a."id" = any(${idsOf(scope)}::uuid[])
    ) each`;
  return row;
}

async function readRegime({ db }: Context, scope: Scope): Promise<Metrics["regimeSignals"]> {
  const market = marketOf(scope);
  const reading = await db.regimeReading.findFirst({ where: { market }, orderBy: { sessionDate: "desc" } });
  return (
    reading && {
      regime_label: reading.label,
      market,
      sessionDate: sessionOf(reading.sessionDate),
      vix: reading.vix,
      votes: reading.votes,
    }
  );
}
