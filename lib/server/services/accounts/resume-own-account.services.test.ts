import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  otherSymbol,
  plannedOrder,
  priceOf,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { asOwnerOf } from "@/lib/proof/fixtures/owner.ts";
import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { haltAccount } from "../../core/halt-account.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction } from "../../core/transaction.ts";
import { flattenAccount } from "../automation/flatten-account.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { removeAccount } from "./remove-account.ts";
import { resumeOwnAccount } from "./resume-own-account.ts";
import { syncOrders } from "./sync-orders.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(() => reconcileAccount(context, account.id));
afterEach(() => exchange.control.clearFaults());

const asOwner = (on = context) => asOwnerOf(account, on);
const row = () => context.db.account.findUniqueOrThrow({ where: { id: account.id } });
const resume = (on = context) => resumeOwnAccount(asOwner(on), { id: account.id });
const startToClose = () => removeAccount(asOwner(), { id: account.id, closePositions: "true" });
const follow = () => syncOrders(context, { accountId: account.id });
const isHalted: unknown = expect.stringMatching(/^The account is halted/);

/** 10 SPY of the automation, which are sold because their owner deletes the account. */
async function closing(): Promise<void> {
  await buyBracket(exchange, context, account);
  await context.db.position.updateMany({ where: { accountId: account.id }, data: { strategy: "MOMENTUM" } });
  expect(await startToClose()).toMatchObject({ state: "closing" });
}

/** What the worker does each second and each minute: the account is sold where it is to be, and followed. */
async function work(): Promise<void> {
  await withAccountWriter(context, account.id, (epoch) => flattenAccount(context, account.id, epoch));
  await exchange.control.clock({ advanceMinutes: 1 });
  await follow();
}

