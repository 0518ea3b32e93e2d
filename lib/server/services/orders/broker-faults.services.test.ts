import { afterEach, describe, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { FaultInput } from "@/lib/exchange/faults.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { openKeyPair } from "@/lib/proof/fixtures/key-pair.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  ageFills,
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  openAccount,
  plannedOrder,
  testContext,
  truthOf,
  withBroker,
  uncoveredOf,
} from "@/lib/proof/fixtures/orders.ts";
import { streamAccount } from "../sync/stream-account.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { protectedQuantity } from "./protected-quantity.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
afterEach(() => exchange.control.clearFaults());

const minute = (advanceMinutes = 1) => exchange.control.clock({ advanceMinutes });
const truth = () => truthOf(exchange, account);
const fault = (input: FaultInput) => exchange.control.addFault({ account: truth().account_number, ...input });
const broker = () => hastyBroker(account, 5_000);
const reconcile = (on = context) => reconcileAccount(on, account.id);
const submit = (decisionId: string) => submitPlan(context, { decisionId, epoch: 0, regate: allPass });
const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const orders = () =>
  context.db.order.findMany({ where: { accountId: account.id }, orderBy: [{ submittedAt: "asc" }, { role: "asc" }] });
const mails = () => context.db.outbox.findMany({ where: { userId: account.userId } });
const heldQty = () => truth().positions.find(({ symbol }) => symbol === "SPY")?.qty ?? "0";
/** Our fills, lots and order rows against the exchange's own books. */
async function expectTheTruth(): Promise<void> {
  const where = { accountId: account.id };
  const [fills, lots] = await Promise.all([context.db.fill.findMany({ where }), context.db.lot.findMany({ where })]);
  const describeFills = (list: { side: string; qty: unknown; price: unknown }[]) =>
    list.map(({ side, qty, price }) => `${side.toLowerCase()} ${text(String(qty))} ${text(String(price))}`).sort();
  expect(describeFills(fills)).toEqual(describeFills(truth().fills));
  const held = lots.reduce((total, lot) => total.plus(lot.qtyRemaining.toString()), money(0));
  expect(text(held)).toBe(text(heldQty()));
  const ours = new Map((await orders()).map((order) => [order.brokerOrderId, order]));
  for (const { id, filled_qty } of truth().orders)
    expect(text(ours.get(id)?.filledQty.toString() ?? "-1")).toBe(text(filled_qty));
}

describe("keys that the broker refuses", () => {
  it("stop that account alone, visibly, with one mail; it goes on when the broker takes them again (B8)", async () => {
    const other = await openAccount(context);
    await reconcile();
    fault({ kind: "keys_revoked" });
    for (let round = 0; round < 3; round += 1)
      await expect(reconcile()).rejects.toMatchObject({ code: "broker_refused" });
    expect(await row()).toMatchObject({ haltReason: ACCESS_TEXT.KEYS.refused });
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(JSON.stringify(mail?.props)).toContain(ACCESS_TEXT.KEYS.refused);
    const [leg] = await submit(await decide(testContext(), other, [plannedOrder({ symbol: "SPY", qty: "1" })]));
    expect(leg).toMatchObject({ status: "LIVE" });

    exchange.control.clearFaults();
    expect(await reconcile()).toMatchObject({ haltReason: null });
    expect(
      await context.db.auditEvent.count({
        where: { eventType: "ACCOUNT_KEYS_ACCEPTED", subjectUserId: account.userId },
      }),
    ).toBe(1);
  });

  it("that it takes again lift the halt, and what else holds the account is named", async () => {
    await context.db.account.update({ where: { id: account.id }, data: { status: "PAUSED" } });
    fault({ kind: "keys_revoked" });
    await expect(reconcile()).rejects.toMatchObject({ code: "broker_refused" });
    exchange.control.clearFaults();
    await reconcile();
    const logged = await context.db.logEvent.findMany({ where: { accountId: account.id, level: "info" } });
    expect(logged.map(({ message }) => message)).toContain(
      "The broker accepts the keys of the account again: the halt is lifted. The account is paused: nothing is bought in it, exits and stops keep working.",
    );
  });

  it("are noticed by the stream alone (B21)", async () => {
    fault({ kind: "keys_revoked" });
    const following = streamAccount(context, account, () => undefined);
    await expect.poll(async () => (await row()).haltReason, { timeout: 10_000 }).toBe(ACCESS_TEXT.KEYS.refused);
    following.close();
  });
});

