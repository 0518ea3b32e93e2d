import { describe, expect, it } from "vitest";
import { text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { renderMail } from "../../mail/render-mail.ts";
import type { MailProps } from "../../mail/mail-props.ts";
import { openKeyPair } from "@/lib/proof/fixtures/key-pair.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { allPass, buyBracket, decide, plannedOrder } from "@/lib/proof/fixtures/orders.ts";
import { addActivity } from "../../core/add-activity.ts";
import { recordOutcome } from "../orders/record-outcome.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import type { Account } from "../../core/row-types.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { inTransaction } from "../../core/transaction.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));

const mails = async () =>
  (
    await context.db.outbox.findMany({
      where: { userId: account.userId, template: "activity" },
      orderBy: { createdAt: "asc" },
    })
  ).map((row) => ({ ...row, props: row.props as unknown as MailProps<"activity"> }));
const notified = () =>
  context.db.notification.findMany({ where: { userId: account.userId }, orderBy: [{ at: "asc" }, { id: "asc" }] });
const minute = () => exchange.control.clock({ advanceMinutes: 1 });

async function buy(symbols: string[], order: object = {}) {
  const orders = symbols.map((symbol, leg) => plannedOrder({ symbol, leg, qty: "1", ...order }));
  return submitPlan(context, { decisionId: await decide(context, account, orders), epoch: 0, regate: allPass });
}

/** Symbols that the exchange lists, whichever market it plays. */
async function tradable(count: number): Promise<string[]> {
  const { userId, id: accountId, environment, sealedKeys } = account;
  const { keyId, secret } = openKeyPair(sealedKeys ?? "", { userId, accountId, environment });
  const answer = await fetch(`${exchange.url}/v2/assets?status=active`, {
    headers: { "APCA-API-KEY-ID": keyId, "APCA-API-SECRET-KEY": secret },
  });
  const assets = (await answer.json()) as { symbol: string; tradable: boolean }[];
  return assets
    .filter((asset) => asset.tradable)
    .map(({ symbol }) => symbol)
    .slice(0, count);
}

describe("orders and trades of a cycle", () => {
  it("travel in one mail, however many there are, each once, with exact figures", async () => {
    const symbols = await tradable(6);
    const legs = await buy(symbols);
    expect(legs.map(({ status }) => status)).toEqual(symbols.map(() => "LIVE"));
    await minute();
    await reconcileAccount(context, account.id);
    await reconcileAccount(context, account.id);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.props.account.environment).toBe("PRACTICE");
    const items = mail?.props.items ?? [];
    expect(items.filter(({ what }) => what === "SENT").map(({ symbol }) => symbol)).toEqual(symbols);
    const bought = items.flatMap((item) => (item.what === "FILLED" ? [item] : []));
    const fills = await context.db.fill.findMany({ where: { accountId: account.id } });
    expect(bought).toHaveLength(fills.length);
    for (const symbol of symbols) {
      const [one] = bought.filter((item) => item.symbol === symbol);
      const fill = fills.find((row) => row.symbol === symbol);
      expect([one?.qty, one?.price]).toEqual([text(fill?.qty.toString() ?? "0"), text(fill?.price.toString() ?? "0")]);
    }
    const rendered = await renderMail("activity", mail?.props);
    expect(rendered.subject).toBe(`PRACTICE: ${symbols.length} trades and ${symbols.length} order events`);
    expect((await notified()).map(({ kind }) => kind).sort()).toEqual([
      ...symbols.map(() => "ORDER"),
      ...symbols.map(() => "TRADE"),
    ]);
  });

  it("a sale states its result, as the books have it", async () => {
    await buyBracket(exchange, context, account);
    const sale = plannedOrder({ symbol: "SPY", side: "SELL", qty: "10" });
    await submitPlan(context, { decisionId: await decide(context, account, [sale]), epoch: 0, regate: allPass });
    await minute();
    await reconcileAccount(context, account.id);
    const [mail] = await mails();
    const sold = mail?.props.items.find((item) => item.what === "FILLED" && item.side === "SELL");
    const { realizedPnl } = await context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
    expect(sold).toMatchObject({ what: "FILLED", realizedPnl: text(realizedPnl.toString()), reason: "Momentum faded" });
    // Stops and targets that come and go with their entry are not notified.
    expect(mail?.props.items.filter(({ what }) => what !== "FILLED").map(({ what }) => what)).toEqual(["SENT", "SENT"]);
    const trade = (await notified()).find(({ title }) => title.startsWith("Sold 10 SPY"));
    expect(trade).toMatchObject({ kind: "TRADE", environment: "PRACTICE", readAt: null });
    expect(trade?.link).toMatch(/^\/trade-history\/[0-9a-f-]{36}$/);
  });

  it("a refused order is notified with the broker's reason, once", async () => {
    const [leg] = await buy(["SPY"], { qty: "1000000", type: "LIMIT", limitPrice: "1000" });
    expect(leg?.status).toBe("REJECTED");
    const [mail] = await mails();
    expect(mail?.props.items).toMatchObject([{ what: "REJECTED", symbol: "SPY", qty: "1000000", orderId: null }]);
    const intent = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id } });
    await recordOutcome(context, intent, { kind: "rejected", code: "X", message: "again" }, 0);
    expect((await mails())[0]?.props.items).toHaveLength(1);
    expect(await notified()).toMatchObject([
      { kind: "ORDER", title: "Order rejected: Buy 1000000 SPY", link: "/logs" },
    ]);
  });

  it("a cancelled order is notified when the broker reports it", async () => {
    await buy(["SPY"], { type: "LIMIT", limitPrice: "1", timeInForce: "gtc" });
    const broker = context.brokers.forAccount(account);
    const [open] = await broker.openOrders();
    await broker.cancel(open?.id ?? "");
    await reconcileAccount(context, account.id);
    await reconcileAccount(context, account.id);
    expect((await mails())[0]?.props.items.map(({ what }) => what)).toEqual(["SENT", "CANCELLED"]);
  });

  it("what was traded elsewhere is not notified", async () => {
    const broker = context.brokers.forAccount(account);
    await broker.submit({
      clientOrderId: "by-hand-1",
      symbol: "SPY",
      side: "BUY",
      qty: "1",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      limitPrice: null,
      stopPrice: null,
      takeProfitPrice: null,
      stopLossPrice: null,
    });
    await minute();
    await reconcileAccount(context, account.id);
    expect(await context.db.fill.count({ where: { accountId: account.id } })).toBe(1);
    expect([await mails(), await notified()]).toEqual([[], []]);
  });
});

