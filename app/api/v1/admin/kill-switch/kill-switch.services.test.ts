import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { marketData } from "@/lib/server/providers/market-data-registry.ts";
import { watchKillStates, type KillWatch } from "@/lib/server/services/automation/watch-kill-states.ts";
import { loadAccountState } from "@/lib/server/services/cycles/load-account-state.ts";
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
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";
import type { Account } from "@/lib/server/core/row-types.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as accountsDoor from "../../accounts/route.ts";
import * as heartbeatDoor from "../../automation/heartbeat/route.ts";
import * as door from "./route.ts";

interface KillSwitch {
  inForce: { kind: string; key: string; label: string; state: string; reason: string | null; by: string | null }[];
  history: { text: string; by: string; whose: string | null }[];
}

let exchange: Exchange;
/** A symbol beside SPY. */
let other: string;
let context: Context;
let first: Account;
let second: Account;
let stranger: Account;
let admin: { id: string; email: string };
let token: string;
let watch: KillWatch | null = null;

beforeAll(async () => {
  exchange = await startBench();
  const assets = await marketData("PRACTICE").assets();
  other = assets.find(({ symbol }) => symbol !== "SPY")?.symbol ?? "";
});
afterAll(() => exchange.close());
beforeEach(async () => {
  context = testContext();
  first = await openAccount(context);
  second = await openAccount(context, "100000", first);
  stranger = await openAccount(context);
  for (const { id } of [first, second, stranger]) await reconcileAccount(context, id);
  const user = await makeUser(db(), { role: "ADMIN" });
  admin = await db().user.findUniqueOrThrow({ where: { id: user.id } });
  token = await makeSignIn(db(), user);
});
afterEach(async () => {
  await watch?.close();
  watch = null;
  exchange.control.clearFaults();
  await db().symbolStop.deleteMany();
  await db().user.updateMany({ data: { killState: "NONE", killReason: null, killSetAt: null } });
  await db().systemState.update({ where: { id: 1 }, data: { killState: "NONE", killReason: null, killSetAt: null } });
  await db().account.updateMany({ data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" } });
});

const set = (body: object, by = token) => callDoor(door, "POST", { token: by, body });
const read = async () => (await callDoor(door, "GET", { token })).json?.data as unknown as KillSwitch;
const ofUser = (state: string, reason?: string) => ({
  scope: { kind: "user", userId: first.userId },
  state,
  ...(reason === undefined ? {} : { reason }),
});
const ofSymbol = (state: string, reason?: string) => ({
  scope: { kind: "symbol", market: "PRACTICE", symbol: "spy" },
  state,
  ...(reason === undefined ? {} : { reason }),
});
const epochOf = async ({ id }: Account) => (await db().account.findUniqueOrThrow({ where: { id } })).writerEpoch;
/** One order of an account, on its way through T1 and T2. */
async function send(account: Account, order: Parameters<typeof plannedOrder>[0]) {
  const decisionId = await decide(context, account, [plannedOrder(order)]);
  return (await submitPlan(context, { decisionId, epoch: await epochOf(account), regate: allPass }))[0];
}
/** Far below the market: it rests. */
const entry = (symbol = "SPY") => ({ symbol, type: "LIMIT", limitPrice: symbol === "SPY" ? "50" : "1" }) as const;
const working = (account: Account) =>
  truthOf(exchange, account).orders.filter(({ status, side }) => side === "buy" && status === "new");
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 25 });
const audits = (eventType: string) => db().auditEvent.findMany({ where: { eventType, actorUserId: admin.id } });
const balances = { equity: "100000", lastEquity: "100000", cash: "100000", buyingPower: "100000" };
const stateOf = (account: Account) =>
  loadAccountState(context, account.id, balances, { at: "2030-01-02T15:00:00.000Z", policy: POLICY_2_9_0 });

