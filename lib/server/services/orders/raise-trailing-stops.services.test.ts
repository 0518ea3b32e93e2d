import { beforeEach, describe, expect, it } from "vitest";
import { decide as decidePlan } from "@/lib/domain/engine/decide.ts";
import { exampleFeatures, exampleMarket, examplePolicy, exampleSymbol } from "@/lib/proof/example-market.ts";
import type { AccountState, MarketView, Plan, PositionReview } from "@/lib/domain/engine/plan.ts";
import { money, text, type Money } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { loadAccountState } from "../cycles/load-account-state.ts";
import { readRowBreaches } from "../invariants/read-breaches.ts";
import { listPositions } from "../portfolio/list-positions.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  failedGate,
  hastyBroker,
  truthOf,
  withBroker,
  uncoveredOf,
} from "@/lib/proof/fixtures/orders.ts";
import { readStopsAtRest } from "./stops-at-rest.ts";
import { raiseTrailingStops, wouldRaiseStops } from "./raise-trailing-stops.ts";
import { protectedQuantity } from "./protected-quantity.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import type { SubmitOptions } from "./submit-leg.ts";
import { syncOrders } from "../accounts/sync-orders.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await buyBracket(exchange, context, account);
});

const ATR = 2;
const trail = ATR * examplePolicy.exits.momentum_trail_atr;
const options: SubmitOptions = { epoch: 0, regate: allPass };
const stops = () =>
  truthOf(exchange, account).orders.filter(({ type, status }) => type === "stop" && ["new", "held"].includes(status));
const position = () =>
  context.db.position.findUniqueOrThrow({ where: { accountId_symbol: { accountId: account.id, symbol: "SPY" } } });
const covered = async () => (await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed() ?? "0";
async function restingPrice(): Promise<string | null> {
  const [stop] = await context.db.order.findMany({
    where: { accountId: account.id, role: "STOP", status: { in: ["NEW", "HELD", "ACCEPTED", "PENDING_NEW"] } },
  });
  return stop?.stopPrice ? text(stop.stopPrice.toString()) : null;
}

/** The stop and the target that the account's owner is shown. */
async function shown() {
  const actor = { kind: "user" as const, userId: account.userId, role: "USER" as const, signInId: "test" };
  const [held] = await listPositions({ ...context, actor }, {});
  const priceOf = (price: string | Money | null | undefined) => (price == null ? null : text(price));
  return { stop: priceOf(held?.stopPrice), target: priceOf(held?.targetPrice) };
}

/** The cycle as it stands when the highest close so far puts the trailing level at `level`. */
async function cycle(level: string): Promise<{ state: AccountState; market: MarketView; plan: Plan }> {
  const balances = await hastyBroker(account, 5_000).account();
  const last = text((await position()).currentPrice?.toString() ?? "");
  const market = exampleMarket(
    [
      exampleSymbol("SPY", {
        features: exampleFeatures({ close: Number(last), atr14: ATR }),
        quote: { last, bid: last, ask: last, at: exampleMarket([], []).at },
      }),
    ],
    [],
  );
  const highestClose = text(money(level).plus(trail));
  const review: PositionReview = {
    highestClose,
    entryAtr: ATR,
    weakReviews: 0,
    belowTrend: 0,
    reviewedSession: market.barsThrough,
  };
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { review: { ...review } } });
  const state = await loadAccountState(context, account.id, balances, { at: market.at, policy: examplePolicy });
  const plan = { ...decidePlan(state, market, examplePolicy), reviews: [{ symbol: "SPY", review }] };
  return { state, market, plan };
}

/** At a broker that replaces no order: the pair is cancelled and placed anew. */
const withoutReplace = () =>
  withBroker(context, {
    ...hastyBroker(account, 5_000),
    replace: () => Promise.resolve({ kind: "rejected" as const, code: "42210000", message: "cannot replace order" }),
  });

async function move(level: string, changes: Partial<SubmitOptions> = {}, on = context) {
  const { state, market, plan } = await cycle(level);
  const decisionId = await decide(context, account, []);
  return raiseTrailingStops(
    on,
    { account, decisionId, state, market, plan, policy: examplePolicy },
    { ...options, ...changes },
  );
}
const share = async (part: string) =>
  money(await restingPrice().then((resting) => resting ?? "0"))
    .times(part)
    .toDecimalPlaces(2)
    .toFixed();

