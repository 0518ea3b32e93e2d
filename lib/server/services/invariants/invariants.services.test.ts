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
  plannedOrder,
  startBench,
  testContext,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import {
  accountWithHistory,
  byHand,
  HALTING,
  keepFresh,
  otherSymbol,
  SALE,
  TOLD,
} from "@/lib/proof/fixtures/broken-books.ts";
import { keepRows } from "@/lib/proof/fixtures/every-right.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import type { Account } from "../../core/row-types.ts";
import { checkAccount } from "./check-account.ts";
import { checkSystem } from "./check-system.ts";
import { INVARIANTS } from "./table.ts";

let exchange: Exchange;
let other: string;
const context = testContext();
const { db } = context;

beforeAll(async () => {
  exchange = await startBench();
  other = await otherSymbol(exchange);
});
afterAll(() => exchange.close());
const letRun = () =>
  db.systemState.update({ where: { id: 1 }, data: { killState: "NONE", killReason: null, killSetAt: null } });
beforeEach(async () => {
  exchange.control.clearFaults();
  await letRun();
});

const historyOf = () => accountWithHistory(exchange, context, other);
const stored = (scope: string) => db.invariantCheck.findUniqueOrThrow({ where: { scope } });
const haltOf = async ({ id }: Account) => (await db.account.findUniqueOrThrow({ where: { id } })).haltReason;

it("an account that traded is whole, and the look at it is kept", async () => {
  const account = await historyOf();
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
  expect(await stored(account.id)).toMatchObject({ isWhole: true, breaches: [], undecided: null, haltedAt: null });
  expect(await haltOf(account)).toBeNull();
});

it("an order that waits for shares we do not hold may be restated by a split, and by nothing else (I1)", async () => {
  const account = await historyOf();
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
    account = await historyOf();
    restore = await keepRows();
  });
  beforeEach(async () => {
    await restore();
    await keepFresh(context);
  });
  return () => account;
}

describe("a row that was edited by hand is named by the next look, and halts its account (H11):", () => {
  const history = oneHistory();
  let recorded = 0;
  it.each(HALTING)("%s: %s", async (invariant, _, edit) => {
    const account = history();
    await byHand(...edit(account));
    const breaches = await checkAccount(context, { accountId: account.id });
    expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
    const check = await stored(account.id);
    expect(check).toMatchObject({ isWhole: false, breaches });
    expect(check.brokenSince).not.toBeNull();
    expect(await haltOf(account)).not.toBeNull();
    // Where the reconciliation that the check asks for halted it first, the halt has another reason.
    if (!(await haltOf(account))?.includes("An invariant is broken")) return;
    recorded += 1;
    expect(
      await db.auditEvent.count({
        where: { eventType: "ACCOUNT_HALTED", data: { path: ["accountId"], equals: account.id } },
      }),
    ).toBe(1);
  });

  it("and most of these halts are recorded once, by the check itself", () => {
    expect(recorded).toBeGreaterThan(HALTING.length / 2);
  });
});

describe("what does not put money at risk is reported, and the account is not halted:", () => {
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
  const account = await historyOf();
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
  const account = await historyOf();
  const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "2" })]);
  await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  await exchange.control.clock({ advanceMinutes: 2 });
  expect(await checkAccount(context, { accountId: account.id })).toEqual([]);
  expect(await haltOf(account)).toBeNull();
});

it("an account that goes on buying while its books are read is not halted for what was just on the way", async () => {
  const account = await historyOf();
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
  const account = await historyOf();
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
  const account = await historyOf();
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
    const account = await historyOf();
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
