import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Broker } from "../../broker/broker.ts";
import { Prisma } from "../../db.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import {
  ageFills,
  allPass,
  decide,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { bypassingTriggers, keepRows } from "@/lib/proof/fixtures/every-right.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import type { Account } from "../../core/row-types.ts";
import { checkAccount } from "./check-account.ts";
import { checkSystem } from "./check-system.ts";
import { INVARIANTS, type InvariantId } from "./table.ts";

let exchange: Exchange;
let other: string;
const context = testContext();
const { db } = context;

beforeAll(async () => {
  exchange = await startBench();
  const { key_id, secret } = await exchange.control.createAccount();
  const headers = { "APCA-API-KEY-ID": key_id, "APCA-API-SECRET-KEY": secret };
  const assets = (await (await fetch(`${exchange.url}/v2/assets?status=active`, { headers })).json()) as {
    symbol: string;
  }[];
  other = assets.find(({ symbol }) => symbol !== "SPY")?.symbol ?? "";
});
afterAll(() => exchange.close());
const letRun = () =>
  db.systemState.update({ where: { id: 1 }, data: { killState: "NONE", killReason: null, killSetAt: null } });
beforeEach(async () => {
  exchange.control.clearFaults();
  await letRun();
});

/** An account with a history: two purchases, a sale that ended a round trip, and a reading of the broker since. */
async function accountWithHistory(): Promise<Account> {
  const account = await openAccount(context);
  await reconcileAccount(context, account.id);
  const trade = async (orders: Parameters<typeof plannedOrder>[0][]) => {
    const decisionId = await decide(
      context,
      account,
      orders.map((order, leg) => plannedOrder({ ...order, leg })),
    );
    await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
    await exchange.control.clock({ advanceMinutes: 2 });
    await reconcileAccount(context, account.id);
  };
  await trade([
    { symbol: "SPY", qty: "3" },
    { symbol: other, qty: "2" },
  ]);
  await trade([{ symbol: "SPY", qty: "3", side: "SELL" }]);
  // What is older than the overlap of the watermark is not read again.
  await exchange.control.clock({ advanceMinutes: 30 });
  await reconcileAccount(context, account.id);
  return account;
}

const stored = (scope: string) => db.invariantCheck.findUniqueOrThrow({ where: { scope } });
const haltOf = async ({ id }: Account) => (await db.account.findUniqueOrThrow({ where: { id } })).haltReason;

/** What an attacker with every right in the database can do. */
async function byHand(...statements: Prisma.Sql[]): Promise<void> {
  await bypassingTriggers(async (tx) => {
    for (const statement of statements) await tx.$executeRaw(statement);
  });
}

it("an account that traded is whole, and the look at it is kept", async () => {
  const account = await accountWithHistory();
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
  expect(await stored(account.id)).toMatchObject({ isWhole: true, breaches: [], undecided: null, haltedAt: null });
  expect(await haltOf(account)).toBeNull();
});

it("an order that waits for shares we do not hold may be restated by a split, and by nothing else (I1)", async () => {
  const account = await accountWithHistory();
  const order = plannedOrder({ symbol: other, qty: "2", type: "LIMIT", limitPrice: "1", timeInForce: "gtc" });
  const decisionId = await decide(context, account, [order]);
  await submitPlan(context, { decisionId, epoch: account.writerEpoch, regate: allPass });
  await reconcileAccount(context, account.id);
  const restate = (qty: string, limitPrice: string) =>
    byHand(
      Prisma.sql`update "Order" set "qty" = ${qty}::numeric, "limitPrice" = ${limitPrice}::numeric where "accountId" = ${account.id}::uuid and "status" = 'NEW' and "symbol" = ${other} and "side" = 'BUY' and "limitPrice" is not null`,
    );
  const broken = async () => (await checkAccount(context, { accountId: account.id })).map(({ invariant }) => invariant);
  await restate("8", "0.25");
  expect(await broken()).toEqual([]);
  await restate("8", "1");
  expect(await broken()).toContain("I1");
});

/** The same account with its history for each test of a describe: what the test before did to its rows is undone. */
function oneHistory(): () => Account {
  let account: Account;
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await letRun();
    account = await accountWithHistory();
    restore = await keepRows();
  });
  beforeEach(async () => {
    await restore();
    // As long as the tests may take, its broker was read a moment ago.
    await db.account.update({ where: { id: account.id }, data: { reconciledAt: new Date() } });
  });
  return () => account;
}

type Edit = (account: Account) => Prisma.Sql[];

