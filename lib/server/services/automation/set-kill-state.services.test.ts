import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { makeUser } from "@/prisma/factories.ts";
import { withPersonal } from "../../audit/personal.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, decide, plannedOrder } from "@/lib/proof/fixtures/orders.ts";
import type { Actor, Context, SignedIn } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { readHeartbeat } from "./read-heartbeat.ts";
import { setAccountKillState, setSystemKillState } from "./set-kill-state.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let admin: Actor;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  const { id } = await makeUser(context.db, { role: "ADMIN" });
  admin = { kind: "user", userId: id, role: "ADMIN", signInId: "s", confirmedAt: new Date() };
});
afterEach(() =>
  context.db.systemState.update({ where: { id: 1 }, data: { killState: "NONE", killReason: null, killSetAt: null } }),
);

const as = <A extends Actor>(actor: A) => ({ ...context, actor });
const owner = (): SignedIn => ({
  kind: "user",
  userId: account.userId,
  role: "USER",
  signInId: "s",
  confirmedAt: new Date(),
});
const set = (actor: Actor, killState: Account["killState"], reason?: string) =>
  setAccountKillState(as(actor), { id: account.id, killState, ...(reason === undefined ? {} : { reason }) });
const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const audits = (eventType: string) =>
  context.db.auditEvent.findMany({ where: { eventType, subjectUserId: account.userId }, orderBy: { seq: "asc" } });
const entry = (symbol = "SPY") => decide(context, account, [plannedOrder({ symbol, type: "LIMIT", limitPrice: "50" })]);
const submit = async (decisionId: string) => submitPlan(context, { decisionId, epoch: 0, regate: allPass });
/** An order whose answer never came: asked for, not settled. */
async function leaveUnknown(): Promise<void> {
  exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "status", status: 503 });
  expect((await submit(await entry()))[0]).toMatchObject({ status: "UNKNOWN" });
}

describe("stopping an account", () => {
  it("is written with its reason, an audit row, a line for the person and one mail", async () => {
    expect(await set(owner(), "NO_NEW_ENTRIES", "going on holiday")).toMatchObject({
      killState: "NO_NEW_ENTRIES",
      isChanged: true,
    });
    expect(await row()).toMatchObject({
      killState: "NO_NEW_ENTRIES",
      killReason: "going on holiday",
      killSource: "OWNER",
      killSetAt: expect.any(Date) as Date,
    });
    const [audit, ...others] = await audits("KILL_STATE_SET");
    expect(others).toEqual([]);
    expect(audit).toMatchObject({
      actorUserId: account.userId,
      data: { accountId: account.id, from: "NONE", to: "NO_NEW_ENTRIES" },
    });
    expect(await withPersonal(context.db, [audit!])).toMatchObject([{ personal: { reason: "going on holiday" } }]);
    const lines = await context.db.logEvent.findMany({ where: { accountId: account.id } });
    expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining("going on holiday") as string]);
    const mails = await context.db.outbox.findMany({ where: { userId: account.userId } });
    expect(mails.map(({ template, props }) => [template, (props as { subject: string }).subject])).toEqual([
      ["system-alert", "Your account opens no new positions"],
    ]);
  });

  it("twice is once: no second audit row, no second mail", async () => {
    await set(owner(), "REDUCE_ONLY");
    expect(await set(owner(), "REDUCE_ONLY")).toMatchObject({ killState: "REDUCE_ONLY", isChanged: false });
    expect(await audits("KILL_STATE_SET")).toHaveLength(1);
    expect(await context.db.outbox.count({ where: { userId: account.userId } })).toBe(1);
  });

  it("sends no mail to a person who wants no system alerts", async () => {
    await context.db.notificationPreferences.create({ data: { userId: account.userId, systemAlerts: false } });
    await set(admin, "FLATTEN");
    expect(await context.db.outbox.count({ where: { userId: account.userId } })).toBe(0);
  });

  it("is for its owner and for administrators; to others the account does not exist", async () => {
    const { id: userId } = await makeUser(context.db);
    const stranger: Actor = { kind: "user", userId, role: "USER", signInId: "s" };
    await expect(set(stranger, "FLATTEN")).rejects.toMatchObject({ code: "not_found" });
    await expect(set({ kind: "anonymous" }, "FLATTEN")).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await row()).killState).toBe("NONE");
    expect(await set(admin, "NO_NEW_ENTRIES")).toMatchObject({ isChanged: true });
    expect(await set({ kind: "system", name: "checker" }, "FLATTEN")).toMatchObject({ isChanged: true });
  });

  it("stops the very next order, and lets exits pass", async () => {
    await set(owner(), "NO_NEW_ENTRIES");
    expect((await submit(await entry()))[0]).toMatchObject({
      status: "HALTED",
      reason: "kill switch of the account: no new entries",
    });
  });

  it("shows on the heartbeat, with the reason", async () => {
    await set(owner(), "REDUCE_ONLY", "bad week");
    const { pausedReason } = await readHeartbeat(as(owner()), {});
    expect(pausedReason).toBe("Positions are only reduced; open purchases are cancelled. bad week");
  });
});

