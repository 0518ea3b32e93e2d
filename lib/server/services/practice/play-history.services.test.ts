import { expect, it } from "vitest";
import { startExchange } from "@/lib/exchange/start.ts";
import { EXIT_REASONS } from "@/lib/domain/engine/reasons.ts";
import { smallTape } from "@/lib/proof/market/test-exchange.ts";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { systemContext } from "../../system-context.ts";
import { comparePractice } from "@/lib/proof/practice/compare-truth.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { openDemoAccount } from "./open-demo-account.ts";
import { playHistory } from "./play-history.ts";

/** The first purchases of these days are sold after seven. Twelve: npm run prove -- sessions. */
const SESSIONS = Number(process.env.LEAD_SESSIONS ?? 9);

it("the engine trades past sessions by itself: round trips close, every sale has its reason, the books agree with the exchange", async () => {
  const exchange = await startExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    leadSessions: SESSIONS,
    // Into the decline of the fixture market, where stops are hit and the regime turns.
    generate: smallTape,
    start: "2020-03-09",
    // Its limits would let an account make two requests a second.
    speed: 1,
  });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  try {
    const context = systemContext("test");
    const user = await makeUser(db());
    await openDemoAccount(context, user.id);
    await openDemoAccount(context, user.id);
    expect(await db().account.count()).toBe(1);
    const speeds: number[] = [];
    await playHistory(context, () => speeds.push(exchange.control.status().speed));
    expect(speeds).toEqual(Array.from({ length: SESSIONS + 1 }, () => 60));
    expect(exchange.control.status().speed).toBe(1);
    expect(exchange.control.status().leadUntil).toBeNull();
    expect(exchange.control.status().isPaused).toBe(false);
    await exchange.control.clock({ paused: true });

    const account = await db().account.findFirstOrThrow();
    expect(account.haltReason).toBeNull();
    const closed = await db().roundTrip.findMany({ where: { closedAt: { not: null } } });
    expect(closed.length).toBeGreaterThan(0);
    for (const trip of closed) expect(EXIT_REASONS).toContain(trip.exitReason);
    const sales = await db().order.findMany({ where: { side: "SELL", filledQty: { gt: 0 } } });
    expect(sales.length).toBeGreaterThan(0);
    for (const sale of sales) expect(EXIT_REASONS).toContain(sale.reason);
    expect(await db().equityPoint.count({ where: { isClose: true } })).toBeGreaterThanOrEqual(SESSIONS - 1);
    const report = await comparePractice(context, (accountId) => syncOrders(context, { accountId }));
    expect(report.accounts.flatMap((row) => row.undecided ?? row.differences)).toEqual([]);
  } finally {
    await exchange.close();
  }
}, 240_000);
