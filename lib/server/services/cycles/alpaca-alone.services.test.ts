/** The US market whose vendors all have keys here, and of which none but Alpaca answers. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { MINUTE_MS, type SessionDate } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { ROOMY } from "@/lib/proof/fixtures/cycles.ts";
import { offsetTo, restoreClock, setClockOffset } from "@/lib/proof/rehearsal/moved-clock.ts";
import { openAlpacaAccount, openStandIn } from "@/lib/proof/rehearsal/stand-in.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { WITH_SHEET, wholePlanOf } from "../../core/json.ts";
import { db } from "../../db.ts";
import { env, forgetEnv } from "../../env.ts";
import { finnhub } from "../../providers/finnhub.ts";
import type { MarketData } from "../../providers/market-data.ts";
import { unitedStates } from "../../providers/market-data-registry.ts";
import { systemContext } from "../../system-context.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { readReadiness } from "../providers/read-readiness.ts";
import { loadHistory } from "./load-history.ts";
import { readMarketView } from "./market-record.ts";
import { runAccountCycle } from "./run-account-cycle.ts";
import { screenForCycle } from "./run-screening.ts";

/** With every source; then without any, refused in three ways. */
const WITH_ALL = "2026-11-24";
const REFUSALS = [
  { session: "2026-11-25", how: "refused keys", fault: { kind: "status", status: 401 } },
  { session: "2026-11-30", how: "errors of their servers", fault: { kind: "status", status: 503 } },
  { session: "2026-12-01", how: "no answer at all", fault: { kind: "hang", ms: 400 } },
] as const;
/** The first minutes of a session are waited for. */
const AFTER_OPEN_MS = 10 * MINUTE_MS;

const WITHIN = { timeout: 30_000 };

let exchange: Exchange;
let context: Context;
let accountId: string;
let earnings: MarketData["earnings"];
let data: MarketData;
/** A process that has heard nothing of any vendor yet: one that runs on holds the list of sectors that it read last. */
const startProcess = () => (data = { ...unitedStates(env()), earnings });

const goTo = (session: SessionDate) =>
  setClockOffset(offsetTo(Date.parse(sessionHours(session)!.opensAt) + AFTER_OPEN_MS));

beforeAll(async () => {
  goTo(WITH_ALL);
  exchange = await openStandIn();
  const vendors = `${exchange.url}/vendors`;
  Object.assign(process.env, {
    FINNHUB_URL: `${vendors}/finnhub`,
    FINNHUB_TOKEN: "practice",
    FMP_URL: `${vendors}/fmp`,
    FMP_API_KEY: "practice",
    ALPHA_VANTAGE_URL: `${vendors}/alphavantage`,
    ALPHA_VANTAGE_KEY: "practice",
    ALPHA_VANTAGE_CLOSES: "25",
  });
  forgetEnv();
  // A market of a hundred companies has fewer reports than a real one, whose calendar would be refused as a sample.
  const url = `${vendors}/finnhub`;
  ({ earnings } = finnhub({ url, token: "practice", countedAs: "Practice market" }));
  startProcess();
  context = { ...systemContext("test"), marketData: () => data };
  await activePolicy(context);
  await loadHistory(context, { turnMs: Infinity });
  ({ accountId } = await openAlpacaAccount(context, exchange, { environment: "PAPER", preferences: ROOMY }));
}, 120_000);
afterAll(async () => {
  await exchange.close();
  restoreClock();
});

afterEach(() => exchange.control.clearFaults());

/** The market is screened, and the account decides. */
async function look() {
  await syncOrders(context, { accountId });
  const cycle = await screenForCycle(context, { market: "US" });
  expect(cycle?.accountIds).toEqual([accountId]);
  await runAccountCycle(context, { cycleId: cycle!.cycleId, accountId });
  const { snapshotId } = await db().cycle.findUniqueOrThrow({ where: { id: cycle!.cycleId } });
  const view = await readMarketView({ db: db() }, snapshotId ?? "");
  const plan = wholePlanOf(
    await db().decisionRecord.findFirstOrThrow({ where: { cycleId: cycle!.cycleId, accountId }, include: WITH_SHEET }),
  );
  return { view, plan, entries: plan.orders.filter(({ purpose }) => purpose === "ENTRY") };
}
const needs = async () => {
  const rows = (await readReadiness(context)).needs;
  return Object.fromEntries(rows.map(({ need, state, cost }) => [need, [state, cost]]));
};
const READY = ["ready", null];

it("with every source all is ready, and it buys", async () => {
  const { entries, view } = await look();
  expect(entries.length).toBeGreaterThan(0);
  expect(view.seats.length).toBeGreaterThan(POLICY_2_9_0.selector_top50.max_sector_seats);
  expect(await needs()).toEqual({
    "Market data": READY,
    "Price history": READY,
    "Earnings dates": READY,
    Sectors: READY,
    "Volatility index": READY,
    "Agreeing sources": READY,
  });
}, 180_000);

it.each(REFUSALS)(
  "with $how of every vendor but Alpaca the session's book and decisions are made, nothing is bought, and each missing source says what it costs",
  async ({ session, fault }) => {
    goTo(session);
    // The stand-in's clock follows at its next turn.
    await expect.poll(async () => (await context.marketData("US").clock()).now, WITHIN).toMatch(session);
    // A VIX that is known from sessions before is used for as long as it is not too old: here nothing was ever read.
    await db().regimeReading.deleteMany();
    exchange.control.addFault({ ...fault, path: "/vendors", count: 0 });
    startProcess();
    const { entries, view, plan } = await look();
    expect(entries).toEqual([]);
    expect(plan.candidates.length).toBeGreaterThan(0);
    const { max_sector_seats, seats } = POLICY_2_9_0.selector_top50;
    expect(view.seats.length).toBeGreaterThan(0);
    expect(view.seats.length).toBeLessThanOrEqual(max_sector_seats);
    expect(view.regime.vix).toBeNull();
    expect(view.regime.label).not.toBe("risk_on");
    expect(await needs()).toEqual({
      "Market data": READY,
      "Price history": READY,
      "Earnings dates": [
        "missing",
        "No position is opened until it answers; it is asked at the opening of each session.",
      ],
      Sectors: [
        "reduced",
        `At most ${max_sector_seats} of ${seats} seats are taken: without sectors all companies share one limit.`,
      ],
      "Volatility index": [
        "reduced",
        "The market never counts as calm and rising: entries keep at most the limits of a mixed market.",
      ],
      "Agreeing sources": ["reduced", "Prices are Alpaca's alone, and compared with no other source."],
    });
  },
  180_000,
);