describe("a person's kill switch", () => {
  it("stops the next order in each account of the user, in no other user's, and tells the owner", async () => {
    expect(await set(ofUser("NO_NEW_ENTRIES", "under review"))).toMatchObject({
      status: 200,
      json: { data: { state: "NO_NEW_ENTRIES", isChanged: true } },
    });
    for (const account of [first, second])
      expect(await send(account, entry())).toMatchObject({
        status: "HALTED",
        reason: "kill switch of the user: no new entries",
      });
    expect(await send(stranger, entry())).toMatchObject({ status: "LIVE" });
    expect(await stateOf(second)).toMatchObject({ killState: "NO_NEW_ENTRIES" });

    const owner = await db().user.update({ where: { id: first.userId }, data: { emailVerifiedAt: new Date() } });
    const theirs = await makeSignIn(db(), owner);
    const heartbeat = await callDoor(heartbeatDoor, "GET", { token: theirs });
    expect((heartbeat.json?.data as unknown as { pausedReason: string }).pausedReason).toBe(
      "Stopped by an administrator. No new positions are opened; open entry orders are cancelled, except those of a rotation. under review",
    );
    const listed = (await callDoor(accountsDoor, "GET", { token: theirs })).json?.data as unknown as object[];
    expect(listed).toMatchObject([
      { stop: { state: "NO_NEW_ENTRIES", source: "ADMIN" } },
      { stop: { state: "NO_NEW_ENTRIES", source: "ADMIN" } },
    ]);
    expect(await db().logEvent.findMany({ where: { userId: first.userId, accountId: null } })).toMatchObject([
      { level: "warn", message: expect.stringContaining("under review") as string },
    ]);
    expect(await db().outbox.count({ where: { userId: first.userId } })).toBe(1);
  });

  it("is once in the audit trail however often it is thrown, with its reason and who did it", async () => {
    await set(ofUser("REDUCE_ONLY", "odd orders"));
    expect(await set(ofUser("REDUCE_ONLY", "odd orders"))).toMatchObject({ json: { data: { isChanged: false } } });
    expect(await audits("USER_KILL_STATE_SET")).toMatchObject([
      { subjectUserId: first.userId, data: { userId: first.userId, from: "NONE", to: "REDUCE_ONLY" } },
    ]);
    const { inForce, history } = await read();
    const { email } = await db().user.findUniqueOrThrow({ where: { id: first.userId } });
    expect(inForce).toMatchObject([
      { kind: "user", key: first.userId, label: email, state: "REDUCE_ONLY", reason: "odd orders", by: admin.email },
    ]);
    expect(history[0]).toMatchObject({ text: "Every account of the user now only reduces its positions: odd orders" });
  });

  it("cancels what still works of their purchases, and FLATTEN sells in each of their accounts", async () => {
    for (const account of [first, second]) await buyBracket(exchange, context, account);
    await db().position.updateMany({
      where: { accountId: { in: [first.id, second.id] } },
      data: { strategy: "MOMENTUM" },
    });
    await send(first, entry(other));
    expect(working(first)).toHaveLength(1);
    watch = watchKillStates(context, { everyMs: 50 });
    await set(ofUser("FLATTEN"));
    await eventually(() => expect(working(first)).toEqual([]));
    await vi.waitFor(
      async () => {
        await exchange.control.clock({ advanceMinutes: 1 });
        for (const account of [first, second]) expect(truthOf(exchange, account).positions).toEqual([]);
      },
      { timeout: 30_000, interval: 250 },
    );
  });

  it("is loosened with a reason only, and not while the outcome of an order of theirs is open", async () => {
    await set(ofUser("REDUCE_ONLY"));
    expect(await set(ofUser("NONE"))).toMatchObject({ status: 400 });
    exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "status", status: 503 });
    const intentsOf = { accountId: { in: [first.id, second.id] } };
    await db().user.update({
      where: { id: first.userId },
      data: { killState: "NONE", killSetAt: null, killReason: null },
    });
    expect(await send(second, entry())).toMatchObject({ status: "UNKNOWN" });
    await set(ofUser("REDUCE_ONLY"));
    expect(await set(ofUser("NONE", "all is well"))).toMatchObject({ status: 409 });
    await db().intent.updateMany({ where: intentsOf, data: { status: "EXPIRED" } });
    expect(await set(ofUser("NONE", "all is well"))).toMatchObject({
      status: 200,
      json: { data: { isChanged: true } },
    });
    expect(await send(first, entry())).toMatchObject({ status: "LIVE" });
  });

  it("of an unknown user is not found", async () => {
    const scope = { kind: "user", userId: crypto.randomUUID() };
    expect(await set({ scope, state: "FLATTEN" })).toMatchObject({ status: 404 });
  });
});

