/** Named faults of broker, market and database under one order: docs/faults.md. */
import net from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { FaultInput } from "@/lib/exchange/faults.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import { createAlpacaBroker } from "../../broker/alpaca.ts";
import type { Context } from "../../context.ts";
import { env, forgetEnv } from "../../env.ts";
import { withSuperuserClient } from "@/lib/proof/fixtures/every-right.ts";
import { openKeys, sealKeys } from "../../secrets/seal.ts";
import {
  ageFills,
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  openAccount,
  orderByHand,
  otherSymbol,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { protectedQuantity } from "./protected-quantity.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
/** A symbol of the market beside SPY. */
let other: string;
beforeAll(async () => {
  exchange = await startBench();
  other = await otherSymbol(exchange);
});
afterAll(() => exchange.close());
beforeEach(async () => {
  context = testContext();
  account = await openAccount(context);
  await reconcile();
});
afterEach(() => exchange.control.clearFaults());

const truth = () => truthOf(exchange, account);
const minute = (advanceMinutes = 1) => exchange.control.clock({ advanceMinutes });
const reconcile = (on = context) => reconcileAccount(on, account.id);
const submit = (decisionId: string, on = context) => submitPlan(on, { decisionId, epoch: 0, regate: allPass });
const settle = (settleWindowMs: number, on = context) =>
  resolveUnknownOrders(on, account.id, { isImpatient: true, settleWindowMs });
const intents = () => context.db.intent.findMany({ where: { accountId: account.id }, orderBy: { createdAt: "asc" } });
const fault = (input: FaultInput) => exchange.control.addFault({ account: truth().account_number, ...input });
/** Every request for an order that arrived at the broker for this account. */
const posts = () =>
  exchange.control.arrivals({ account_number: truth().account_number, method: "POST", path: "/v2/orders" }).arrivals;
/** Far from its fill: the market stands still, so it stays open. */
const resting = () => plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" });

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("a broker that cannot be reached", () => {
  it("refuses the connection: nothing arrived, nothing is sent again, the question ends with its session (B1)", async () => {
    const tradingUrl = `http://127.0.0.1:${await closedPort()}`;
    const unreachable = withBroker(context, createAlpacaBroker({ tradingUrl, keys: { keyId: "PK", secret: "s" } }));
    const decisionId = await decide(context, account, [resting()]);
    await submit(decisionId, unreachable);
    expect(await intents()).toMatchObject([{ status: "UNKNOWN" }]);
    // Asking fails in the same way: the question stays open, and nothing is concluded from silence.
    await expect(settle(0, unreachable)).rejects.toMatchObject({ code: "broker_unavailable" });
    expect(await intents()).toMatchObject([{ status: "UNKNOWN" }]);
    expect(await settle(0)).toMatchObject({ parked: 1 });
    await submit(decisionId);
    expect(posts()).toEqual([]);
    await minute(390);
    expect(await settle(0)).toMatchObject({ expired: 1 });
    expect(await intents()).toMatchObject([{ status: "EXPIRED" }]);
    expect(truth().orders).toEqual([]);
  });
});

describe("a server error", () => {
  it.each([500, 502, 503, 504])(
    "%i before the order was taken is asked for, and never sent again (B5)",
    async (status) => {
      fault({ kind: "status", status, method: "POST", path: "/v2/orders" });
      const decisionId = await decide(context, account, [resting()]);
      await submit(decisionId);
      expect(await intents()).toMatchObject([{ status: "UNKNOWN" }]);
      expect(await settle(60_000)).toMatchObject({ parked: 0, stillUnknown: 1 });
      expect(await settle(0)).toMatchObject({ parked: 1 });
      await submit(decisionId);
      expect(posts()).toHaveLength(1);
      expect(truth().orders).toEqual([]);
    },
  );

  it.each([500, 502, 503, 504])(
    "%i after the order was taken is found out, and the order is ours (B6)",
    async (status) => {
      fault({ kind: "status_after_accept", status, method: "POST", path: "/v2/orders" });
      const decisionId = await decide(context, account, [resting()]);
      await submit(decisionId);
      expect(await intents()).toMatchObject([{ status: "UNKNOWN" }]);
      expect(await settle(60_000)).toMatchObject({ adopted: 1 });
      await submit(decisionId);
      expect(await intents()).toMatchObject([{ status: "LIVE" }]);
      expect(posts()).toHaveLength(1);
      expect(truth().orders).toHaveLength(1);
    },
  );
});

describe("an order that the broker refuses", () => {
  it("for a wash trade is final, and the other legs go on; once the opposite order is gone the next decision buys (B10)", async () => {
    await buyBracket(exchange, context, account);
    const hand = hastyBroker(account, 5_000);
    for (const { id } of truth().orders.filter(({ status }) => status === "new")) await hand.cancel(id);
    await hand.submit(orderByHand({ side: "SELL", limitPrice: "9999", clientOrderId: "hand-opposite" }));
    const buys = [
      plannedOrder({ symbol: "SPY", qty: "1", leg: 0 }),
      plannedOrder({ symbol: other, leg: 1, type: "LIMIT", limitPrice: "1" }),
    ];
    const before = posts().length;
    const decisionId = await decide(context, account, buys);
    const legs = await submit(decisionId);
    expect(legs[0]).toMatchObject({ status: "REJECTED", reason: expect.stringContaining("wash trade") as string });
    expect(legs[1]).toMatchObject({ status: "LIVE" });
    await submit(decisionId);
    expect(posts()).toHaveLength(before + 2);
    // An order placed by the account's owner is not touched.
    const theirs = truth().orders.find(({ client_order_id }) => client_order_id === "hand-opposite");
    expect(theirs).toMatchObject({ status: "new" });
    await hand.cancel(theirs?.id ?? "");
    const [again] = await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "1" })]));
    expect(again).toMatchObject({ status: "LIVE" });
  });

  it.each([
    ["a price below the market's increments", { type: "LIMIT", limitPrice: "50.001" }],
    [
      "a stop on the wrong side",
      { orderClass: "BRACKET", timeInForce: "gtc", takeProfitPrice: "1", stopLossPrice: "2" },
    ],
    ["a symbol that does not exist", { symbol: "NOSUCH" }],
    ["a fraction that shall rest for weeks", { qty: "1.5", timeInForce: "gtc", type: "LIMIT", limitPrice: "50" }],
  ] as const)("for %s is final, is not sent again, and says why (B13)", async (_, change) => {
    const order = plannedOrder({ symbol: "SPY", qty: "1", ...change });
    const decisionId = await decide(context, account, [order]);
    const [leg] = await submit(decisionId);
    expect(leg).toMatchObject({ status: "REJECTED", reason: expect.stringMatching(/^\d+: \w+/) as string });
    await submit(decisionId);
    expect(posts()).toHaveLength(1);
    expect(truth().orders).toEqual([]);
    const { haltReason } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(haltReason).toBeNull();
  });
});