/** A sale that was sent days ago, with its gates, and never answered. */
function openQuestion(accountId: string): Prisma.Sql[] {
  const [intentId, planId, first, second] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const changes = {
    ...{ id: intentId, planId, gateVerdictId: first, clientOrderId: `tw-${planId}`, status: "UNKNOWN", side: "SELL" },
    submittedAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  };
  const verdict = (verdictId: string, phase: string) => Prisma.sql`
    insert into "GateVerdict" select (jsonb_populate_record(g, jsonb_build_object('id', ${verdictId}::text, 'intentId', ${intentId}::text, 'createdAt', now() - interval '4 days'))).*
    from "GateVerdict" g join "Intent" i on i."id" = g."intentId" where i."accountId" = ${accountId}::uuid and i."symbol" = ${other} and g."phase" = ${phase}::"GatePhase"`;
  return [
    verdict(first, "T1"),
    verdict(second, "T2"),
    Prisma.sql`insert into "Intent" select (jsonb_populate_record(i, ${JSON.stringify(changes)}::jsonb)).* from "Intent" i where i."accountId" = ${accountId}::uuid and i."symbol" = ${other}`,
  ];
}

const SALE = Prisma.sql`"side" = 'SELL'`;
const EDITS: [InvariantId, string, Edit][] = [
  [
    "I1",
    "an order of another size than decided",
    ({ id }) => [Prisma.sql`update "Order" set "qty" = "qty" + 1 where "accountId" = ${id}::uuid and ${SALE}`],
  ],
  [
    "I1",
    "a filled intent without its order",
    ({ id }) => [
      Prisma.sql`update "Intent" set "clientOrderId" = "clientOrderId" || '-x' where "accountId" = ${id}::uuid and ${SALE}`,
    ],
  ],
  [
    "I1",
    "an order with our id and without a decision",
    ({ id }) => [
      Prisma.sql`update "Order" set "origin" = 'EXTERNAL', "intentId" = null where "accountId" = ${id}::uuid and ${SALE}`,
    ],
  ],
  [
    "I2",
    "a second order with the same id",
    ({ id }) => [
      Prisma.sql`insert into "Order" select gen_random_uuid(), "accountId", "intentId", "parentId", "origin", "role", 'other-' || "brokerOrderId", "clientOrderId", "symbol",
        "side", "orderClass", "type", "timeInForce", "qty", "notional", "limitPrice", "stopPrice", "status", "brokerStatus", "filledQty", "filledAvgPrice", "filledValue",
        "reason", "replacedById", "submittedAt", "filledAt", "endedAt", "brokerUpdatedAt", "tradedAt", "createdAt", "updatedAt"
        from "Order" where "accountId" = ${id}::uuid and ${SALE}`,
    ],
  ],
  [
    "I2",
    "a second filled attempt of a leg",
    ({ id }) => [
      Prisma.sql`update "Intent" set "planId" = (select "planId" from "Intent" where "accountId" = ${id}::uuid and ${SALE}), "attempt" = 2, "leg" = 0 where "accountId" = ${id}::uuid and "symbol" = ${other}`,
    ],
  ],
  [
    "I3",
    "a fill that was made larger",
    ({ id }) => [Prisma.sql`update "Fill" set "qty" = "qty" + 1 where "accountId" = ${id}::uuid and ${SALE}`],
  ],
  [
    "I3",
    "an order that has filled less than its fills",
    ({ id }) => [
      Prisma.sql`update "Order" set "filledQty" = "filledQty" - 1 where "accountId" = ${id}::uuid and ${SALE}`,
    ],
  ],
  [
    "I4",
    "a position of another size than its lots",
    ({ id }) => [Prisma.sql`update "Position" set "qty" = "qty" + 1 where "accountId" = ${id}::uuid`],
  ],
  [
    "I4",
    "a lot that lost a share",
    ({ id }) => [
      Prisma.sql`update "Lot" set "qtyRemaining" = "qtyRemaining" - 1 where "accountId" = ${id}::uuid and "symbol" = ${other}`,
    ],
  ],
  [
    "I5",
    "a deposit that was never made",
    ({ id }) => [
      Prisma.sql`insert into "CashFlow" ("id", "accountId", "activityId", "type", "amount", "isExternal", "at") values (gen_random_uuid(), ${id}::uuid, 'by-hand', 'CSD', 0.02, true, now())`,
    ],
  ],
  [
    "I5",
    "a fill at another price",
    ({ id }) => [Prisma.sql`update "Fill" set "price" = "price" + 0.5 where "accountId" = ${id}::uuid and ${SALE}`],
  ],
  [
    "I6",
    "an order whose last look did not pass",
    ({ id }) => [
      Prisma.sql`update "GateVerdict" g set "passed" = false from "Intent" i where i."id" = g."intentId" and i."accountId" = ${id}::uuid and g."phase" = 'T2'`,
    ],
  ],
  [
    "I6",
    "an order without the gate of its decision",
    ({ id }) => [
      Prisma.sql`update "Intent" set "gateVerdictId" = gen_random_uuid() where "accountId" = ${id}::uuid and ${SALE}`,
    ],
  ],
  [
    "I7",
    "an order sent while the account was halted",
    ({ id }) => [
      Prisma.sql`update "Account" set "haltedAt" = now() - interval '1 hour', "haltReason" = 'by hand' where "id" = ${id}::uuid`,
    ],
  ],
  [
    "I7",
    "a purchase that saw the kill switch",
    ({ id }) => [
      Prisma.sql`update "GateVerdict" g set "inputs" = g."inputs" || '{"killState": "REDUCE_ONLY"}' from "Intent" i where i."id" = g."intentId" and i."accountId" = ${id}::uuid and g."phase" = 'T2'`,
    ],
  ],
  [
    "I7",
    "a purchase that saw the kill switch of its owner",
    ({ id }) => [
      Prisma.sql`update "GateVerdict" g set "inputs" = g."inputs" || '{"userKillState": "REDUCE_ONLY"}' from "Intent" i where i."id" = g."intentId" and i."accountId" = ${id}::uuid and g."phase" = 'T2'`,
    ],
  ],
  [
    "I7",
    "a purchase that saw the kill switch of its symbol",
    ({ id }) => [
      Prisma.sql`update "GateVerdict" g set "inputs" = g."inputs" || '{"isSymbolStopped": true}' from "Intent" i where i."id" = g."intentId" and i."accountId" = ${id}::uuid and g."phase" = 'T2'`,
    ],
  ],
  [
    "I7",
    "a purchase sent while all accounts of its owner were stopped",
    ({ id }) => [
      Prisma.sql`update "User" set "killState" = 'REDUCE_ONLY', "killSetAt" = now() - interval '1 hour' where "id" = (select "userId" from "Account" where "id" = ${id}::uuid)`,
    ],
  ],
  [
    "I8",
    "a filled order that works again",
    ({ id }) => [Prisma.sql`update "Order" set "status" = 'NEW' where "accountId" = ${id}::uuid and ${SALE}`],
  ],
  [
    "I8",
    "an intent that left its end",
    ({ id }) => [Prisma.sql`update "Intent" set "status" = 'LIVE' where "accountId" = ${id}::uuid and ${SALE}`],
  ],
  [
    "I12",
    "an order without its row in the audit",
    ({ id }) => [
      Prisma.sql`delete from "AuditEvent" where "eventType" = 'ORDER_SENT' and "data" ->> 'accountId' = ${id}`,
    ],
  ],
];

