import { setImmediate } from "node:timers/promises";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import { ENGINE_VERSION, type AccountState, type Plan } from "@/lib/domain/engine/plan.ts";
import type { SessionView } from "@/lib/domain/engine/session-view.ts";
import { cycleText } from "@/lib/domain/insight/cycle-text.ts";
import { ofLatestDecision } from "../../core/latest-decision.ts";
import { recordEvent } from "../../core/record-event.ts";
import { newId, timeOfId } from "../../core/new-id.ts";
import type { Context } from "../../context.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { Prisma, type Tx } from "../../db.ts";
import { inputHashOf, sha256 } from "./market-record.ts";
import { type Sheet, sheetOf, withStoredSheets } from "./verdict-sheets.ts";

export interface Decision {
  cycleId: string;
  account: { id: string; userId: string };
  snapshotId: string;
  state: AccountState;
  /** What was decided on, with what all accounts of the cycle share. */
  session: SessionView;
  plan: Plan;
}

/** Stores the decision, the engine's memory of positions and what it says to people; null when this cycle was decided before. */
export async function recordDecision(context: Context, decision: Decision): Promise<string | null> {
  const sheet = sheetFor(decision);
  const rows = [rowOf(decision, sheet)];
  const write = async (tx: Tx) => {
    // A change of an account's switches and positions locks its row first.
    if (decision.plan.latch !== null) await lockAccount(tx, decision.account.id);
    const [stored] = await store(context, tx, [decision], rows);
    if (stored === undefined) return null;
    await storeDrawdownHalt(context, tx, decision);
    return stored.id;
  };
  return withStoredSheets(context.db, [sheet], () => inTransaction(context, write));
}

/** A decision that was made without being the account's writer. */
export interface QuietDecision extends Decision {
  /** When each of the positions that were looked at was opened, by symbol. */
  openedAt: ReadonlyMap<string, Date>;
}

/** The same for decisions that send nothing, of several accounts of a cycle at once. What was decided before keeps no other from being stored. */
export async function recordQuietDecisions(context: Context, decisions: readonly QuietDecision[]): Promise<void> {
  if (decisions.length === 0) return;
  const rows: Prisma.Sql[] = [];
  const sheets: Sheet[] = [];
  for (const decision of decisions) {
    const sheet = sheetFor(decision);
    sheets.push(sheet);
    rows.push(rowOf(decision, sheet));
    // Some milliseconds each: orders of other accounts are on their way in this process.
    await setImmediate();
  }
  await withStoredSheets(context.db, sheets, () => inTransaction(context, (tx) => store(context, tx, decisions, rows)));
}

const sheetFor = ({ session, state, plan }: Decision) => sheetOf(session, state.preferences, plan);

/**
 * Raw SQL: large states and plans are serialised once, for their hashes and for the row; Prisma would serialise the values of Json
 * columns again. Of a plan's verdicts the row holds what is not on the sheet.
 */
function rowOf(
  { cycleId, account, snapshotId, state, session: { market }, plan }: Decision,
  { id: sheetId, sheet }: Sheet,
): Prisma.Sql {
  const { policyVersion, line } = plan;
  const texts = { state: canonicalJson(state), ...sheet.write(plan) };
  const inputHash = inputHashOf(texts.state, market, { policyVersion, engineVersion: ENGINE_VERSION });
  return Prisma.sql`(${newId(timeOfId(cycleId))}::uuid, ${cycleId}::uuid, ${account.id}::uuid, ${ENGINE_VERSION}, ${policyVersion}, ${snapshotId},
    ${inputHash}, ${texts.state}::jsonb, ${texts.plan}::jsonb, ${texts.verdicts}::jsonb, ${sheetId}, ${sha256(texts.whole)}, ${line},
    ${new Date(market.at)}::timestamptz)`;
}

/**
 * Answers those that were stored: of the others there was a decision. An id has the time of its cycle's, so that all decisions of
 * a cycle lie in one partition, whose unique key lets one of each account in.
 */
