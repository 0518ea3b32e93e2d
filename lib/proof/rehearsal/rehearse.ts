/**
 * Sessions of the US market with the real worker: an exchange stands in for Alpaca's trading, data and stream hosts and for the
 * vendors, market time is the wall clock's, and three people trade: two with Alpaca keys, one of them with real money, and one whose
 * account was connected by consent. After every look the product's books are held against the exchange's.
 */
import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { addDays, MINUTE_MS, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { bareAtExchange } from "@/lib/proof/bare-at-exchange.ts";
import { compareAccount } from "@/lib/proof/practice/compare-truth.ts";
import type { Context } from "@/lib/server/context.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { db } from "@/lib/server/db.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { loadBars } from "@/lib/server/services/cycles/load-bars.ts";
import { tradableAssets } from "@/lib/server/services/cycles/market-bars.ts";
import { scheduleKey } from "@/lib/server/services/schedule/schedule-keys.ts";
import { refreshCompanies } from "@/lib/server/services/providers/refresh-companies.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { offsetTo, restoreClock, setClockOffset } from "./moved-clock.ts";
import { type RehearsalWorker, startRehearsalWorker } from "./rehearsal-worker.ts";
import { openAlpacaAccount, openStandIn } from "./stand-in.ts";

const WAIT_MS = 60_000;
const POLL_MS = 200;
/** The first look comes after the policy's minutes of opening. */
const FIRST_LOOK_MINUTES = 7;
/** The statement waits some minutes after the close. */
const AFTER_CLOSE_MINUTES = 7;
const SKEW_MS = 6_000;
/** The check interval of the preferences' defaults. */
const CHECK_MINUTES = 5;

export interface RehearsalOptions {
  /** The first session, or the first after it. */
  from: SessionDate;
  sessions: number;
  /** Market minutes between looks. */
  everyMinutes: number;
}

export interface RehearsalReport {
  sessions: SessionDate[];
  looks: number;
  bought: number;
  sold: number;
  tripsClosed: number;
  statements: number;
  /** What the books and the exchange disagree about, shares without a stop, and promises that did not hold. */
  findings: string[];
}

interface Rehearsal {
  context: Context;
  exchange: Exchange;
  worker: RehearsalWorker;
  accounts: string[];
  report: RehearsalReport;
  say: (message: string) => void;
}

/** Needs an empty, migrated database in DATABASE_URL. */
export async function rehearse(options: RehearsalOptions, say: (message: string) => void): Promise<RehearsalReport> {
  const sessions = sessionsFrom(options.from, options.sessions);
  const opensAt = Date.parse(sessionHours(sessions[0]!)!.opensAt);
  setClockOffset(offsetTo(opensAt - 10 * MINUTE_MS));
  const exchange = await openStandIn();
  try {
    const context = systemContext("rehearsal");
    await activePolicy(context);
    const accounts = await openAccounts(context, exchange);
    await refreshCompanies(context, { requestEveryMs: 0 });
    await loadHistory(context);
    const worker = await startRehearsalWorker(offsetTo(Date.now()));
    const report = { sessions, looks: 0, bought: 0, sold: 0, tripsClosed: 0, statements: 0, findings: [] };
    const rehearsal: Rehearsal = { context, exchange, worker, accounts, report, say };
    try {
      await until("the schedule of the market", async () => {
        return (await db().schedule.count({ where: { key: scheduleKey("screening", "US") } })) > 0;
      });
      for (const [nth, session] of sessions.entries()) await playSession(rehearsal, session, nth, options);
      return { ...report, ...(await totals()) };
    } catch (error) {
      say(rehearsal.worker.tail().join("\n"));
      throw error;
    } finally {
      await rehearsal.worker.stop();
    }
  } finally {
    await exchange.close();
    restoreClock();
  }
}

function sessionsFrom(from: SessionDate, count: number): SessionDate[] {
  const sessions: SessionDate[] = [];
  for (let date = from; sessions.length < count; date = addDays(date, 1))
    if (sessionHours(date) !== null) sessions.push(date);
  return sessions;
}

async function openAccounts(context: Context, exchange: Exchange): Promise<string[]> {
  const ids: string[] = [];
  for (const person of [
    { environment: "PAPER" },
    { environment: "LIVE" },
    { environment: "PAPER", access: "OAUTH" },
  ] as const)
    ids.push((await openAlpacaAccount(context, exchange, { ...person, preferences: PREFERENCES })).accountId);
  return ids;
}

/** As after the first hour of an installation: the worker adds a session at a time. */
async function loadHistory(context: Context): Promise<void> {
  const data = context.marketData("US");
  const { date } = newYork((await data.clock()).now);
  const sessions = await data.calendar(addDays(date, -10), addDays(date, -1));
  const symbols = (await tradableAssets(context, "US")).map(({ symbol }) => symbol);
  await loadBars(context, { market: "US", symbols, through: sessions.at(-1)?.session ?? "" });
}

/** Room for several positions, and a target so near that some are sold the same day. */
const PREFERENCES = {
  maxPositions: 10,
  maxPositionValue: 8_000,
  defaultOrderSize: 6_000,
  profitTarget: 1,
  stopLoss: 3,
};

async function playSession(
  rehearsal: Rehearsal,
  session: SessionDate,
  nth: number,
  { everyMinutes }: RehearsalOptions,
): Promise<void> {
  const { opensAt, closesAt } = sessionHours(session)!;
  const end = Date.parse(closesAt) - MINUTE_MS;
  const looks: number[] = [];
  for (let at = Date.parse(opensAt) + FIRST_LOOK_MINUTES * MINUTE_MS; at < end; at += everyMinutes * MINUTE_MS)
    looks.push(at);
  for (const [place, at] of looks.entries()) {
    await look(rehearsal, at);
    if (nth === 0 && place === 0) await loseTheStream(rehearsal);
    if (nth === 0 && place === 1) {
      await cutThePower(rehearsal);
      await setTheClockWrong(rehearsal, at + CHECK_MINUTES * MINUTE_MS);
    }
  }
  moveTo(rehearsal, Date.parse(closesAt) + AFTER_CLOSE_MINUTES * MINUTE_MS);
  await until("the statements of the session", async () => {
    const written = await db().reconciliation.count({ where: { session: dateOf(session) } });
    return written === rehearsal.accounts.length;
  });
  await compareBooks(rehearsal, `after ${session}`);
  const { bought, sold, tripsClosed } = await totals();
  rehearsal.say(
    `${session}: ${looks.length} looks; so far ${bought} bought, ${sold} sold, ${tripsClosed} trips closed`,
  );
}

/** Both processes at once: the exchange lives in this one. */
function moveTo({ worker }: Rehearsal, at: number, skewMs = 0): void {
  const offset = offsetTo(at);
  worker.whileStill(() => {
    setClockOffset(offset);
    worker.setOffset(offset + skewMs);
  });
}

const completed = (worker: RehearsalWorker, job: string) =>
  worker.linesOf("job.completed").filter((line) => line.includes(`"job":"${job}"`)).length;

/** Decisions that are done, their orders sent: those of pages, and those that accounts made in their own turn. */
function decisionsDone(worker: RehearsalWorker): number {
  const ofPages = worker.linesOf("account-page.completed").map((line) => Number(/"count":(\d+)/.exec(line)?.[1] ?? 0));
  return ofPages.reduce((all, count) => all + count, completed(worker, "account-cycle"));
}

/** Every account decides, and all its orders are sent. */
async function decideAt(rehearsal: Rehearsal, at: number): Promise<void> {
  const { accounts, worker } = rehearsal;
  const before = decisionsDone(worker);
  moveTo(rehearsal, at);
  await until("a decision of every account", () => Promise.resolve(decisionsDone(worker) >= before + accounts.length));
}

/** A look of the engine at the market; then the books come to rest. */
async function look(rehearsal: Rehearsal, at: number): Promise<void> {
  await decideAt(rehearsal, at);
  rehearsal.report.looks += 1;
  // Balances are read every half minute.
  moveTo(rehearsal, at + MINUTE_MS);
  await compareBooks(rehearsal, new Date(at).toISOString());
}

/** Asks until books and exchange agree and every share has its stop; what is left then is a finding. */
async function compareBooks({ context, exchange, accounts, report }: Rehearsal, when: string): Promise<void> {
  let differences: string[] = [];
  const agree = async () => {
    differences = [];
    for (const id of accounts) {
      const { brokerAccountId } = await db().account.findUniqueOrThrow({ where: { id } });
      const theirs = exchange.control.truth().find((account) => account.id === brokerAccountId);
      const found = await compareAccount(context, id, theirs);
      const bare = theirs === undefined ? [] : bareAtExchange(theirs);
      differences.push(
        ...found.differences,
        ...(found.isQuiet ? [] : ["an order is still on its way"]),
        ...bare.map(({ symbol, qty }) => `${qty.toFixed()} ${symbol} without a stop`),
      );
    }
    return differences.length === 0;
  };
  if (!(await within(WAIT_MS, agree))) report.findings.push(...differences.map((found) => `${when}: ${found}`));
}

async function loseTheStream({ exchange, worker, accounts, say }: Rehearsal): Promise<void> {
  const ready = () => worker.linesOf("trade-updates.changed").filter((line) => line.includes('"authenticated"')).length;
  const before = ready();
  exchange.control.addFault({ kind: "cut_stream" });
  await until("the streams to be back", () => Promise.resolve(ready() >= before + accounts.length));
  say("  the streams were cut, and are back");
}

/** Six seconds beside the market nothing is decided, though a check is due, and one line says why. */
async function setTheClockWrong(rehearsal: Rehearsal, at: number): Promise<void> {
  const { worker, report, say } = rehearsal;
  const said = () => worker.linesOf("market-clock.read-failed").filter((line) => line.includes("clock differs")).length;
  const decided = () => db().decisionRecord.count();
  const [linesBefore, decidedBefore] = [said(), await decided()];
  moveTo(rehearsal, at, SKEW_MS);
  await until("a line about the wrong clock", () => Promise.resolve(said() > linesBefore));
  const roundsBefore = completed(worker, "mail");
  await until("more rounds of the schedule", () => Promise.resolve(completed(worker, "mail") >= roundsBefore + 2));
  if ((await decided()) > decidedBefore) report.findings.push("something was decided by a wrong clock");
  if (said() > linesBefore + 1) report.findings.push("a wrong clock is logged more than once a minute");
  await decideAt(rehearsal, at);
  say("  a clock 6 s off trades nothing, and says so");
}

async function cutThePower(rehearsal: Rehearsal): Promise<void> {
  await rehearsal.worker.kill();
  rehearsal.worker = await startRehearsalWorker(offsetTo(Date.now()));
  await compareBooks(rehearsal, "after the worker was killed");
  rehearsal.say("  the worker was killed, and continues");
}

async function totals() {
  const [bought, sold, tripsClosed, statements] = await Promise.all([
    db().fill.count({ where: { side: "BUY" } }),
    db().fill.count({ where: { side: "SELL" } }),
    db().roundTrip.count({ where: { closedAt: { not: null } } }),
    db().reconciliation.count({ where: { isClean: true } }),
  ]);
  return { bought, sold, tripsClosed, statements };
}

/** True once the check holds within the time, by the machine's own clock. */
async function within(ms: number, check: () => Promise<boolean>): Promise<boolean> {
  const endsAt = performance.now() + ms;
  for (;;) {
    if (await check()) return true;
    if (performance.now() >= endsAt) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  if (!(await within(WAIT_MS, check))) throw new Error(`waited ${WAIT_MS / 1000} s for ${what}`);
}
