import { spawn } from "node:child_process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { money, sum, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { CRASH_POINTS, type CrashPoint } from "../../crash-point.ts";
import { shortLivedArgs } from "@/lib/proof/bundled.ts";
import {
  allPass,
  buyBracket,
  decide,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import { closeAccountWriters, withAccountWriter } from "../../core/account-writer.ts";
import { recoverAccount } from "./recover-account.ts";
import { submitPlan } from "../orders/submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let program: string[];
beforeAll(async () => {
  program = await shortLivedArgs("lib/proof/crash/orders-child.ts");
  exchange = await startBench();
});
afterAll(async () => {
  await closeAccountWriters();
  await exchange.close();
});
beforeEach(async () => {
  exchange.control.clearFaults();
  context = testContext();
  account = await openAccount(context);
});

/** Runs the child to its end; answers the signal that ended it, or its report. */
function runChild(args: string[], crashAt = ""): Promise<{ signal: string | null; output: string }> {
  return new Promise((resolve, reject) => {
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "test", CRASH_AT: crashAt };
    const run = spawn(process.execPath, [...program, ...args], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    run.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    run.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    run.on("error", reject);
    run.on("close", (code, signal) => {
      if (code !== 0 && signal === null) reject(new Error(`the child failed: ${output}`));
      else resolve({ signal, output });
    });
  });
}

/** What a new process does first, here: it waits until the dead one's lock is gone. */
async function recover(settleWindowMs = 500): Promise<void> {
  const work = () => recoverAccount(context, account.id, { settleWindowMs, untilSettled: true });
  expect(
    await withAccountWriter(context, account.id, work, { waitMs: 10_000 }),
    "the account was recovered",
  ).not.toBeNull();
}

/** The same decision, as a queue would hand it out twice. */
async function submitHere(decisionId: string): Promise<void> {
  const work = (epoch: number) => submitPlan(context, { decisionId, epoch, regate: allPass });
  expect(await withAccountWriter(context, account.id, work, { waitMs: 10_000 })).not.toBeNull();
}

const ENDED: Record<string, string> = {
  filled: "FILLED",
  canceled: "CANCELED",
  expired: "EXPIRED",
  rejected: "REJECTED",
};

/** No order twice, no order unknown to us, no intent in the air, fills and positions as the exchange has them. */
async function expectTheTruth(): Promise<void> {
  const truth = truthOf(exchange, account);
  const where = { accountId: account.id };
  const [intents, orders, fills, lots, { haltReason }] = await Promise.all([
    context.db.intent.findMany({ where }),
    context.db.order.findMany({ where }),
    context.db.fill.findMany({ where }),
    context.db.lot.findMany({ where }),
    context.db.account.findUniqueOrThrow({ where: { id: account.id } }),
  ]);
  const sent = truth.orders.map((order) => order.client_order_id);
  expect(new Set(sent).size, "no client id twice").toBe(sent.length);
  const resting = new Set(truth.orders.flatMap((order) => order.legs));
  // A stop that recovery owed to the shares is no leg of the plan.
  const ofPlan = truth.orders.filter(({ id, order_class }) => !resting.has(id) && order_class !== "oco");
  const legs = ofPlan.map(({ symbol, side }) => `${symbol} ${side}`);
  expect(new Set(legs).size, "no leg of the plan twice").toBe(legs.length);
  expect(orders.map((row) => row.brokerOrderId).sort(), "every order is known").toEqual(
    truth.orders.map(({ id }) => id).sort(),
  );
  expect(orders.every((row) => row.origin === "OURS")).toBe(true);
  for (const row of intents) {
    const order = truth.orders.find(({ client_order_id }) => client_order_id === row.clientOrderId);
    const possible = order ? [ENDED[order.status] ?? "LIVE"] : ["HALTED", "PARKED"];
    expect(possible, `${row.clientOrderId} is ${order?.status ?? "not there"}`).toContain(row.status);
  }
  expect(text(sum(fills.map((fill) => money(fill.qty))))).toBe(text(sum(truth.fills.map((fill) => money(fill.qty)))));
  const held = (symbol: string) =>
    text(sum(lots.filter((lot) => lot.symbol === symbol).map((lot) => money(lot.qtyRemaining))));
  for (const { symbol, qty } of truth.positions) expect(held(symbol), symbol).toBe(text(qty));
  for (const { symbol } of lots.filter((lot) => money(lot.qtyRemaining).gt(0)))
    expect(truth.positions.map((position) => position.symbol)).toContain(symbol);
  expect(haltReason).toBeNull();
}

const twoLegs = async () => {
  const symbols = ["SPY", ...(await otherSymbols())];
  return decide(
    context,
    account,
    symbols.map((symbol, leg) => plannedOrder({ symbol, leg, qty: "3" })),
  );
};

async function otherSymbols(): Promise<string[]> {
  const { key_id, secret } = await exchange.control.createAccount();
  const headers = { "APCA-API-KEY-ID": key_id, "APCA-API-SECRET-KEY": secret };
  const assets = (await (await fetch(`${exchange.url}/v2/assets?status=active`, { headers })).json()) as {
    symbol: string;
  }[];
  return assets
    .filter(({ symbol }) => symbol !== "SPY")
    .slice(0, 1)
    .map(({ symbol }) => symbol);
}

const ORDERS = { method: "POST", path: "/v2/orders" } as const;

/** What a process was about to do when it was killed, and what it leaves to do for the next one. */
interface Scenario {
  at: CrashPoint;
  /** Sets the scene; the arguments of the process that will be killed. */
  begin: () => Promise<string[]>;
  /** Orders at the broker when it is dead. */
  taken: number;
}

const submission = async () => ["submit", account.id, await twoLegs()];

const WHILE_SUBMITTING: Scenario[] = [
  { at: "before-intent", begin: submission, taken: 0 },
  { at: "inside-intent", begin: submission, taken: 0 },
  { at: "after-intent", begin: submission, taken: 0 },
  { at: "after-regate", begin: submission, taken: 0 },
  { at: "inside-mark", begin: submission, taken: 0 },
  { at: "after-mark", begin: submission, taken: 0 },
  { at: "after-post", begin: submission, taken: 1 },
  { at: "before-record", begin: submission, taken: 1 },
  { at: "inside-record", begin: submission, taken: 1 },
  { at: "after-record", begin: submission, taken: 1 },
  {
    at: "after-renewal",
    begin: () => {
      exchange.control.addFault({ ...ORDERS, kind: "status", status: 429, headers: { "retry-after": "0" } });
      return submission();
    },
    taken: 0,
  },
  {
    at: "after-cancel",
    begin: async () => {
      await submitHere(
        await decide(context, account, [plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" })]),
      );
      const [resting] = await context.db.order.findMany({ where: { accountId: account.id } });
      const other = (await otherSymbols()).map((symbol) => plannedOrder({ symbol, qty: "3" }));
      return ["submit", account.id, await decide(context, account, other, [resting?.clientOrderId ?? ""])];
    },
    taken: 1,
  },
  { at: "after-release-cancel", begin: () => saleOfABracket(), taken: 3 },
  { at: "after-release", begin: () => saleOfABracket(), taken: 3 },
];

/** A bracket that was bought, and a plan that sells it: its stop and target are in the way. */
async function saleOfABracket(): Promise<string[]> {
  await buyBracket(exchange, context, account);
  return [
    "submit",
    account.id,
    await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", leg: 0 })]),
  ];
}

/** Two orders were sent; the answer of the first was lost, with the order (0) or without it (1). */
const lostAnswer = (kind: "drop_before_accept" | "drop_after_accept") => async () => {
  exchange.control.addFault({ ...ORDERS, kind });
  await submitHere(await twoLegs());
  return ["recover", account.id];
};
const lostAfter = lostAnswer("drop_after_accept");
const lostBefore = lostAnswer("drop_before_accept");

const WHILE_RECOVERING: Scenario[] = [
  { at: "inside-recovery", begin: lostAfter, taken: 2 },
  { at: "after-interrupt", begin: lostAfter, taken: 2 },
  { at: "after-ask", begin: lostAfter, taken: 2 },
  { at: "after-adopt", begin: lostAfter, taken: 2 },
  { at: "after-walk", begin: lostBefore, taken: 1 },
  { at: "inside-park", begin: lostBefore, taken: 1 },
  { at: "after-settle", begin: lostAfter, taken: 2 },
  { at: "after-sync", begin: lostAfter, taken: 2 },
  { at: "before-watermark", begin: lostAfter, taken: 2 },
  { at: "after-recovery", begin: lostAfter, taken: 2 },
];

async function killAndRecover({ at, begin, taken }: Scenario): Promise<void> {
  const args = await begin();
  const killed = await runChild(args, at);
  expect(killed.signal, killed.output).toBe("SIGKILL");
  expect(truthOf(exchange, account).orders).toHaveLength(taken);
  await recover();
  // The same decision again, as a queue would hand it out twice: recovery has settled what was begun.
  const [mode, , decisionId] = args;
  if (mode === "submit" && decisionId) await submitHere(decisionId);
  await exchange.control.clock({ advanceMinutes: 1 });
  await recover();
  await expectTheTruth();
}

describe("a worker killed while it submits", () => {
  it.each(WHILE_SUBMITTING)("at $at leaves no order doubled and none lost (W1) (W2) (W3) (W4)", killAndRecover);

  // From the mark to the record. Before the call and after it, and all of them: npm run prove -- crashes.
  const AROUND_THE_CALL = WHILE_SUBMITTING.slice(5, 10).filter(
    ({ at }) => process.env.EVERY_CRASH === "1" || at === "after-mark" || at === "after-post",
  );
  it.each(AROUND_THE_CALL)("at $at, the broker takes an id twice: still one order each (W3) (W4)", async (scenario) => {
    exchange.control.addFault({ kind: "uniqueness_off" });
    await killAndRecover(scenario);
  });
});

describe("a worker killed while it recovers", () => {
  it.each(WHILE_RECOVERING)("at $at leaves the work to the next one, who finds the truth", killAndRecover);
});

describe("a worker killed elsewhere", () => {
  it("at the second order of a plan: the first one is kept, the second is settled", async () => {
    const decisionId = await twoLegs();
    expect((await runChild(["submit", account.id, decisionId], "after-post:2")).signal).toBe("SIGKILL");
    await recover();
    await expectTheTruth();
    expect(truthOf(exchange, account).orders).toHaveLength(2);
  });

  it.each([
    ["before", "after-interrupt", 0],
    ["inside", "in-fill:2", 1],
    ["after", "before-watermark", 2],
  ])("%s the booking of a fill: the fill is booked once (W5) (W6) (W7)", async (_, at, booked) => {
    await submitHere(await twoLegs());
    await exchange.control.clock({ advanceMinutes: 1 });
    expect((await runChild(["recover", account.id], at)).signal).toBe("SIGKILL");
    expect(await context.db.fill.count({ where: { accountId: account.id } })).toBe(booked);
    await recover();
    await expectTheTruth();
    expect(await context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } })).toMatchObject({
      tradeCount: 2,
    });
  });

  it("inside the booking of a split: the shares are multiplied once", async () => {
    const [symbol = ""] = await otherSymbols();
    await submitHere(await decide(context, account, [plannedOrder({ symbol, qty: "3" })]));
    await exchange.control.clock({ advanceMinutes: 1 });
    await recover();
    // A split is of a later date than the purchase.
    await exchange.control.clock({ advanceMinutes: 390 });
    await exchange.control.venueActions.applyCorporateAction({ kind: "split", symbol, ratio: "2" });
    expect((await runChild(["recover", account.id], "in-split")).signal).toBe("SIGKILL");
    await recover();
    await recover();
    await expectTheTruth();
    expect(truthOf(exchange, account).positions).toMatchObject([{ symbol, qty: "6" }]);
  });

  it("between mark and call: the next worker asks at once, and does not wait for the dead one's deadline", async () => {
    await runChild(["submit", account.id, await twoLegs()], "after-mark");
    const work = () => recoverAccount(context, account.id);
    expect(await withAccountWriter(context, account.id, work, { waitMs: 10_000 })).toMatchObject({
      settled: { stillUnknown: 1 },
    });
    const [intent] = await context.db.intent.findMany({ where: { accountId: account.id } });
    expect(intent).toMatchObject({ status: "UNKNOWN", askCount: 1, lastError: "interrupted while sending" });
  });

  it("before anything was sent: the decision is halted, and says that it was interrupted", async () => {
    const decisionId = await twoLegs();
    await runChild(["submit", account.id, decisionId], "after-intent");
    await recover();
    const [intent] = await context.db.intent.findMany({ where: { accountId: account.id } });
    expect(intent).toMatchObject({ status: "HALTED", lastError: "interrupted before sending" });
    expect(truthOf(exchange, account).orders).toHaveLength(0);
  });

  it("two workers at once on one account, one of them killed: one order per leg (W9)", async () => {
    exchange.control.addFault({ kind: "uniqueness_off" });
    const decisionId = await twoLegs();
    await Promise.all([
      runChild(["submit", account.id, decisionId], "after-post"),
      submitPlan(context, { decisionId, epoch: 0, regate: allPass }),
    ]);
    await recover();
    await exchange.control.clock({ advanceMinutes: 1 });
    await recover();
    await expectTheTruth();
  });

  it("no named point is left out", () => {
    const tried = [...WHILE_SUBMITTING, ...WHILE_RECOVERING].map(({ at }) => at);
    expect([...tried, "in-fill", "in-split"].sort()).toEqual([...CRASH_POINTS].sort());
  });
});