async function store(
  { now }: Context,
  tx: Tx,
  decisions: readonly (Decision | QuietDecision)[],
  rows: readonly Prisma.Sql[],
): Promise<{ id: string; accountId: string }[]> {
  const accountIds = decisions.map(({ account }) => account.id);
  const lines = await readLatestLines(tx, accountIds, now());
  const made = await tx.$queryRaw<{ id: string; accountId: string }[]>`
    insert into "DecisionRecord" ("id", "cycleId", "accountId", "engineVersion", "policyVersion", "snapshotId",
      "inputHash", "accountState", "plan", "verdicts", "sheetId", "outputHash", "line", "decidedAt")
    values ${Prisma.join([...rows])}
    on conflict do nothing returning "id", "accountId"`;
  const ids = new Set(made.map(({ accountId }) => accountId));
  const stored = decisions.filter(({ account }) => ids.has(account.id));
  await storeReviews(tx, stored);
  await logUserEvents(tx, cycleLines(stored, lines));
  return made;
}

/** What each account's latest decision said, by account. */
async function readLatestLines(tx: Tx, accountIds: readonly string[], now: Date): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; line: string | null }[]>`
    select w."id", ${ofLatestDecision("line", Prisma.sql`w."id"`, now)} as "line" from unnest(${[...accountIds]}::uuid[]) as w("id")`;
  return new Map(rows.flatMap(({ id, line }) => (line === null ? [] : [[id, line]])));
}

/**
 * The engine's memory of the positions, in one statement. A position that was sold and bought again since it was looked at has a
 * memory of its own.
 */
async function storeReviews(tx: Tx, decisions: readonly (Decision | QuietDecision)[]): Promise<void> {
  const reviews = decisions.flatMap((decision) =>
    decision.plan.reviews.map(({ symbol, review }) => ({
      accountId: decision.account.id,
      symbol,
      review,
      openedAt: "openedAt" in decision ? (decision.openedAt.get(symbol) ?? null) : null,
    })),
  );
  if (reviews.length === 0) return;
  await tx.$executeRaw`
    update "Position" p set "review" = w."review", "updatedAt" = now()
    from jsonb_to_recordset(${JSON.stringify(reviews)}::jsonb)
      as w("accountId" uuid, "symbol" text, "review" jsonb, "openedAt" timestamptz)
    where p."accountId" = w."accountId" and p."symbol" = w."symbol" and p."review" <> w."review"
      and (w."openedAt" is null or p."openedAt" = w."openedAt")`;
}

/** A line without its time of day: every five minutes the same words come again, and are not written again. */
const withoutClock = (line: string) => line.replace(/^\d\d:\d\d: /, "");

/** The log lines of the decisions whose account's latest line says something else. */
function cycleLines(decisions: readonly Decision[], latest: ReadonlyMap<string, string>): UserEvent[] {
  return decisions.flatMap(({ cycleId, account, session: { market }, plan }): UserEvent[] => {
    const previous = latest.get(account.id);
    if (previous !== undefined && withoutClock(previous) === withoutClock(plan.line)) return [];
    const { id: accountId, userId } = account;
    const message = cycleText(plan.line, plan.orders);
    return [{ level: "info", message, userId, accountId, cycleId, marketAt: new Date(market.at) }];
  });
}

/** The hard drawdown line was passed: the account only reduces from now on, until a person resumes it. */
async function storeDrawdownHalt(
  context: Context,
  tx: Tx,
  { cycleId, account, session: { market }, plan }: Decision,
): Promise<void> {
  const { latch } = plan;
  if (latch === null) return;
  const stopped = await tx.account.findUnique({ where: { id: account.id }, select: { killSource: true } });
  const latched = await tx.account.updateMany({
    // A stricter kill state set meanwhile stays.
    where: { id: account.id, killState: { in: ["NONE", "NO_NEW_ENTRIES"] } },
    data: {
      killState: latch.killState,
      killReason: latch.reason,
      killSource: stopped?.killSource === "ADMIN" ? "ADMIN" : "DRAWDOWN",
      killSetAt: context.now(),
    },
  });
  if (latched.count === 0) return;
  const { id: accountId, userId } = account;
  const message = `The account only reduces its positions until a person resumes it: ${latch.reason}`;
  await recordEvent(context, tx, {
    level: "error",
    message,
    userId,
    accountId,
    cycleId,
    marketAt: new Date(market.at),
    alerts: [
      {
        to: { userId },
        key: `latched:${accountId}:${cycleId}`,
        subject: "Your account only reduces its positions",
        isUrgent: true,
      },
    ],
    audit: { eventType: "ACCOUNT_LATCHED", data: { accountId, killState: latch.killState, reason: latch.reason } },
  });
}