describe("a row that was edited by hand is named by the next look, and halts its account (H11):", () => {
  const history = oneHistory();
  it.each(EDITS)("%s: %s", async (invariant, _, edit) => {
    const account = history();
    await byHand(...edit(account));
    const breaches = await checkAccount(context, { accountId: account.id });
    expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
    const check = await stored(account.id);
    expect(check).toMatchObject({ isWhole: false, breaches });
    expect(check.brokenSince).not.toBeNull();
    expect(await haltOf(account)).not.toBeNull();
    if (await db.account.count({ where: { id: account.id, haltReason: { contains: "An invariant is broken" } } }))
      expect(
        await db.auditEvent.count({
          where: { eventType: "ACCOUNT_HALTED", data: { path: ["accountId"], equals: account.id } },
        }),
      ).toBe(1);
  });
});

describe("what does not put money at risk is reported, and the account is not halted:", () => {
  const TOLD: [InvariantId, string, Edit][] = [
    ["I9", "a question that stayed open", ({ id }) => openQuestion(id)],
    [
      "I10",
      "an order over a gate",
      ({ id }) => [
        Prisma.sql`update "GateVerdict" g set "results" = '[{"code": "order_rate", "passed": false, "isWarning": false}]' from "Intent" i where i."id" = g."intentId" and i."accountId" = ${id}::uuid and g."phase" = 'T2'`,
      ],
    ],
    [
      "I20",
      "a price below nothing",
      ({ id }) => [Prisma.sql`update "Order" set "stopPrice" = -1 where "accountId" = ${id}::uuid and ${SALE}`],
    ],
    [
      "I21",
      "a figure that its rows do not make",
      ({ id }) => [
        Prisma.sql`update "AccountFigures" set "winningTrips" = "winningTrips" + 1 where "accountId" = ${id}::uuid`,
      ],
    ],
    [
      "I25",
      "a total that its trades do not make",
      ({ id }) => [Prisma.sql`update "TradeTotals" set "volume" = "volume" + 0.01 where "accountId" = ${id}::uuid`],
    ],
    [
      "I25",
      "totals that are gone",
      ({ id }) => [Prisma.sql`delete from "TradeTotals" where "accountId" = ${id}::uuid`],
    ],
    [
      "I26",
      "shares without a live stop for more than 30 s of open market",
      ({ id }) => [
        Prisma.sql`insert into "OwedStop" ("id", "accountId", "symbol", "qty", "reason", "bareSince")
          values (gen_random_uuid(), ${id}::uuid, 'SPY', 10, 'test', now() - interval '31 seconds')`,
      ],
    ],
    [
      "I24",
      "an account without a follower",
      ({ id }) => [
        Prisma.sql`update "Account" set "reconciledAt" = now() - interval '2 minutes', "createdAt" = now() - interval '1 day' where "id" = ${id}::uuid`,
      ],
    ],
  ];
  const history = oneHistory();
  it.each(TOLD)("%s: %s (H11)", async (invariant, _, edit) => {
    const account = history();
    await byHand(...edit(account));
    const breaches = await checkAccount(context, { accountId: account.id });
    expect([...new Set(breaches.map((breach) => breach.invariant))]).toEqual([invariant]);
    expect(await stored(account.id)).toMatchObject({ isWhole: false, haltedAt: null });
    expect(await haltOf(account)).toBeNull();
  });
});