describe("keeping an account that is being closed", () => {
  it("needs no broker: while the keys are refused it is kept, and once they are accepted nothing is sold", async () => {
    await closing();
    exchange.control.addFault({ kind: "keys_revoked" });
    await expect(follow()).rejects.toMatchObject({ code: "broker_refused" });
    expect(await row()).toMatchObject({ haltReason: ACCESS_TEXT.KEYS.refused });
    expect(await resume()).toEqual({ isResumed: false, isKept: true, heldBy: isHalted });
    expect(await row()).toMatchObject({ closingAt: null, killState: "NONE", haltReason: ACCESS_TEXT.KEYS.refused });
    exchange.control.clearFaults();
    await follow();
    expect(await row()).toMatchObject({ haltedAt: null });
    await work();
    expect(truthOf(exchange, account).positions).toMatchObject([{ symbol: "SPY", qty: "10" }]);
    expect(await row()).toMatchObject({ deletedAt: null });
  });

  it("holds where the owner's own call is the reading that lifts the halt of the keys", async () => {
    await closing();
    await inTransaction(context, (tx) => haltAccount(context, tx, account.id, ACCESS_TEXT.KEYS.refused));
    expect(await resume()).toMatchObject({ isKept: true, heldBy: null });
    expect(await row()).toMatchObject({ closingAt: null, killState: "NONE", haltedAt: null });
    await work();
    expect(truthOf(exchange, account).positions).toHaveLength(1);
  });

  it("is no question of orders in doubt while it is halted: those are asked for before the halt ends", async () => {
    await closing();
    const broker = hastyBroker(account, 5_000);
    const silent = withBroker(context, {
      ...broker,
      submit: () => Promise.resolve({ kind: "unknown", cause: "test" }),
    });
    await withAccountWriter(silent, account.id, (epoch) => flattenAccount(silent, account.id, epoch));
    expect(await context.db.intent.count({ where: { accountId: account.id, status: "UNKNOWN" } })).toBe(1);
    await inTransaction(context, (tx) => haltAccount(context, tx, account.id, "a test"));
    exchange.control.addFault({ kind: "keys_revoked" });
    expect(await resume()).toEqual({ isResumed: false, isKept: true, heldBy: isHalted });
    expect(await row()).toMatchObject({ closingAt: null, haltReason: "a test" });
  });

  it("restores the stop after a drawdown, which its owner lifts with a new mark", async () => {
    await buyBracket(exchange, context, account);
    await context.db.position.updateMany({ where: { accountId: account.id }, data: { strategy: "MOMENTUM" } });
    const drawdown = { killState: "REDUCE_ONLY", killSource: "DRAWDOWN", killReason: "it fell by 20 %" } as const;
    await context.db.account.update({ where: { id: account.id }, data: { ...drawdown, killSetAt: new Date(0) } });
    await startToClose();
    expect(await row()).toMatchObject({ killState: "FLATTEN", killSource: "OWNER" });
    expect(await resume()).toMatchObject({ isKept: true, heldBy: expect.any(String) as string });
    expect(await row()).toMatchObject({ ...drawdown, killSetAt: new Date(0), closingAt: null, keptKillSource: null });
    const lines = await context.db.logEvent.findMany({ where: { accountId: account.id } });
    expect(lines.map(({ message }) => message).join("\n")).toContain("The stop after the drawdown still holds");
    expect(await resume()).toMatchObject({ isResumed: true, heldBy: null });
    expect(await row()).toMatchObject({ killState: "NONE" });
  });

  it("between two of its sales sends neither the next one nor leaves its shares bare", async () => {
    await buyBracket(exchange, context, account);
    const other = await otherSymbol(exchange);
    const price = await priceOf(exchange, other);
    const at = (share: string) => price.times(share).toDecimalPlaces(2).toFixed();
    const bracket = {
      orderClass: "BRACKET",
      timeInForce: "gtc",
      takeProfitPrice: at("1.2"),
      stopLossPrice: at("0.8"),
    } as const;
    const { writerEpoch } = await row();
    const decisionId = await decide(context, account, [plannedOrder({ symbol: other, ...bracket })]);
    expect(await submitPlan(context, { decisionId, epoch: writerEpoch, regate: allPass })).toMatchObject([
      { status: "LIVE" },
    ]);
    await exchange.control.clock({ advanceMinutes: 1 });
    await reconcileAccount(context, account.id);
    await context.db.position.updateMany({ where: { accountId: account.id }, data: { strategy: "MOMENTUM" } });
    expect(await startToClose()).toMatchObject({ state: "closing" });
    const broker = hastyBroker(account, 5_000);
    let sent = 0;
    let isKept = false;
    const keptMeanwhile = withBroker(context, {
      ...broker,
      submit: async (order) => {
        if (order.type === "MARKET") sent += 1;
        return broker.submit(order);
      },
      // The stops of the second one are being cancelled for its sale.
      cancel: async (id) => {
        if (sent === 1 && !isKept) isKept = (await resume()).isKept;
        return broker.cancel(id);
      },
    });
    await withAccountWriter(keptMeanwhile, account.id, (epoch) => flattenAccount(keptMeanwhile, account.id, epoch));
    expect({ sent, isKept }).toEqual({ sent: 1, isKept: true });
    await exchange.control.clock({ advanceMinutes: 1 });
    const held = truthOf(exchange, account).positions.map(({ symbol }) => symbol);
    expect(held).toHaveLength(1);
    expect(
      truthOf(exchange, account)
        .orders.filter(({ type, status }) => type === "stop" && status === "new")
        .map(({ symbol }) => symbol),
    ).toEqual(held);
  });

  it("a second press answers as the first did", async () => {
    await closing();
    const late: Context = {
      ...context,
      db: new Proxy(context.db, {
        get: (client, name) =>
          name === "account"
            ? new Proxy(client.account, {
                get: (rows, of) =>
                  of === "findFirst"
                    ? async (asked: Parameters<typeof rows.findFirst>[0]) => {
                        const found = await rows.findFirst(asked);
                        expect(await resume()).toMatchObject({ isKept: true });
                        return found;
                      }
                    : (Reflect.get(rows, of) as unknown),
              })
            : (Reflect.get(client, name) as unknown),
      }),
    };
    expect(await resume(late)).toEqual({ isResumed: true, isKept: true, heldBy: null });
    expect(
      await context.db.auditEvent.count({ where: { subjectUserId: account.userId, eventType: "KILL_STATE_SET" } }),
    ).toBe(2);
  });
});