describe("resuming an account", () => {
  it("needs a reason", async () => {
    await set(owner(), "FLATTEN");
    await expect(set(owner(), "NONE")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(set(owner(), "NONE", "  ")).rejects.toMatchObject({ code: "invalid_input" });
    expect(await set(owner(), "NONE", "all is well")).toMatchObject({ killState: "NONE", isChanged: true });
    expect(await row()).toMatchObject({ killState: "NONE", killReason: null, killSource: null, killSetAt: null });
    // Another stop, or a pause, may keep it from trading all the same.
    const told = await context.db.logEvent.findFirstOrThrow({
      where: { accountId: account.id },
      orderBy: { id: "desc" },
    });
    expect(told.message).toBe(
      "The stop of this account was lifted. Other stops and pauses stay in force. Reason: all is well",
    );
  });

  it("is refused while an order's outcome is not known, and a stricter stop is not; flapping leaves nothing behind (H7)", async () => {
    await leaveUnknown();
    await set(owner(), "NO_NEW_ENTRIES");
    await set(owner(), "REDUCE_ONLY");
    for (const killState of ["NO_NEW_ENTRIES", "NONE"] as const)
      await expect(set(owner(), killState, "on again")).rejects.toMatchObject({ code: "conflict" });
    expect((await row()).killState).toBe("REDUCE_ONLY");
    await context.db.intent.updateMany({ where: { accountId: account.id }, data: { status: "EXPIRED" } });
    await set(owner(), "NONE", "on again");
    await set(owner(), "REDUCE_ONLY");
    await set(owner(), "NONE", "and again");
    expect((await audits("KILL_STATE_SET")).map(({ data }) => (data as { to: string }).to)).toEqual([
      "NO_NEW_ENTRIES",
      "REDUCE_ONLY",
      "NONE",
      "REDUCE_ONLY",
      "NONE",
    ]);
  });

  it("is refused while the account is halted", async () => {
    await set(owner(), "REDUCE_ONLY");
    await context.db.account.update({
      where: { id: account.id },
      data: { haltedAt: new Date(), haltReason: "books differ" },
    });
    await expect(set(owner(), "NONE", "please")).rejects.toThrow("books differ");
  });

  it("needs an administrator where one stopped it, also after the owner made it stricter", async () => {
    await set(owner(), "NO_NEW_ENTRIES");
    expect(await set(admin, "NO_NEW_ENTRIES", "under review")).toMatchObject({ isChanged: true });
    await set(owner(), "FLATTEN");
    await expect(set(owner(), "NONE", "please")).rejects.toMatchObject({ code: "forbidden" });
    await expect(set(owner(), "NO_NEW_ENTRIES", "please")).rejects.toMatchObject({ code: "forbidden" });
    expect(await row()).toMatchObject({ killState: "FLATTEN", killSource: "ADMIN" });
    expect(await set(admin, "NONE", "reviewed")).toMatchObject({ isChanged: true });
  });

  it("is up to the owner after a drawdown", async () => {
    await context.db.account.update({
      where: { id: account.id },
      data: { killState: "REDUCE_ONLY", killSource: "DRAWDOWN" },
    });
    expect(await set(owner(), "NONE", "I know")).toMatchObject({ isChanged: true });
  });
});

describe("stopping all accounts", () => {
  it("is for administrators alone", async () => {
    await expect(setSystemKillState(as(owner()), { killState: "FLATTEN" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(setSystemKillState(as({ kind: "anonymous" }), { killState: "FLATTEN" })).rejects.toMatchObject({
      code: "unauthenticated",
    });
    expect((await context.db.systemState.findUniqueOrThrow({ where: { id: 1 } })).killState).toBe("NONE");
  });

  it("stops each account's next order, is reported to the administrators once, and needs a reason to end (H7)", async () => {
    expect(await setSystemKillState(as(admin), { killState: "NO_NEW_ENTRIES", reason: "feed broken" })).toMatchObject({
      isChanged: true,
    });
    expect(await setSystemKillState(as(admin), { killState: "NO_NEW_ENTRIES" })).toMatchObject({ isChanged: false });
    expect((await submit(await entry()))[0]).toMatchObject({ reason: "kill switch of the system: no new entries" });
    const { userId } = admin as { userId: string };
    expect(await context.db.outbox.count({ where: { userId } })).toBe(1);
    await expect(setSystemKillState(as(admin), { killState: "NONE" })).rejects.toMatchObject({ code: "invalid_input" });
    await context.db.intent.deleteMany({});
    const on = { killState: "NONE", reason: "feed mended" } as const;
    expect(await setSystemKillState(as(admin), on)).toMatchObject({ isChanged: true });
    await leaveUnknown();
    await setSystemKillState(as(admin), { killState: "FLATTEN" });
    await expect(setSystemKillState(as(admin), on)).rejects.toMatchObject({ code: "conflict" });
    expect(await context.db.systemState.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({
      killState: "FLATTEN",
      killReason: null,
    });
  });
});

describe("in the middle of a plan", () => {
  it("what the person switches between two legs stops the second one (H5)", async () => {
    const decisionId = await decide(context, account, [
      plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" }),
      plannedOrder({ symbol: "AAPL", leg: 1, type: "LIMIT", limitPrice: "5" }),
    ]);
    const sent = await submitPlan(context, {
      decisionId,
      epoch: 0,
      regate: async ({ leg }) => {
        if (leg === 1)
          await context.db.user.update({ where: { id: account.userId }, data: { automationPausedAt: new Date() } });
        return allPass();
      },
    });
    expect(sent).toMatchObject([
      { symbol: "SPY", status: "LIVE" },
      { symbol: "AAPL", status: "HALTED", reason: "automation is paused" },
    ]);
  });
});