it("a break that ends is forgotten, one that lasts keeps its beginning", async () => {
  const account = await accountWithHistory();
  await byHand(
    Prisma.sql`update "AccountFigures" set "tradeCount" = "tradeCount" + 1 where "accountId" = ${account.id}::uuid`,
  );
  await checkAccount(context, { accountId: account.id });
  const { brokenSince } = await stored(account.id);
  await checkAccount(context, { accountId: account.id });
  expect((await stored(account.id)).brokenSince).toEqual(brokenSince);
  await byHand(
    Prisma.sql`update "AccountFigures" set "tradeCount" = "tradeCount" - 1 where "accountId" = ${account.id}::uuid`,
  );
  await checkAccount(context, { accountId: account.id });
  expect(await stored(account.id)).toMatchObject({ isWhole: true, brokenSince: null });
});

it("fills that only the broker knows yet are read before anything is believed", async () => {
  const account = await accountWithHistory();
  const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "2" })]);
  await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  await exchange.control.clock({ advanceMinutes: 2 });
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
  expect(await haltOf(account)).toBeNull();
});

it("an account that goes on buying while its books are read is not halted for what was just on the way", async () => {
  const account = await accountWithHistory();
  let bought = 0;
  const real = context.brokers.forAccount(account);
  /** Each time its cash is asked for, one more purchase was filled that we did not hear of yet. */
  const buying: Broker = {
    ...real,
    account: async () => {
      bought += 1;
      const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: String(bought) })]);
      await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
      await exchange.control.clock({ advanceMinutes: 2 });
      return real.account();
    },
  };
  const busy = withBroker(context, buying);
  expect(await checkAccount(busy, { accountId: account.id })).toEqual([]);
  expect(bought, "two readings, and the one of the books between, each met another purchase").toBe(3);
  expect((await stored(account.id)).undecided).not.toBeNull();
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
  expect(await stored(account.id)).toMatchObject({ isWhole: true, undecided: null });
  expect(await haltOf(account)).toBeNull();
});

it("positions that lag behind their fills are waited for, and halt the account where they never come", async () => {
  const account = await accountWithHistory();
  exchange.control.addFault({ kind: "stale_positions", count: 0 });
  const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "2" })]);
  await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  await exchange.control.clock({ advanceMinutes: 2 });
  await reconcileAccount(context, account.id);
  expect((await checkAccount(context, { accountId: account.id })).map(({ invariant }) => invariant)).not.toContain(
    "I4",
  );
  expect((await stored(account.id)).undecided).toBe("positions may lag behind their fills: SPY");
  await ageFills(context, account);
  expect((await checkAccount(context, { accountId: account.id })).map(({ invariant }) => invariant)).toContain("I4");
  expect(await haltOf(account)).not.toBeNull();
});

