import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { money, text, type Money } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { FaultInput } from "@/lib/exchange/faults/kinds.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { buyBracket, hastyBroker, truthOf, withBroker } from "@/lib/proof/fixtures/orders.ts";
import { asOwnerOf } from "@/lib/proof/fixtures/owner.ts";
import type { Context } from "../../context.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import type { Account } from "../../core/row-types.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { readRowBreaches } from "../invariants/read-breaches.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { tightenStop } from "./tighten-stop.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let last: Money;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  exchange.control.clearFaults();
  await reconcileAccount(context, account.id);
  await buyBracket(exchange, context, account);
  last = money((await broker().positions())[0]!.currentPrice);
});

const broker = () => hastyBroker(account, 5_000);
const owner = (base: Context = context) => asOwnerOf(account, base);
const at = (share: string) => last.times(share).toDecimalPlaces(2);
const tighten = (stopPrice: Money, more: object = {}, base?: Context) =>
  tightenStop(owner(base), {
    accountId: account.id,
    symbol: "SPY",
    requestId: randomUUID(),
    confirmation: "SPY",
    stopPrice,
    ...more,
  });
const fault = (input: FaultInput) => exchange.control.addFault({ account: truth().account_number, ...input });
const truth = () => truthOf(exchange, account);
/** Stops that rest at the exchange, its own word. */
const resting = () => truth().orders.filter(({ type, status }) => type === "stop" && ["new", "held"].includes(status));
const covered = async () => (await protectedQuantity(context.db, account.id)).get("SPY")?.toFixed() ?? "0";
const stopOf = async () =>
  text(
    (
      await context.db.order.findFirstOrThrow({
        where: { accountId: account.id, role: "STOP", status: { in: ["NEW", "HELD", "ACCEPTED", "PENDING_NEW"] } },
      })
    ).stopPrice!,
  );

describe("a stop that its owner tightens", () => {
  it("is replaced in place: one stop covers every share, before and after, and the owner is told", async () => {
    const before = await stopOf();
    const answer = await tighten(at("0.97"));
    expect(text(answer.stopPrice)).toBe(text(at("0.97")));
    expect(text(answer.stopBefore!)).toBe(before);
    expect(await stopOf()).toBe(text(at("0.97")));
    expect(await covered()).toBe("10");
    expect(resting()).toHaveLength(1);
    // No order was cancelled for it, and none placed: it was replaced.
    expect(await context.db.intent.count({ where: { accountId: account.id, purpose: "PROTECT" } })).toBe(0);
    expect(await context.db.owedStop.count({ where: { accountId: account.id } })).toBe(0);
    const audit = await context.db.auditEvent.findMany({
      where: { subjectUserId: account.userId, eventType: { startsWith: "STOP_RAISE" } },
      orderBy: { seq: "asc" },
    });
    expect(audit.map(({ eventType }) => eventType)).toEqual(["STOP_RAISE_REQUESTED", "STOP_RAISE_SENT", "STOP_RAISED"]);
    const log = await context.db.logEvent.findMany({ where: { accountId: account.id } });
    expect(log.map(({ message }) => message).join("\n")).toMatch(
      /The stop of SPY was raised to \$[\d.,]+, as you asked/,
    );
    expect(await readRowBreaches(context, account.id)).toEqual([]);
  });

  it("its hit is a protective stop, and the engine's trailing begins from it", async () => {
    await tighten(at("0.99"));
    const order = await context.db.order.findFirstOrThrow({
      where: { accountId: account.id, role: "STOP", status: { in: ["NEW", "HELD", "ACCEPTED"] } },
    });
    expect(order).toMatchObject({ reason: "protective_stop", origin: "OURS" });
    const position = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
    expect(text(position.stopPrice!)).toBe(text(at("0.99")));
  });

  it("once for a request, fifty times at once and again later", async () => {
    const requestId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => tighten(at("0.97"), { requestId })));
    expect(new Set(answers.map(({ stopPrice }) => text(stopPrice)))).toEqual(new Set([text(at("0.97"))]));
    expect(await tighten(at("0.97"), { requestId })).toMatchObject({ stopBefore: null });
    expect(resting()).toHaveLength(1);
    const replaced = truth().orders.filter(({ type, status }) => type === "stop" && status === "replaced");
    expect(replaced).toHaveLength(1);
    await expect(tighten(at("0.98"), { requestId })).rejects.toMatchObject({ code: "conflict" });
  }, 60_000);

  it("where the broker does not replace it, the pair is placed anew and no share stays bare", async () => {
    const stubborn = withBroker(context, {
      ...broker(),
      replace: () => Promise.resolve({ kind: "rejected" as const, code: "42210000", message: "cannot replace order" }),
    });
    await tighten(at("0.97"), {}, stubborn);
    expect(await stopOf()).toBe(text(at("0.97")));
    expect(await covered()).toBe("10");
    await syncOrders(context, { accountId: account.id });
    expect(await context.db.owedStop.count({ where: { accountId: account.id, paidAt: null } })).toBe(0);
  });

  it("where the broker does not take it, the shares stay under the level at which their stop rests", async () => {
    const before = await stopOf();
    fault({ kind: "drop_before_accept", method: "PATCH", path: "/v2/orders/" });
    await expect(tighten(at("0.97"))).rejects.toThrow(/was not raised/);
    expect(await stopOf()).toBe(before);
    const position = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
    expect(text(position.stopPrice?.toString() ?? "0")).toBe(before);
  });

  it("where the price hits it before, its owner is told that it has sold the shares, and of no other stop", async () => {
    const real = broker();
    let isHit = false;
    const tooLate = withBroker(context, {
      ...real,
      replace: () => {
        isHit = true;
        const message = 'order is already in "filled" state';
        return Promise.resolve({ kind: "rejected" as const, code: "42210000", message });
      },
      order: async (id) => {
        const order = await real.order(id);
        if (!isHit || order?.type !== "STOP") return order;
        const at = new Date(Date.parse(order.updatedAt) + 1_000).toISOString();
        const filled = { filledQty: order.qty ?? "0", filledAvgPrice: order.stopPrice, filledAt: at, updatedAt: at };
        return { ...order, status: "FILLED", brokerStatus: "filled", ...filled };
      },
    });
    await expect(tighten(at("0.97"), {}, tooLate)).rejects.toMatchObject({
      code: "conflict",
      message: "The stop was not raised: it was hit before that, and has sold the shares.",
    });
    const line = await context.db.logEvent.findFirst({ where: { accountId: account.id }, orderBy: { id: "desc" } });
    expect(line?.message).toMatch(/as you asked: it was hit before that, and has sold the shares$/);
  });

  it("the broker's answer is lost: the order itself shows which stop rests", async () => {
    fault({ kind: "drop_after_accept", method: "PATCH", path: "/v2/orders/" });
    await tighten(at("0.97"));
    expect(await stopOf()).toBe(text(at("0.97")));
    expect(resting()).toHaveLength(1);
    expect(await covered()).toBe("10");
  });
});