describe("an account that the broker blocks", () => {
  it.each(["account_blocked", "trading_blocked", "trade_suspended_by_user"])(
    "with %s halts; a refused order is final, and stops stay where they are (B11)",
    async (form) => {
      await buyBracket(exchange, context, account);
      fault({ kind: "account_blocked", form });
      const [leg] = await submit(await decide(context, account, [plannedOrder({ symbol: "QQQ", qty: "1" })]));
      expect(leg).toMatchObject({ status: "REJECTED" });
      expect((await reconcile()).haltReason).toMatch(/blocked trading/);
      expect((await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed()).toBe("10");
    },
  );
});

describe("an order that ends before all of it is filled", () => {
  it("keeps the filled part, and only then may the rest be tried again (B17)", async () => {
    fault({ kind: "partial_fills", share: 0.4 });
    const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "10" })]);
    await submit(decisionId);
    await minute(0);
    await reconcile();
    const [order] = await orders();
    const filled = Number(order?.filledQty ?? 0);
    expect(filled).toBeGreaterThan(0);
    expect(filled).toBeLessThan(10);
    expect(
      (await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "6" })])))[0],
    ).toMatchObject({
      status: "SKIPPED",
    });
    await submitPlan(context, {
      decisionId: await decide(context, account, [], [order?.clientOrderId ?? ""]),
      epoch: 0,
      regate: allPass,
    });
    await reconcile();
    expect((await orders())[0]).toMatchObject({ status: "CANCELED" });
    await expectTheTruth();
    const rest = String(10 - filled);
    const [again] = await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: rest })]));
    expect(again).toMatchObject({ status: "LIVE" });
    exchange.control.clearFaults();
    await minute();
    await reconcile();
    await expectTheTruth();
    expect(heldQty()).toBe("10");
  });

  it.each(["accepted", "refused"])(
    "a cancel (%s) that loses the race with a fill: the fill wins (B18)",
    async (form) => {
      await reconcile();
      const limit = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50", qty: "5" });
      await submit(await decide(context, account, [limit]));
      fault({ kind: "cancel_loses", form });
      const [order] = await orders();
      await submit(await decide(context, account, [], [order?.clientOrderId ?? ""]));
      const report = await reconcile();
      expect(report).toMatchObject({ differences: [], haltReason: null });
      expect((await orders())[0]).toMatchObject({ status: "FILLED" });
      await expectTheTruth();
      expect(heldQty()).toBe("5");
    },
  );

  it("an exit whose stop fills during the cancel sells nothing twice (B18)", async () => {
    await buyBracket(exchange, context, account);
    fault({ kind: "cancel_loses", form: "accepted" });
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", qty: "10" })]));
    await minute();
    await reconcile();
    await expectTheTruth();
    expect(heldQty()).toBe("0");
    const sold = truth().fills.filter(({ side }) => side === "sell");
    expect(sold.reduce((total, { qty }) => total + Number(qty), 0)).toBe(10);
  });
});

describe("an order replaced outside", () => {
  async function replace(id: string, body: object): Promise<void> {
    const { keyId, secret } = keys();
    const answer = await fetch(`${exchange.url}/v2/orders/${id}`, {
      method: "PATCH",
      headers: { "APCA-API-KEY-ID": keyId, "APCA-API-SECRET-KEY": secret, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  function keys() {
    const { userId, id: accountId, environment, sealedKeys } = account;
    return openKeyPair(sealedKeys ?? "", { userId, accountId, environment });
  }

  it.each(["in order", "the last one first"])(
    "twice is followed to its last replacement, which stays ours, %s (B19)",
    async (sequence) => {
      await reconcile();
      const limit = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50", qty: "5" });
      await submit(await decide(context, account, [limit]));
      for (const limitPrice of ["51", "52"]) {
        const live = truth().orders.find(({ status }) => status === "new");
        await replace(live?.id ?? "", { limit_price: limitPrice });
      }
      const real = broker();
      const backwards: Broker = { ...real, ordersSince: async (since) => (await real.ordersSince(since)).reverse() };
      const on = sequence === "in order" ? context : withBroker(context, backwards);
      for (let round = 0; round < 2; round += 1)
        expect(await reconcile(on)).toMatchObject({ differences: [], missingOrders: [], haltReason: null });
      const rows = await orders();
      const [intent] = await context.db.intent.findMany({ where: { accountId: account.id } });
      expect(rows.map(({ origin, role, intentId, reason }) => ({ origin, role, intentId, reason }))).toEqual(
        Array.from({ length: 3 }, () => ({
          origin: "OURS",
          role: "ENTRY",
          intentId: intent?.id,
          reason: "entry_momentum",
        })),
      );
      expect(rows.map(({ status }) => status).sort()).toEqual(["NEW", "REPLACED", "REPLACED"]);
      expect(intent).toMatchObject({ status: "LIVE" });
    },
  );
});

describe("positions that lag behind a fill", () => {
  it("halt no account while the fill is young, and buy nothing twice; when they stay wrong the account halts (B23)", async () => {
    await reconcile();
    fault({ kind: "stale_positions" });
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "10" })]));
    await minute();
    const report = await reconcile();
    expect(report).toMatchObject({ haltReason: null, differences: [{ symbol: "SPY", ours: "10", theirs: "0" }] });
    const position = await context.db.position.findFirst({ where: { accountId: account.id } });
    expect(text(position?.qty.toString() ?? "0")).toBe("10");
    await ageFills(context, account);
    expect((await reconcile()).haltReason).toBe("Positions differ: SPY 10 here, 0 at the broker");
  });
});