describe("a symbol that stops trading", () => {
  it("halted, its order rests and nothing is bought; asked back it ends as the venue says (M1)", async () => {
    fault({ kind: "halted_symbol", symbol: "SPY", form: "rest" });
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "5" })]));
    await minute(5);
    expect(await reconcile()).toMatchObject({ differences: [], haltReason: null });
    expect(truth().positions).toEqual([]);
    const [waiting] = await context.db.order.findMany({ where: { accountId: account.id } });
    expect(waiting).toMatchObject({ status: "NEW" });
    expect(
      (await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "5" })])))[0],
    ).toMatchObject({ status: "SKIPPED" });
    await submit(await decide(context, account, [], [waiting?.clientOrderId ?? ""]));
    await reconcile();
    expect(await intents()).toMatchObject([{ status: "CANCELED" }]);
    expect(posts()).toHaveLength(1);
  });

  it("halted, an order that the venue cancels is a fact; the next decision may buy when it trades again (M1)", async () => {
    fault({ kind: "halted_symbol", symbol: "SPY", form: "cancel" });
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "5" })]));
    await reconcile();
    expect(await intents()).toMatchObject([{ status: "CANCELED" }]);
    exchange.control.clearFaults();
    const [again] = await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "5" })]));
    expect(again).toMatchObject({ status: "LIVE" });
    await minute();
    expect(await reconcile()).toMatchObject({ differences: [], haltReason: null });
    expect(truth().positions).toMatchObject([{ symbol: "SPY", qty: "5" }]);
  });

  it("taken off the list, its purchase is refused, the other legs go on, and what is held stays shown (M3)", async () => {
    const { setSymbol } = exchange.control.venueActions;
    await submit(await decide(context, account, [plannedOrder({ symbol: other, qty: "5" })]));
    await minute();
    await reconcile();
    try {
      await setSymbol(other, { status: "inactive", tradable: false });
      const legs = await submit(
        await decide(context, account, [
          plannedOrder({ symbol: other, qty: "1", leg: 0 }),
          plannedOrder({ symbol: "SPY", leg: 1, type: "LIMIT", limitPrice: "50" }),
        ]),
      );
      expect(legs).toMatchObject([{ status: "REJECTED" }, { status: "LIVE" }]);
      expect(await reconcile()).toMatchObject({ differences: [], haltReason: null });
      const held = await context.db.position.findMany({ where: { accountId: account.id } });
      expect(held).toMatchObject([{ symbol: other }]);
      const [exit] = await submit(
        await decide(context, account, [plannedOrder({ symbol: other, side: "SELL", qty: "5" })]),
      );
      expect(exit).toMatchObject({ status: "REJECTED" });
      expect(await context.db.position.count({ where: { accountId: account.id } })).toBe(1);
    } finally {
      await setSymbol(other, { status: "active", tradable: true });
    }
  });
});

