/**
 * The test bench of the order services: a user, an account on a real paper exchange, decisions to submit.
 * Only tests import it.
 */
import { randomUUID } from "node:crypto";
import type { GateResult, Plan, PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { money, text } from "@/lib/domain/money.ts";
import { startExchange, type Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "./row-types.ts";
import { createAlpacaBroker } from "../../broker/alpaca.ts";
import { createBrokers } from "../../broker/brokers.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { db, type Prisma } from "../../db.ts";
import { env, forgetEnv } from "../../env.ts";
import type { LogEventName } from "../../log-events.ts";
import { openKeys, sealKeys } from "../../secrets/seal.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { submitPlan } from "./submit-plan.ts";

/** The exchange's name of each account. */
const accountNumbers = new Map<string, string>();

export const CONTROL_TOKEN = "test-control-token";

/** A paper exchange at rest, six minutes into its first session, to which this process' brokers speak. */
export async function startBench(): Promise<Exchange> {
  const exchange = await startExchange({ port: 0, databaseUrl: null, controlToken: CONTROL_TOKEN, paused: true });
  await exchange.control.clock({ advanceMinutes: 6 });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
  return exchange;
}

export interface LogLine {
  level: string;
  event: LogEventName;
  fields: object;
}

export function testContext(overrides: Partial<Context> = {}): Context & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (event: LogEventName, fields: object) => void lines.push({ level, event, fields });
  return {
    actor: { kind: "system", name: "test" },
    now: () => new Date(),
    db: db(),
    log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
    request: { id: "test", ipAddress: null, userAgent: null },
    brokers: createBrokers(),
    marketData: () => {
      throw new Error("the order services read no market data");
    },
    queue: { enqueue: () => Promise.resolve() },
    lines,
    ...overrides,
  };
}

/** A context whose broker is this one: for what no exchange can be asked to do. */
export function withBroker(context: Context, broker: Broker): Context {
  return { ...context, brokers: { ...context.brokers, forAccount: () => broker } };
}

/** The account's broker with a short patience, so that a hanging request is given up soon. */
export function hastyBroker(account: Account, timeoutMs = 300): Broker {
  const { userId, id: accountId, environment, sealedKeys } = account;
  const keys = openKeys(sealedKeys ?? "", { userId, accountId, environment });
  return createAlpacaBroker({ tradingUrl: env().EXCHANGE_URL ?? "", keys, timeoutMs });
}

export const POLICY_VERSION = "2.9.0-test";

/** `of`: the owner of an account that is there already; a new person without it. */
export async function openAccount(context: Context, cash = "100000", of?: Account): Promise<Account> {
  const exchange = env().EXCHANGE_URL ?? "";
  const answer = await fetch(`${exchange}/_control/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-control-token": CONTROL_TOKEN },
    body: JSON.stringify({ cash }),
  });
  const opened = (await answer.json()) as { id: string; account_number: string; key_id: string; secret: string };
  const userId = of?.userId ?? (await newPerson(context));
  const id = randomUUID();
  accountNumbers.set(id, opened.account_number);
  return context.db.account.create({
    data: {
      id,
      userId,
      broker: "PRACTICE",
      market: "PRACTICE",
      environment: "PAPER",
      brokerAccountId: opened.id,
      keyPrefix: opened.key_id.slice(0, 8),
      sealedKeys: sealKeys(
        { keyId: opened.key_id, secret: opened.secret },
        { userId, accountId: id, environment: "PAPER" },
      ),
    },
  });
}

async function newPerson({ db }: Context): Promise<string> {
  const { id } = await db.user.create({
    data: {
      email: `${randomUUID()}@example.com`,
      firstName: "A",
      lastName: "B",
      passwordHash: "x",
      tradingPreferences: { create: {} },
    },
  });
  return id;
}

export const passedGate: GateResult = {
  code: "market_hours",
  passed: true,
  isWarning: false,
  margin: 1,
  detail: "open",
};
export const failedGate: GateResult = {
  ...passedGate,
  code: "order_rate",
  passed: false,
  margin: -1,
  detail: "61 of 60 orders",
};
export const allPass = () => [passedGate];

export function plannedOrder(order: Partial<PlannedOrder> & Pick<PlannedOrder, "symbol">): PlannedOrder {
  const isSale = order.side === "SELL";
  return {
    leg: 0,
    purpose: isSale ? "EXIT" : "ENTRY",
    side: "BUY",
    qty: "10",
    orderClass: "SIMPLE",
    type: "MARKET",
    timeInForce: "day",
    limitPrice: null,
    stopPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    decisionPrice: "100",
    reason: isSale ? "momentum_faded" : "entry_momentum",
    strategy: "MOMENTUM",
    confidence: isSale ? null : 0.8,
    gates: [passedGate],
    atr: isSale ? null : 2.5,
    ...order,
  };
}

/** A decision of the account with these orders, stored as the cycle would. */
export async function decide(
  context: Context,
  account: Account,
  orders: PlannedOrder[],
  cancels: string[] = [],
): Promise<string> {
  const { now } = await context.brokers.forAccount(account).clock();
  // Accounts decide side by side: an upsert of both would fail for one of them.
  await context.db.policyVersion.createMany({ data: [{ version: POLICY_VERSION, content: {} }], skipDuplicates: true });
  // In two parts, as market-record.ts stores a view.
  const [snapshotId, sessionPart] = [randomUUID(), randomUUID()];
  const part = { market: "PRACTICE" as const, asOf: new Date(now) };
  await context.db.marketSnapshot.createMany({
    data: [
      { ...part, id: sessionPart, content: { regime: { label: "risk_on" } } },
      { ...part, id: snapshotId, content: { sessionPart } },
    ],
  });
  const plan: Plan = {
    engineVersion: "1.0.0",
    policyVersion: POLICY_VERSION,
    at: now,
    orders,
    cancels,
    reviews: [],
    candidates: [],
    counts: { screened: 0, seated: 0, signals: orders.length, orders: orders.length },
    latch: null,
    line: "test",
  };
  const cycle = await context.db.cycle.create({
    data: {
      market: "PRACTICE",
      startedAt: new Date(Date.now() + Math.random() * 1e9),
      sessionDate: new Date(now.slice(0, 10)),
      snapshotId,
    },
  });
  const record = await context.db.decisionRecord.create({
    data: {
      cycleId: cycle.id,
      accountId: account.id,
      engineVersion: "1.0.0",
      policyVersion: POLICY_VERSION,
      snapshotId,
      inputHash: "x",
      accountState: {},
      plan: plan as unknown as Prisma.InputJsonObject,
      outputHash: "x",
      line: "test",
      decidedAt: new Date(now),
    },
  });
  return record.id;
}

/** The exchange's own books of the account. */
export function truthOf<T extends { account_number: string }>(
  exchange: { control: { truth(): T[] } },
  account: Account,
): T {
  const books = exchange.control.truth().find((truth) => truth.account_number === accountNumbers.get(account.id));
  if (books) return books;
  throw new Error("the exchange does not know the account");
}

/** The last price of a symbol, asked for by buying one share on an account of its own. */
async function priceOf(exchange: Exchange, symbol: string): Promise<ReturnType<typeof money>> {
  const context = testContext();
  const probe = await openAccount(context);
  const decisionId = await decide(context, probe, [plannedOrder({ symbol, qty: "1" })]);
  await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  await exchange.control.clock({ advanceMinutes: 1 });
  return money((await hastyBroker(probe, 5_000).positions())[0]?.currentPrice ?? "0");
}

/** SPY bought with a bracket whose legs stand `room` away on either side of the last price, filled and read. */
export async function buyBracket(
  exchange: Exchange,
  context: Context,
  account: Account,
  { stopRoom = "0.1", targetRoom = "0.1", qty = "10" }: { stopRoom?: string; targetRoom?: string; qty?: string } = {},
): Promise<void> {
  const price = await priceOf(exchange, "SPY");
  const at = (share: ReturnType<typeof money>) => price.times(share).toDecimalPlaces(2).toFixed();
  const order = plannedOrder({
    symbol: "SPY",
    qty,
    orderClass: "BRACKET",
    timeInForce: "gtc",
    takeProfitPrice: at(money(1).plus(targetRoom)),
    stopLossPrice: at(money(1).minus(stopRoom)),
    decisionPrice: text(price),
  });
  const decisionId = await decide(context, account, [order]);
  const [leg] = await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  if (leg?.status !== "LIVE") throw new Error(`the bracket is ${leg?.status ?? "lost"}: ${leg?.reason ?? ""}`);
  await exchange.control.clock({ advanceMinutes: 1 });
  await reconcileAccount(context, account.id);
}

/** Lets time pass for what waits for a lagging broker: fills were booked this long ago (wall time). */
export async function ageFills(context: Context, account: Account, ms = 60_000): Promise<void> {
  const createdAt = new Date(Date.now() - ms);
  await context.db.fill.updateMany({ where: { accountId: account.id }, data: { createdAt } });
}