describe("a symbol's kill switch", () => {
  it("stops its next purchase in every account of the market; other symbols and its own sales pass", async () => {
    await buyBracket(exchange, context, first);
    expect(await set(ofSymbol("REDUCE_ONLY", "bad data"))).toMatchObject({ json: { data: { isChanged: true } } });
    for (const account of [first, second, stranger])
      expect(await send(account, entry())).toMatchObject({
        status: "HALTED",
        reason: "kill switch of the symbol: reduce only",
      });
    expect(await send(second, entry(other))).toMatchObject({ status: "LIVE" });
    expect(await send(first, { symbol: "SPY", side: "SELL", qty: "10" })).toMatchObject({ status: "LIVE" });
    expect((await stateOf(first)).stoppedSymbols).toEqual(["SPY"]);
    expect((await read()).inForce).toMatchObject([
      { kind: "symbol", key: "PRACTICE SPY", label: "SPY", state: "REDUCE_ONLY", reason: "bad data", by: admin.email },
    ]);
    expect(await audits("SYMBOL_KILL_STATE_SET")).toMatchObject([{ data: { symbol: "SPY", to: "REDUCE_ONLY" } }]);
  });

  it("of another market stops nothing here", async () => {
    const scope = { kind: "symbol", market: "US", symbol: "SPY" };
    await set({ scope, state: "REDUCE_ONLY" });
    expect(await send(first, entry())).toMatchObject({ status: "LIVE" });
    expect(await stateOf(first)).not.toHaveProperty("stoppedSymbols");
  });

  it("cancels its open purchases and leaves those of other symbols", async () => {
    await send(first, entry());
    await send(first, entry(other));
    expect(working(first)).toHaveLength(2);
    watch = watchKillStates(context, { everyMs: 50 });
    await set(ofSymbol("REDUCE_ONLY"));
    await eventually(() => expect(working(first).map(({ symbol }) => symbol)).toEqual([other]));
  });

  it("is on or off, and is lifted with a reason, not while the outcome of an order of the symbol is open", async () => {
    expect(await set(ofSymbol("FLATTEN"))).toMatchObject({ status: 400, json: { issues: [{ path: "state" }] } });
    exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "status", status: 503 });
    await send(first, entry());
    await set(ofSymbol("REDUCE_ONLY"));
    expect(await set(ofSymbol("NONE"))).toMatchObject({ status: 409 });
    await db().intent.updateMany({ where: { accountId: first.id }, data: { status: "EXPIRED" } });
    expect(await set(ofSymbol("NONE"))).toMatchObject({ status: 400 });
    expect(await set(ofSymbol("NONE", "data mended"))).toMatchObject({ json: { data: { isChanged: true } } });
    expect(await send(second, entry())).toMatchObject({ status: "LIVE" });
    expect(await audits("SYMBOL_KILL_STATE_SET")).toHaveLength(2);
  });
});