describe("the stop that rests at the broker", () => {
  it("is known to rise before it is raised, by one reading of all that rest: where it stays, nothing is to be done", async () => {
    const isToRise = async (level: string) => {
      const look = { ...(await cycle(level)), policy: examplePolicy };
      const atRest = await readStopsAtRest(context, [account.id]);
      return wouldRaiseStops(look, (symbol) => atRest(account.id, symbol));
    };
    const [higher, lower] = [await share("1.05"), await share("0.95")];
    expect(await isToRise(lower)).toBe(false);
    expect(await move(lower)).toEqual([]);
    expect(await isToRise(higher)).toBe(true);
    expect(await move(higher)).toMatchObject([{ symbol: "SPY", status: "LIVE" }]);
    await reconcileAccount(context, account.id);
    expect(await isToRise(higher)).toBe(false);
  });

  it("follows the trailing level up in place: at every moment one stop covers every share, and its hit is a trailing stop", async () => {
    const raised = await share("1.05");
    expect(await move(raised)).toMatchObject([{ symbol: "SPY", status: "LIVE" }]);
    await reconcileAccount(context, account.id);
    expect(await restingPrice()).toBe(text(raised));
    expect(await covered()).toBe("10");
    expect(stops()).toHaveLength(1);
    expect(text((await position()).stopPrice?.toString() ?? "")).toBe(text(raised));
    expect((await shown()).stop).toBe(text(raised));
    const resting = { accountId: account.id, role: "STOP" as const, stopPrice: raised };
    expect(await context.db.order.findMany({ where: resting })).toMatchObject([
      { origin: "OURS", reason: "trailing_stop" },
    ]);
    // The target stays, no order was cancelled, nothing was owed.
    const ended = truthOf(exchange, account).orders.filter(({ status }) => !["new", "filled"].includes(status));
    expect(ended).toMatchObject([{ type: "stop", status: "replaced" }]);
    expect(await context.db.owedStop.count({ where: { accountId: account.id } })).toBe(0);
    const audits = await context.db.auditEvent.findMany({
      where: { eventType: { startsWith: "STOP_RAISE" }, data: { path: ["accountId"], equals: account.id } },
      orderBy: { seq: "asc" },
    });
    expect(audits.map(({ eventType }) => eventType)).toEqual(["STOP_RAISE_SENT", "STOP_RAISED"]);
  });

  it.each(["drop_before_accept", "drop_after_accept"] as const)(
    "is where the order says when the answer to the raise is lost (%s)",
    async (kind) => {
      const before = await restingPrice();
      const raised = await share("1.05");
      exchange.control.addFault({ kind, method: "PATCH", path: "/v2/orders" });
      await move(raised);
      expect(await restingPrice()).toBe(kind === "drop_after_accept" ? text(raised) : before);
      expect(await covered()).toBe("10");
      await reconcileAccount(context, account.id);
      expect(await covered()).toBe("10");
      expect(stops()).toHaveLength(1);
      expect((await readRowBreaches(context, account.id)).filter(({ invariant }) => invariant !== "I24")).toEqual([]);
    },
  );

  it("is cancelled and placed anew where the broker does not replace it", async () => {
    const raised = await share("1.05");
    expect(await move(raised, {}, withoutReplace())).toMatchObject([{ status: "LIVE" }]);
    await reconcileAccount(context, account.id);
    expect(await restingPrice()).toBe(text(raised));
    expect(await covered()).toBe("10");
    expect(stops()).toHaveLength(1);
  });

  it("is moved again and again, always upwards, with one pair at a time", async () => {
    const prices: string[] = [];
    for (const part of ["1.02", "1.01", "0.9", "1.003", "1.03"]) {
      await move(await share(part));
      await reconcileAccount(context, account.id);
      prices.push((await restingPrice()) ?? "none");
      expect(await covered()).toBe("10");
      expect(stops()).toHaveLength(1);
    }
    const numbers = prices.map(Number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    // Of the five levels the one below and the one that rose by less than a step moved nothing.
    expect(new Set(prices).size).toBe(3);
  });

  it("stays where it is while the gates stop its order", async () => {
    const before = await restingPrice();
    const sent = await move(await share("1.05"), { regate: () => [failedGate] });
    expect(sent).toMatchObject([{ status: "DENIED" }]);
    expect(await restingPrice()).toBe(before);
    expect(await covered()).toBe("10");
  });

  it("is never moved above the market, nor for a position that is being sold", async () => {
    const last = text((await position()).currentPrice?.toString() ?? "");
    expect(await move(text(money(last).times("1.01")))).toEqual([]);
    const { state, market, plan } = await cycle(await share("1.05"));
    const selling = { ...plan, orders: [{ symbol: "SPY", side: "SELL", leg: 0 }] as Plan["orders"] };
    const decisionId = await decide(context, account, []);
    expect(
      await raiseTrailingStops(
        context,
        { account, decisionId, state, market, plan: selling, policy: examplePolicy },
        options,
      ),
    ).toEqual([]);
    expect(stops()).toHaveLength(1);
  });

  const halt = () =>
    context.db.account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "test" } });

  it("goes back, raised, to the shares it was taken from when the account is halted in the middle of the move", async () => {
    const raised = await share("1.05");
    let asked = 0;
    const regate: SubmitOptions["regate"] = async () => {
      asked += 1;
      // Asked for the raise in place, before the old pair is cancelled, and after that.
      if (asked === 3) {
        expect(stops()).toHaveLength(0);
        await halt();
      }
      return allPass();
    };
    expect(await move(raised, { regate }, withoutReplace())).toMatchObject([{ status: "LIVE" }]);
    await reconcileAccount(context, account.id);
    expect(await restingPrice()).toBe(text(raised));
    expect(await covered()).toBe("10");
    // The checker knows that this order was let out, however long ago the halt is, and knows no other excuse.
    const haltedAt = new Date(Date.now() - 3_600_000);
    await context.db.account.update({ where: { id: account.id }, data: { haltedAt } });
    const sentWhileHalted = async () =>
      (await readRowBreaches(context, account.id)).filter(({ invariant }) => invariant === "I7");
    const entries = await context.db.intent.findMany({ where: { accountId: account.id, purpose: "ENTRY" } });
    expect((await sentWhileHalted()).map(({ subject }) => subject)).toEqual(
      entries.map(({ clientOrderId }) => clientOrderId),
    );
  });

  it("is not touched once the account is halted, and is what is shown, not the level that was wanted", async () => {
    const before = await restingPrice();
    const target = (await shown()).target;
    expect(target).not.toBeNull();
    await halt();
    expect(await move(await share("1.05"))).toMatchObject([{ status: "HALTED", reason: "the account is halted" }]);
    expect(await restingPrice()).toBe(before);
    expect(await covered()).toBe("10");
    expect(stops()).toHaveLength(1);
    expect(await shown()).toEqual({ stop: before, target });
  });

  it("goes back at once, at the raised price, when the move fails between cancel and new stop", async () => {
    const raised = await share("1.05");
    let asked = 0;
    const regate: SubmitOptions["regate"] = () => {
      asked += 1;
      if (asked > 2) throw new Error("the process ends here");
      return allPass();
    };
    await expect(move(raised, { regate }, withoutReplace())).rejects.toThrow("the process ends here");
    expect(await uncoveredOf(context, account)).toEqual([]);
    expect(await restingPrice()).toBe(text(raised));
    expect(await covered()).toBe("10");
  });

  it("is placed at the raised price when the answer to the move is lost (V2)", async () => {
    const raised = await share("1.05");
    exchange.control.addFault({ kind: "drop_before_accept", method: "POST", path: "/v2/orders" });
    expect(await move(raised, {}, withoutReplace())).toMatchObject([{ status: "UNKNOWN" }]);
    expect(await covered()).toBe("0");
    // Longer ago than any request lives.
    await context.db.intent.updateMany({
      where: { accountId: account.id, status: "UNKNOWN" },
      data: { submittedAt: new Date(Date.now() - 20_000) },
    });
    await context.db.owedStop.updateMany({ where: { accountId: account.id, paidAt: null }, data: { nextTryAt: null } });
    await syncOrders(context, { accountId: account.id });
    expect(await restingPrice()).toBe(text(raised));
    expect(await covered()).toBe("10");
    expect(stops()).toHaveLength(1);
  });
});