it("while the broker is unavailable, what only it could explain halts no account (B1)", async () => {
  const account = await accountWithHistory();
  await byHand(
    Prisma.sql`update "Order" set "filledQty" = "filledQty" - 1 where "accountId" = ${account.id}::uuid and ${SALE}`,
  );
  exchange.control.addFault({ kind: "drop_before_accept", path: "/v2/", count: 0 });
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
  expect((await stored(account.id)).undecided).toMatch(/cannot be reached/);
  expect(await haltOf(account)).toBeNull();
  exchange.control.clearFaults();
  expect((await checkAccount(context, { accountId: account.id })).map(({ invariant }) => invariant)).toContain("I3");
  expect(await haltOf(account)).not.toBeNull();
});

it("more than three accounts halted in one round stop all entries, three do not", async () => {
  await db.invariantCheck.updateMany({ data: { haltedAt: null } });
  const stops = () => db.auditEvent.count({ where: { eventType: "SYSTEM_KILL_STATE_SET" } });
  const before = await stops();
  const breakOne = async () => {
    const account = await accountWithHistory();
    await byHand(Prisma.sql`update "Intent" set "status" = 'LIVE' where "accountId" = ${account.id}::uuid and ${SALE}`);
    await checkAccount(context, { accountId: account.id });
  };
  for (let broken = 0; broken < 3; broken += 1) await breakOne();
  expect(await db.systemState.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ killState: "NONE" });
  await breakOne();
  const { killState, killReason } = await db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  expect({ killState, killReason }).toEqual({
    killState: "NO_NEW_ENTRIES",
    killReason: "Invariants broke in 4 accounts within a minute",
  });
  expect(await stops()).toBe(before + 1);
});

describe("what all accounts share", () => {
  const note = (n: number) =>
    db.$transaction((tx) =>
      recordAudit(tx, {
        at: new Date(),
        eventType: "KEYS_RESEALED",
        actor: context.actor,
        requestId: "t",
        data: { n },
      }),
    );
  /** The tests above cut rows out of the chain: this begins a new one. */
  const beginAnew = () =>
    byHand(
      Prisma.sql`delete from "AuditEvent"`,
      Prisma.sql`delete from "AuditHead"`,
      Prisma.sql`delete from "InvariantCheck" where "scope" = 'system'`,
    );

  it("is whole, and the chain is followed from where the last look ended", async () => {
    await beginAnew();
    for (let n = 0; n < 5; n += 1) await note(n);
    expect(await checkSystem(context)).toEqual([]);
    expect(await stored("system")).toMatchObject({ isWhole: true, provenSeq: 5n });
    await note(6);
    expect(await checkSystem(context)).toEqual([]);
    expect((await stored("system")).provenSeq).toBe(6n);
  });

  it.each([
    ["an edited row", Prisma.sql`update "AuditEvent" set "data" = '{"n": 9}' where "seq" = 7`],
    ["a row that is missing", Prisma.sql`delete from "AuditEvent" where "seq" = 7`],
    ["an end that was cut off", Prisma.sql`delete from "AuditEvent" where "seq" > 6`],
    ["a proven row with another hash", Prisma.sql`update "AuditEvent" set "hash" = 'x' where "seq" = 6`],
  ])("I12: %s stops all entries (H12)", async (_, edit) => {
    await beginAnew();
    for (let n = 0; n < 6; n += 1) await note(n);
    await checkSystem(context);
    for (let n = 6; n < 9; n += 1) await note(n);
    await byHand(edit);
    expect((await checkSystem(context)).map(({ invariant }) => invariant)).toEqual(["I12"]);
    expect(await db.systemState.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ killState: "NO_NEW_ENTRIES" });
  });

  it("I11 and I13: a plan executed without approval and a mail both sent and failed are reported", async () => {
    await beginAnew();
    await byHand(
      Prisma.sql`insert into "RotationPlan" ("id", "market", "sessionDate", "policyVersion", "approvalStatus", "actions", "metrics", "kpiSnapshot", "expiresAt", "executedAt")
        values (gen_random_uuid(), 'PRACTICE', current_date, 'none', 'EXECUTED', '[]', '{}', '{}', now(), now())`,
      Prisma.sql`insert into "Outbox" ("id", "dedupeKey", "recipient", "template", "props", "sentAt", "failedAt")
        values (gen_random_uuid(), ${randomUUID()}, 'a@example.com', 'x', '{}', now(), now())`,
    );
    expect((await checkSystem(context)).map(({ invariant }) => invariant)).toEqual(["I11", "I13"]);
    expect(await db.systemState.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({ killState: "NONE" });
  });
});

it("the table says of every invariant where it is proven", () => {
  expect(Object.keys(INVARIANTS)).toEqual(Array.from({ length: 26 }, (_, index) => `I${index + 1}`));
  for (const { proof, checkedBy } of Object.values(INVARIANTS))
    expect(proof.length + checkedBy.length).toBeGreaterThan(4);
});