describe("fractions", () => {
  it.each([
    ["0.000000001", "1"],
    ["2.123456789", "2.2"],
    ["7.999999999", "8"],
    ["3.333333333", "3.333333334"],
  ])(
    "of %s held and %s planned no more than what is held is sold, and no dust stays behind (M10)",
    async (qty, planned) => {
      await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty })]));
      await minute();
      await reconcile();
      expect(truth().positions).toMatchObject([{ symbol: "SPY", qty: text(qty) }]);
      await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", qty: planned })]));
      await minute();
      expect(await reconcile()).toMatchObject({ differences: [], haltReason: null });
      const sold = truth().fills.filter(({ side }) => side === "sell");
      expect(text(sold.reduce((total, fill) => total.plus(fill.qty), money(0)))).toBe(text(qty));
      expect(truth().positions).toEqual([]);
      expect(await context.db.position.count({ where: { accountId: account.id } })).toBe(0);
      const lots = await context.db.lot.findMany({ where: { accountId: account.id } });
      expect(lots.every(({ qtyRemaining }) => qtyRemaining.isZero())).toBe(true);
    },
  );
});

describe("the database in the middle of an order", () => {
  it("ends a transaction in a deadlock: it runs again as a whole, and one order goes out (P5)", async () => {
    await withSuperuserClient(async (client) => {
      const other: { ends: Promise<unknown> } = { ends: Promise.resolve() };
      const decisionId = await decide(context, account, [resting()]);
      const regate = async () => {
        // Takes the rows of the mark in the other order: the user's first, then the account's.
        await client.query("begin");
        await client.query("set local deadlock_timeout = '20s'");
        await client.query('select 1 from "User" where "id" = $1 for update', [account.userId]);
        const isWaited = async () =>
          (
            await context.db.$queryRaw<unknown[]>`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          ).length > 0;
        other.ends = (async () => {
          await expect.poll(isWaited, { timeout: 10_000, interval: 20 }).toBe(true);
          await client.query('select 1 from "Account" where "id" = $1 for update', [account.id]);
          await client.query("commit");
        })();
        return allPass();
      };
      const deadlocks = async () =>
        (
          await client.query<{ deadlocks: string }>(
            "select deadlocks from pg_stat_database where datname = current_database()",
          )
        ).rows[0]?.deadlocks;
      expect(await deadlocks()).toBe("0");
      const [leg] = await submitPlan(context, { decisionId, epoch: 0, regate });
      await other.ends;
      expect(leg).toMatchObject({ status: "LIVE" });
      expect(posts()).toHaveLength(1);
      const verdicts = await context.db.gateVerdict.findMany({ where: { intent: { accountId: account.id } } });
      expect(verdicts.map(({ phase }) => phase).sort()).toEqual(["T1", "T2"]);
      await expect.poll(deadlocks, { timeout: 10_000 }).toBe("1");
    });
  });

  it("has no room for the mark: nothing is sent, and once there is room again the books are as before (W17)", async () => {
    await withSuperuserClient(async (client) => {
      const decisionId = await decide(context, account, [resting()]);
      // What Postgres says when its disk is full, at the very write that must come before the call.
      await client.query(`
        create function disk_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
      await client.query(`
        create trigger disk_full before update on "Intent" for each row when (new."status" = 'SUBMITTING')
        execute function disk_full()`);
      try {
        await expect(submit(decisionId)).rejects.toThrow(/No space left on device/);
        expect(posts()).toEqual([]);
      } finally {
        await client.query("drop function disk_full() cascade");
      }
      expect(await intents()).toMatchObject([{ status: "GATED", submittedAt: null }]);
      expect(
        await context.db.auditEvent.count({ where: { eventType: "ORDER_SENT", subjectUserId: account.userId } }),
      ).toBe(0);
      expect((await submit(decisionId))[0]).toMatchObject({ status: "LIVE" });
      expect(posts()).toHaveLength(1);
    });
  });

  it("turns read-only: no order leaves without its committed mark (P8)", async () => {
    await withSuperuserClient(async (client) => {
      const decisionId = await decide(context, account, [resting()]);
      const name = new URL(env().DATABASE_URL).pathname.slice(1);
      const setReadOnly = async (value: "on" | "off") => {
        await client.query(`alter database "${name}" set default_transaction_read_only = ${value}`);
        // Ended again before each question: a connection that was being opened meanwhile has the old setting.
        const end =
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
        // As many at once as the pool has connections: every one of them is a new one.
        const ask = () => context.db.$queryRaw<{ transaction_read_only: string }[]>`show transaction_read_only`;
        const said = async () => {
          await client.query(end);
          const answers = await Promise.all(Array.from({ length: env().DATABASE_POOL_SIZE }, ask)).catch(() => []);
          return [...new Set(answers.flat().map((row) => row.transaction_read_only))];
        };
        await expect.poll(said, { timeout: 10_000 }).toEqual([value]);
      };
      const regate = async () => {
        await setReadOnly("on");
        return allPass();
      };
      try {
        await expect(submitPlan(context, { decisionId, epoch: 0, regate })).rejects.toThrow(/read-only/);
        await expect(submit(decisionId)).rejects.toThrow(/read-only/);
        expect(posts()).toEqual([]);
      } finally {
        await setReadOnly("off");
      }
      expect((await submit(decisionId))[0]).toMatchObject({ status: "LIVE" });
      expect(posts()).toHaveLength(1);
    });
  });
});

describe("a database restored from a copy of some minutes ago", () => {
  it("takes the broker's orders and shares in as outside ones and halts for a person; no id of the lost minutes comes again (P9)", async () => {
    await buyBracket(exchange, context, account);
    await ageFills(context, account);
    const lost = truth().orders.map(({ client_order_id }) => client_order_id);
    const decisionIds = (await context.db.decisionRecord.findMany({ where: { accountId: account.id } })).map(
      ({ id }) => id,
    );
    const where = { accountId: account.id };
    await restore(account.id);
    expect(await context.db.intent.count({ where })).toBe(0);

    const report = await reconcile();
    expect(report.differences).toEqual([]);
    const orders = await context.db.order.findMany({ where });
    expect(orders.map(({ clientOrderId }) => clientOrderId).sort()).toEqual([...lost].sort());
    expect(orders.every(({ origin, intentId }) => origin === "EXTERNAL" && intentId === null)).toBe(true);
    expect(
      (await context.db.position.findMany({ where })).map(({ symbol, qty }) => [symbol, text(qty.toString())]),
    ).toEqual([["SPY", "10"]]);
    expect((await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed()).toBe("10");
    expect(report.haltReason).toMatch(/^The broker has an order with an id of ours that nothing here knows: tw-/);

    const next = await decide(context, account, [resting()]);
    expect(decisionIds).not.toContain(next);
  });
});

/** Deletes the account's last minutes past every guard, as a restored copy never had them. */
async function restore(accountId: string): Promise<void> {
  await withSuperuserClient(async (client) => {
    await client.query("set session_replication_role = replica");
    for (const table of ["GateVerdict", "Fill", "Lot", "RoundTrip", "Position", "Order", "Intent", "DecisionRecord"])
      await client.query(
        table === "GateVerdict"
          ? 'delete from "GateVerdict" v using "Intent" i where v."intentId" = i."id" and i."accountId" = $1'
          : `delete from "${table}" where "accountId" = $1`,
        [accountId],
      );
    await client.query(
      `update "Account" set "orderWatermark" = "orderWatermark" - interval '10 minutes',
       "activityWatermark" = "activityWatermark" - interval '10 minutes' where "id" = $1`,
      [accountId],
    );
  });
}

describe("another master key in the middle of a plan", () => {
  const before = process.env.MASTER_KEYS ?? "";
  const useMasterKeys = (keys: string) => {
    process.env.MASTER_KEYS = keys;
    forgetEnv();
  };
  afterEach(() => useMasterKeys(before));

  it("changes no order: what was sealed with the old one goes on, what is sealed anew opens without it (H9)", async () => {
    const second = `2:${Buffer.alloc(32, 8).toString("base64")}`;
    const orders = [resting(), plannedOrder({ symbol: other, leg: 1, type: "LIMIT", limitPrice: "1" })];
    const decisionId = await decide(context, account, orders);
    let asked = 0;
    const regate = async () => {
      asked += 1;
      if (asked === 2) {
        useMasterKeys(`${second},${before}`);
        const binding = { userId: account.userId, accountId: account.id, environment: account.environment };
        const sealedKeys = sealKeys(openKeys(account.sealedKeys ?? "", binding), binding);
        expect(JSON.parse(sealedKeys)).toMatchObject({ kek: 2 });
        await context.db.account.update({ where: { id: account.id }, data: { sealedKeys } });
        useMasterKeys(second);
      }
      return allPass();
    };
    const legs = await submitPlan(context, { decisionId, epoch: 0, regate });
    expect(legs.map(({ status }) => status)).toEqual(["LIVE", "LIVE"]);
    // A start after the old key is gone.
    expect(await reconcile(testContext())).toMatchObject({ differences: [], haltReason: null });
    expect(truth().orders).toHaveLength(2);
    // An account that was not sealed anew takes no orders, and says so.
    await context.db.account.update({ where: { id: account.id }, data: { sealedKeys: account.sealedKeys } });
    await expect(reconcile(testContext())).rejects.toMatchObject({ code: "conflict" });
    expect(posts()).toHaveLength(2);
  });
});
