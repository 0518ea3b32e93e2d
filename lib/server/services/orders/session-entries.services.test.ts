import { beforeEach, describe, expect, it, vi } from "vitest";
import { decide as decidePlan } from "@/lib/domain/engine/decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePullback,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { cents, money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, CONTROL_TOKEN, decide, hastyBroker, truthOf } from "@/lib/proof/fixtures/orders.ts";
import { marketMoment } from "../../core/calendar.ts";
import { unprotected } from "../automation/cancel-entries-and-protect.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { submitPlan } from "./submit-plan.ts";
import { syncOrders } from "../accounts/sync-orders.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench), { marketData });
beforeEach(async () => {
  await reconcileAccount(context, account.id);
});

/** Sessions of the run; a year of them takes minutes. */
const SESSIONS = Number(process.env.STOP_SESSIONS ?? 8);
vi.setConfig({ testTimeout: 120_000 + SESSIONS * 20_000 });
const SYMBOLS_AT_PLAY = 12;
let symbols: string[];

/** The entry that the engine makes of a mean-reversion signal. */
function reversionEntry(): PlannedOrder {
  const example = exampleAccount();
  const preferences = { ...example.preferences, strategy: "MEAN_REVERSION" as const };
  const market = exampleMarket(
    [exampleSymbol("AAA", { features: examplePullback() })],
    [exampleSeat("AAA", { composite: 92 })],
  );
  const [order] = decidePlan({ ...example, preferences }, market, examplePolicy).orders;
  if (order === undefined) throw new Error("the example makes no entry");
  return order;
}

const headers = { "APCA-API-KEY-ID": "TPDATA", "APCA-API-SECRET-KEY": CONTROL_TOKEN };
const ask = async (path: string): Promise<unknown> => (await fetch(`${env().EXCHANGE_URL}${path}`, { headers })).json();

async function readPrices(): Promise<Map<string, string>> {
  const snapshots = (await ask(`/v2/stocks/snapshots?symbols=${symbols.join(",")}`)) as Record<
    string,
    { latestTrade: { p: number } | null } | null
  >;
  return new Map(
    Object.entries(snapshots).flatMap(([symbol, snapshot]) =>
      snapshot?.latestTrade ? [[symbol, String(snapshot.latestTrade.p)] as const] : [],
    ),
  );
}

/** A dip of 0.2 % is bought; the stop lies 4 % below, the target 3 % above. */
async function bid(wanted: string[]): Promise<void> {
  const prices = await readPrices();
  const at = (symbol: string, factor: string) => text(cents(money(prices.get(symbol) ?? "0").times(factor)));
  const orders = wanted.map((symbol, leg) => ({
    ...reversionEntry(),
    leg,
    symbol,
    limitPrice: at(symbol, "0.998"),
    stopLossPrice: at(symbol, "0.96"),
    takeProfitPrice: at(symbol, "1.03"),
  }));
  const { writerEpoch } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
  const decisionId = await decide(context, account, orders);
  const sent = await submitPlan(context, { decisionId, epoch: writerEpoch, regate: allPass });
  expect(sent.filter(({ status }) => status !== "LIVE" && status !== "FILLED")).toEqual([]);
}

async function nextSession(): Promise<string> {
  const { today, calendar } = await marketMoment(context, "PRACTICE");
  const { now } = await hastyBroker(account, 5_000).clock();
  const next = calendar.find(({ session }) => session > (today?.session ?? now.slice(0, 10)));
  return next?.session ?? "";
}

const openEntries = () =>
  truthOf(exchange, account).orders.filter(
    ({ side, status }) => side === "buy" && !["filled", "canceled", "expired", "rejected"].includes(status),
  );

describe("mean reversion", () => {
  it(`has a live stop for every filled entry over every close until its exit, and no entry that waits for another day, in ${SESSIONS} sessions (V1)`, async () => {
    const broker = hastyBroker(account, 5_000);
    const assets = (await ask("/v2/assets?status=active")) as { symbol: string }[];
    symbols = assets.map(({ symbol }) => symbol).slice(0, SYMBOLS_AT_PLAY);
    let [held, ended] = [0, 0];
    for (let session = 0; session < SESSIONS; session += 1) {
      await exchange.control.clock({ jumpTo: await nextSession() });
      await exchange.control.clock({ advanceMinutes: 15 });
      await syncOrders(context, { accountId: account.id });
      const owned = new Set(truthOf(exchange, account).positions.map(({ symbol }) => symbol));
      await bid(symbols.filter((symbol) => !owned.has(symbol)));
      await exchange.control.clock({ advanceMinutes: 366 });
      ended += openEntries().length;
      await syncOrders(context, { accountId: account.id });
      expect(openEntries()).toEqual([]);
      // To the close, and past it.
      await exchange.control.clock({ advanceMinutes: 9 });
      const positions = await broker.positions();
      expect(unprotected(positions, await broker.openOrders())).toEqual([]);
      held += positions.length;
    }
    const filled = truthOf(exchange, account).orders.filter(
      (order) => order.side === "buy" && order.status === "filled",
    ).length;
    console.log(
      `${SESSIONS} sessions: ${filled} entries filled, ${held} positions over a close, ${ended} entries ended before it`,
    );
    expect(held).toBeGreaterThan(0);
    expect(ended).toBeGreaterThan(0);
  });
});