describe("a switch that another administrator has changed since it was looked at", () => {
  const scopes = () => [
    { kind: "system" },
    { kind: "user", userId: first.userId },
    { kind: "account", accountId: first.id },
  ];
  const inForce = async () => (await read()).inForce.map(({ state }) => state);

  it("is not loosened by who saw another state, on no level", async () => {
    for (const scope of scopes()) {
      await set({ scope, state: "FLATTEN" });
      for (const from of ["NONE", "NO_NEW_ENTRIES"])
        for (const state of ["NONE", "REDUCE_ONLY"].filter((each) => each !== from))
          expect(await set({ scope, state, from, reason: "calm" }), `${scope.kind} ${from} ${state}`).toMatchObject({
            status: 409,
            json: { error: expect.stringContaining("The kill switch was changed meanwhile.") as string },
          });
    }
    expect(await inForce()).toEqual(["FLATTEN", "FLATTEN", "FLATTEN"]);
    await set(ofSymbol("REDUCE_ONLY"));
    expect(await set({ ...ofSymbol("NONE", "mended"), from: "NONE" })).toMatchObject({ status: 409 });
  });

  it("is tightened whatever was seen, and loosened by who saw what is in force, or names nothing", async () => {
    const answer = { status: 200, json: { data: { isChanged: true } } };
    for (const scope of scopes()) {
      await set({ scope, state: "NO_NEW_ENTRIES" });
      expect(await set({ scope, state: "REDUCE_ONLY", from: "NONE" })).toMatchObject(answer);
      expect(await set({ scope, state: "FLATTEN", from: "NO_NEW_ENTRIES" })).toMatchObject(answer);
      expect(await set({ scope, state: "REDUCE_ONLY", from: "FLATTEN", reason: "calm" })).toMatchObject(answer);
      expect(await set({ scope, state: "NONE", reason: "calm" })).toMatchObject(answer);
    }
  });
});

describe("the door", () => {
  it("throws the switches of the system and of an account, too", async () => {
    const state = "NO_NEW_ENTRIES";
    expect(await set({ scope: { kind: "system" }, state, reason: "feed" })).toMatchObject({ status: 200 });
    expect(await set({ scope: { kind: "account", accountId: first.id }, state })).toMatchObject({ status: 200 });
    expect((await read()).inForce).toMatchObject([
      { kind: "system", label: "Every account", by: admin.email, reason: "feed" },
      { kind: "account", key: first.id, by: admin.email, reason: null },
    ]);
    expect(await send(stranger, entry())).toMatchObject({ reason: "kill switch of the system: no new entries" });
  });

  it("names an owner in the history where the stop concerns one, not for everybody or a symbol", async () => {
    await set({ scope: { kind: "system" }, state: "NO_NEW_ENTRIES", reason: "feed" });
    await set(ofSymbol("REDUCE_ONLY"));
    await set({ scope: { kind: "account", accountId: first.id }, state: "NO_NEW_ENTRIES" });
    const { email } = await db().user.findUniqueOrThrow({ where: { id: first.userId } });
    const { history } = await read();
    expect(history.slice(0, 3).map(({ whose }) => whose)).toEqual([email, null, null]);
  });

  it("opens to administrators alone", async () => {
    const user = await makeUser(db());
    const theirs = await makeSignIn(db(), user);
    expect(await callDoor(door, "GET", { token: theirs })).toMatchObject({ status: 403 });
    expect(await set(ofUser("FLATTEN"), theirs)).toMatchObject({ status: 403 });
    expect(await callDoor(door, "POST", { body: ofUser("FLATTEN") })).toMatchObject({ status: 401 });
    expect(await set({ ...ofUser("FLATTEN"), extra: 1 })).toMatchObject({ status: 400 });
    expect(await audits("USER_KILL_STATE_SET")).toEqual([]);
  });
});

it("for a disabled person nothing is bought; what is held is still sold", async () => {
  await buyBracket(exchange, context, first);
  await db().user.update({ where: { id: first.userId }, data: { disabledAt: new Date() } });
  expect(await send(second, entry())).toMatchObject({ status: "HALTED", reason: "the user is disabled" });
  expect(await send(first, { symbol: "SPY", side: "SELL", qty: "10" })).toMatchObject({ status: "LIVE" });
  expect(await stateOf(first)).toMatchObject({ automationOff: "the user is disabled by an administrator" });
});