describe("trade updates that do not come", () => {
  it.each<FaultInput>([{ kind: "mute_stream" }, { kind: "missing_events", event: "fill" }])(
    "are made up by the next reading ($kind), and nothing is booked twice when the stream is back (B21)",
    async (input) => {
      fault(input);
      let changes = 0;
      const following = streamAccount(context, account, () => (changes += 1));
      await expect.poll(() => changes, { timeout: 10_000 }).toBeGreaterThan(0);
      await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "3" })]));
      await minute();
      expect(await context.db.fill.count({ where: { accountId: account.id } })).toBe(0);
      exchange.control.clearFaults();
      // A cut connection comes back by itself; being ready again means reading everything since.
      const before = changes;
      fault({ kind: "cut_stream" });
      await expect.poll(() => changes, { timeout: 15_000 }).toBeGreaterThan(before);
      await expect
        .poll(() => context.db.fill.count({ where: { accountId: account.id } }), { timeout: 10_000 })
        .toBeGreaterThan(0);
      await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", qty: "3" })]));
      await minute();
      await expect
        .poll(() => context.db.position.count({ where: { accountId: account.id } }), { timeout: 10_000 })
        .toBe(0);
      following.close();
      await reconcile();
      await expectTheTruth();
    },
  );
});

describe("a person who trades the same account by hand", () => {
  const byHand = { orderClass: "SIMPLE", type: "MARKET", timeInForce: "day" } as const;
  const noPrices = { limitPrice: null, stopPrice: null, takeProfitPrice: null, stopLossPrice: null };

  it("and sells our position: the books follow, our legs are gone, and the exit that was planned sells nothing (B24)", async () => {
    await buyBracket(exchange, context, account);
    const exit = await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", qty: "10" })]);
    const hand = broker();
    for (const { id } of truth().orders.filter(({ status }) => status === "new")) await hand.cancel(id);
    await hand.submit({ ...byHand, ...noPrices, symbol: "SPY", side: "SELL", qty: "10", clientOrderId: "hand-sale" });
    await minute();
    expect((await submit(exit))[0]).toMatchObject({ status: "HALTED" });
    expect(await reconcile()).toMatchObject({ differences: [], haltReason: null });
    expect(await uncoveredOf(context, account)).toEqual([]);
    await expectTheTruth();
    expect(
      truth()
        .orders.filter(({ client_order_id }) => client_order_id.startsWith("tw-"))
        .map(({ side }) => side),
    ).toEqual(["buy"]);
    expect((await orders()).find(({ clientOrderId }) => clientOrderId === "hand-sale")).toMatchObject({
      origin: "EXTERNAL",
      role: "EXTERNAL",
      intentId: null,
    });
  });

  it("and buys more of what we hold: the shares are taken in, ours stay protected (B24)", async () => {
    await buyBracket(exchange, context, account);
    await broker().submit({ ...byHand, ...noPrices, symbol: "SPY", side: "BUY", qty: "4", clientOrderId: "hand-more" });
    await minute();
    expect(await reconcile()).toMatchObject({ differences: [], haltReason: null });
    expect(await uncoveredOf(context, account)).toEqual([{ symbol: "SPY", qty: "14", protectedQty: "10" }]);
    await expectTheTruth();
  });
});

describe("answers that no broker should give", () => {
  it("an order in an unknown status keeps the broker's text, and is followed to its end (B14)", async () => {
    await reconcile();
    const limit = plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50", qty: "5" });
    await submit(await decide(context, account, [limit]));
    const real = broker();
    const strange = (await real.openOrders()).map(
      (order) => ({ ...order, status: "OTHER", brokerStatus: "quarantined" }) as const,
    );
    const odd: Broker = {
      ...real,
      ordersSince: () => Promise.resolve(strange),
      openOrders: () => Promise.resolve(strange),
    };
    expect(await reconcile(withBroker(context, odd))).toMatchObject({ haltReason: null });
    expect((await orders())[0]).toMatchObject({ status: "OTHER", brokerStatus: "quarantined" });
    expect(await context.db.intent.findMany({ where: { accountId: account.id } })).toMatchObject([{ status: "LIVE" }]);
    for (const { id } of strange) await real.cancel(id);
    await reconcile();
    expect((await orders())[0]).toMatchObject({ status: "CANCELED" });
  });

  it.each<FaultInput>([
    { kind: "garbage_200", method: "GET", path: "/v2/positions", form: "html" },
    { kind: "garbage_200", method: "GET", path: "/v2/account/activities", form: "null" },
    { kind: "truncated_200", method: "GET", path: "/v2/orders" },
    { kind: "missing_fields", method: "GET", path: "/v2/account", fields: ["buying_power"], count: 0 },
  ])("a reading with $kind of $path changes nothing and is made again (B14)", async (input) => {
    await buyBracket(exchange, context, account);
    const before = await orders();
    fault(input);
    await expect(reconcile()).rejects.toMatchObject({ code: "broker_unavailable" });
    expect(await orders()).toEqual(before);
    expect(await row()).toMatchObject({ haltReason: null });
    exchange.control.clearFaults();
    expect(await reconcile()).toMatchObject({ differences: [], haltReason: null });
  });
});