describe("is refused, and the stop stays as it is", () => {
  it.each([
    ["0.9", /^The stop rests at \$[\d.,]+: enter more than that\.$/],
    ["0.5", /^The stop rests at \$[\d.,]+: enter more than that\.$/],
    ["1", /^The price is \$[\d.,]+: enter \$[\d.,]+ or less\.$/],
    ["1.05", /^The price is \$[\d.,]+: enter \$[\d.,]+ or less\.$/],
  ])("at %s of the price, naming the bound", async (share, words) => {
    const before = await stopOf();
    await expect(tighten(share === "0.9" ? money(before) : at(share))).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(words) as string,
    });
    expect(await stopOf()).toBe(before);
    expect(await covered()).toBe("10");
  });

  it.each([
    ["other words", { confirmation: "SELL SPY" }, "invalid_input"],
    ["another person's account", { accountId: randomUUID() }, "not_found"],
    ["a stock that is not held", { symbol: "AAPL", confirmation: "AAPL" }, "not_found"],
  ])("for %s", async (_, more, code) => {
    await expect(tighten(at("0.97"), more)).rejects.toMatchObject({ code });
    expect(resting()).toHaveLength(1);
  });

  it("while another process is at work, with a code that is neither an outage nor the end of an earlier request", async () => {
    const request = { accountId: account.id, symbol: "SPY", requestId: randomUUID(), confirmation: "SPY" };
    await withAccountWriter(context, account.id, async () => {
      const asked = tightenStop(owner(), { ...request, stopPrice: at("0.97") }, { waitMs: 0 });
      await expect(asked).rejects.toMatchObject({
        code: "account_busy",
        message: "The account is busy: this request moved no stop. Try again in a moment.",
      });
    });
    expect(resting()).toHaveLength(1);
  });

  it("for a fraction of a cent, and in a halted account", async () => {
    await expect(tighten(at("0.97").plus("0.001"))).rejects.toMatchObject({ message: "Enter whole cents." });
    await context.db.account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "test" } });
    await expect(tighten(at("0.97"))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("This account is halted") as string,
    });
  });
});