describe("the toggles", () => {
  const trade = async () => {
    await buy(["SPY"]);
    await minute();
    await reconcileAccount(context, account.id);
    const whats = (await mails()).flatMap(({ props }) => props.items.map(({ what }) => what));
    return { mailed: whats, shown: (await notified()).map(({ kind }) => kind).sort() };
  };
  it.each([
    [{}, ["SENT", "FILLED"], ["ORDER", "TRADE"]],
    [{ orderNotifications: false }, ["FILLED"], ["TRADE"]],
    [{ tradeNotifications: false }, ["SENT"], ["ORDER"]],
    [{ orderNotifications: false, tradeNotifications: false }, [], []],
    [{ emailNotifications: false }, [], ["ORDER", "TRADE"]],
    [{ weeklySummary: false, systemAlerts: false }, ["SENT", "FILLED"], ["ORDER", "TRADE"]],
  ])("with %j the mail holds %j and the pages show %j", async (preferences, mailed, shown) => {
    await context.db.notificationPreferences.create({ data: { userId: account.userId, ...preferences } });
    expect(await trade()).toEqual({ mailed, shown });
  });

  it("a disabled user is not notified", async () => {
    await context.db.user.update({ where: { id: account.userId }, data: { disabledAt: new Date() } });
    expect(await trade()).toEqual({ mailed: [], shown: [] });
  });
});

describe("the mail that collects", () => {
  const item = (symbol: string) =>
    ({
      what: "SENT",
      at: "2020-02-03T15:05:00.000Z",
      orderId: null,
      symbol,
      side: "BUY",
      qty: "1",
      filledQty: "0",
      reason: null,
      brokerMessage: null,
    }) as const;
  const add = (symbol: string, at = new Date()) =>
    inTransaction(context, async (tx) => {
      const user = await tx.user.findUniqueOrThrow({ where: { id: account.userId } });
      await addActivity(tx, user, account, item(symbol), at);
    });
  const symbolsOf = async () => (await mails()).map(({ props }) => props.items.map(({ symbol }) => symbol));

  it("takes no more once the worker has it; the next one waits ten minutes from then", async () => {
    const at = new Date();
    await add("A", at);
    await add("B", at);
    const [first] = await mails();
    expect(first?.dueAt.getTime()).toBe(at.getTime() + 120_000);
    const sentAt = new Date(at.getTime() + 125_000);
    await context.db.outbox.updateMany({ where: { userId: account.userId }, data: { attempts: 1, sentAt } });
    await add("C", new Date(at.getTime() + 130_000));
    expect(await symbolsOf()).toEqual([["A", "B"], ["C"]]);
    expect((await mails())[1]?.dueAt.getTime()).toBe(sentAt.getTime() + 600_000);
  });

  it("an event that is being written keeps the worker from taking the mail without it", async () => {
    await add("A", new Date(Date.now() - 600_000));
    const takeDue = () =>
      context.db.$queryRaw<object[]>`
        select "id" from "Outbox" where "userId" = ${account.userId}::uuid and "attempts" = 0 for update skip locked`;
    await inTransaction(context, async (tx) => {
      const user = await tx.user.findUniqueOrThrow({ where: { id: account.userId } });
      await addActivity(tx, user, account, item("B"), new Date());
      expect(await takeDue()).toEqual([]);
    });
    expect(await takeDue()).toHaveLength(1);
    expect(await symbolsOf()).toEqual([["A", "B"]]);
  });

  it("is full at two hundred lines, and the next one continues: nothing is left out", async () => {
    const [template] = [item("X")];
    await add("A");
    const [row] = await mails();
    await context.db.outbox.update({
      where: { id: row?.id ?? "" },
      data: { props: { ...row?.props, items: Array.from({ length: 200 }, () => template) } },
    });
    await add("B");
    expect((await symbolsOf()).map((symbols) => symbols.length)).toEqual([200, 1]);
  });

  it("is one for each account", async () => {
    await add("A");
    const { id: _, brokerAccountId: __, ...columns } = account;
    const second = await context.db.account.create({ data: { ...columns, brokerAccountId: `${account.id}-2` } });
    await inTransaction(context, async (tx) => {
      const user = await tx.user.findUniqueOrThrow({ where: { id: account.userId } });
      await addActivity(tx, user, second, item("B"), new Date());
    });
    expect(await symbolsOf()).toEqual([["A"], ["B"]]);
  });
});
