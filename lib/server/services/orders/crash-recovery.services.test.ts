import { spawn } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { money, sum, text } from "@/lib/domain/money.ts";
import { IN_FLIGHT_INTENTS } from "@/lib/domain/orders.ts";
import { startExchange, type Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "./row-types.ts";
import type { Context } from "../../context.ts";
import { forgetEnv } from "../../env.ts";
import type { CrashPoint } from "../../crash-point.ts";
import { allPass, CONTROL_TOKEN, decide, openAccount, plannedOrder, testContext, truthOf } from "./bench.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
beforeAll(async () => {
  exchange = await startExchange({ port: 0, databaseUrl: null, controlToken: CONTROL_TOKEN, paused: true });
  await exchange.control.clock({ advanceMinutes: 6 });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  exchange.control.clearFaults();
  context = testContext();
  account = await openAccount(context);
});

const child = path.join(import.meta.dirname, "crash-child.ts");

/** Runs the child to its end; answers the signal that ended it, or its report. */
function runChild(args: string[], crashAt = ""): Promise<{ signal: string | null; output: string }> {
  return new Promise((resolve, reject) => {
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "test", CRASH_AT: crashAt };
    const run = spawn(process.execPath, ["--import", "tsx", child, ...args], {
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
  const legs = truth.orders.map(({ symbol, side }) => `${symbol} ${side}`);
  expect(new Set(legs).size, "no leg of the plan twice").toBe(legs.length);
  expect(orders.map((row) => row.brokerOrderId).sort(), "every order is known").toEqual(
    truth.orders.map(({ id }) => id).sort(),
  );
  expect(orders.every((row) => row.origin === "OURS")).toBe(true);
  const inTheAir = intents.filter(
    (row) => row.status !== "LIVE" && row.status !== "PARKED" && IN_FLIGHT_INTENTS.includes(row.status as "LIVE"),
  );
  expect(inTheAir, "nothing left in the air").toEqual([]);
  for (const row of intents) {
    const isThere = sent.includes(row.clientOrderId);
    expect(["LIVE", "FILLED"].includes(row.status), `${row.clientOrderId} is ${row.status}`).toBe(isThere);
  }
  expect(text(sum(fills.map((fill) => money(fill.qty))))).toBe(text(sum(truth.fills.map((fill) => money(fill.qty)))));
  for (const { symbol, qty } of truth.positions)
    expect(text(sum(lots.filter((lot) => lot.symbol === symbol).map((lot) => money(lot.qtyRemaining))))).toBe(
      text(qty),
    );
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

const POINTS: [CrashPoint, number][] = [
  ["before-intent", 0],
  ["after-intent", 0],
  ["after-mark", 0],
  ["after-post", 1],
  ["before-record", 1],
  ["inside-record", 1],
  ["after-record", 1],
];

for (const uniqueness of ["on", "off"])
  describe(`a worker killed while it submits (client-id uniqueness ${uniqueness})`, () => {
    it.each(POINTS)("at %s leaves no order doubled and none lost", async (point, taken) => {
      if (uniqueness === "off") exchange.control.addFault({ kind: "uniqueness_off" });
      const decisionId = await twoLegs();
      const killed = await runChild(["submit", account.id, decisionId], point);
      expect(killed.signal).toBe("SIGKILL");
      expect(truthOf(exchange, account).orders).toHaveLength(taken);
      await runChild(["recover", account.id]);
      // The same decision again, as a queue would hand it out twice: recovery has settled what was begun.
      await runChild(["submit", account.id, decisionId]);
      await exchange.control.clock({ advanceMinutes: 1 });
      await runChild(["recover", account.id]);
      await expectTheTruth();
    });
  });

describe("a worker killed elsewhere", () => {
  it("at the second order of a plan: the first one is kept, the second is settled", async () => {
    const decisionId = await twoLegs();
    expect((await runChild(["submit", account.id, decisionId], "after-post:2")).signal).toBe("SIGKILL");
    await runChild(["recover", account.id]);
    await expectTheTruth();
    expect(truthOf(exchange, account).orders).toHaveLength(2);
  });

  it("inside the booking of a fill: the fill is booked once", async () => {
    await submitPlan(context, { decisionId: await twoLegs(), epoch: 0, regate: allPass });
    await exchange.control.clock({ advanceMinutes: 1 });
    expect((await runChild(["recover", account.id], "in-fill:2")).signal).toBe("SIGKILL");
    expect(await context.db.fill.count({ where: { accountId: account.id } })).toBe(1);
    await runChild(["recover", account.id]);
    await expectTheTruth();
    expect(await context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } })).toMatchObject({
      tradeCount: 2,
    });
  });

  it("before anything was sent: the decision is halted, and says that it was interrupted", async () => {
    const decisionId = await twoLegs();
    await runChild(["submit", account.id, decisionId], "after-intent");
    await runChild(["recover", account.id]);
    const [intent] = await context.db.intent.findMany({ where: { accountId: account.id } });
    expect(intent).toMatchObject({ status: "HALTED", lastError: "interrupted before sending" });
    expect(truthOf(exchange, account).orders).toHaveLength(0);
  });

  it("two workers at once on one account, one of them killed: one order per leg", async () => {
    exchange.control.addFault({ kind: "uniqueness_off" });
    const decisionId = await twoLegs();
    await Promise.all([
      runChild(["submit", account.id, decisionId], "after-post"),
      submitPlan(context, { decisionId, epoch: 0, regate: allPass }),
    ]);
    await runChild(["recover", account.id]);
    await exchange.control.clock({ advanceMinutes: 1 });
    await runChild(["recover", account.id]);
    await expectTheTruth();
  });
});
