import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import { accountedFor, exchanges, held, limitOrder, marketOrder, openTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
});
afterAll(() => running.closeAll());

const UNFIT = { status: 422, body: { code: 40010001 } };

describe("standing", () => {
  it.each([
    ["blocked", { accountBlocked: true }, "account_blocked"],
    ["blocked for trading", { tradingBlocked: true }, "trading_blocked"],
  ])("an account that is %s may cancel, and nothing else", async (_, standing, flag) => {
    const trader = await openTrader(exchange);
    const { body } = await trader.send("POST", "/v2/orders", limitOrder("SPY", "buy", "1", "1.00"));
    await exchange.control.venueActions.changeAccountStatus(trader.account.account_number, standing);
    expect((await trader.send("GET", "/v2/account")).body[flag]).toBe(true);
    const target = `/v2/orders/${String(body.id)}`;
    expect(await trader.refusal(marketOrder("SPY", "buy", "1"))).toMatchObject({ status: 403, code: 40310000 });
    expect(await trader.send("PATCH", target, { qty: "2" })).toMatchObject({ status: 403, body: { code: 40310000 } });
    expect((await trader.send("DELETE", target)).status).toBe(204);
  });

  it("an account that is closed says so and trades no more", async () => {
    const trader = await openTrader(exchange);
    await exchange.control.venueActions.changeAccountStatus(trader.account.account_number, {
      status: "ACCOUNT_CLOSED",
    });
    expect((await trader.send("GET", "/v2/account")).body.status).toBe("ACCOUNT_CLOSED");
    expect((await trader.refusal(marketOrder("SPY", "buy", "1"))).status).toBe(403);
  });

  it("revoked keys are strangers, given back they work again", async () => {
    const trader = await openTrader(exchange);
    const { changeAccountStatus } = exchange.control.venueActions;
    await changeAccountStatus(trader.account.account_number, { areKeysRevoked: true });
    expect(await trader.send("GET", "/v2/account")).toEqual({ status: 401, body: { message: "unauthorized." } });
    await changeAccountStatus(trader.account.account_number, { areKeysRevoked: false });
    expect((await trader.send("GET", "/v2/account")).status).toBe(200);
  });
});

describe("configurations", () => {
  it("trading suspended by the user refuses orders until it is taken back", async () => {
    const trader = await openTrader(exchange);
    await trader.send("PATCH", "/v2/account/configurations", { suspend_trade: true });
    expect((await trader.send("GET", "/v2/account")).body.trade_suspended_by_user).toBe(true);
    expect(await trader.refusal(marketOrder("SPY", "buy", "1"))).toMatchObject({ status: 403, code: 40310000 });
    await trader.send("PATCH", "/v2/account/configurations", { suspend_trade: false });
    expect((await trader.refusal(marketOrder("SPY", "buy", "1"))).status).toBe(200);
  });

  it("without fractional trading fractions are refused and whole shares are not", async () => {
    const trader = await openTrader(exchange);
    await trader.send("PATCH", "/v2/account/configurations", { fractional_trading: false });
    expect(await trader.refusal(marketOrder("SPY", "buy", "0.5"))).toMatchObject({ status: 403, code: 40310000 });
    expect((await trader.refusal(marketOrder("SPY", "buy", "1"))).status).toBe(200);
  });

  it.each([
    ["a wrong type", { no_shorting: "yes" }],
    ["a value out of range", { max_options_trading_level: 9 }],
    ["one wrong field among right ones", { suspend_trade: true, trade_confirm_email: "some" }],
  ])("%s changes nothing", async (_, change) => {
    const trader = await openTrader(exchange);
    const before = (await trader.send("GET", "/v2/account/configurations")).body;
    expect(await trader.send("PATCH", "/v2/account/configurations", change)).toMatchObject(UNFIT);
    expect((await trader.send("GET", "/v2/account/configurations")).body).toEqual(before);
  });
});

describe("fees", () => {
  it("an account that pays them is charged for the day's sales at the close, rounded up to the cent", async () => {
    const own = await running.open({ seed: 3 });
    const trader = await openTrader(own, "100000", { fees: true });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "20"));
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "20"));
    const [, sale] = trader.truth().fills;
    const proceeds = money(sale?.price ?? "0").times(20);
    const fees = { REG: proceeds.times("0.0000206").toDecimalPlaces(2, "up"), TAF: money("0.01") };
    expect((await trader.send("GET", "/v2/account")).body.pending_reg_taf_fees).toBe(fees.REG.plus(fees.TAF).toFixed());
    await own.control.clock({ advanceMinutes: 390 });
    const charged = trader.truth().activities.filter(({ activity_type }) => activity_type === "FEE");
    expect(charged.map(({ activity_sub_type: kind, net_amount: amount }) => [kind, amount])).toEqual([
      ["REG", fees.REG.negated().toFixed()],
      ["TAF", "-0.01"],
    ]);
    expect((await trader.send("GET", "/v2/account")).body.pending_reg_taf_fees).toBe("0");
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a sale in the closing auction is charged at its own close, and not again at the next one", async () => {
    const own = await running.open({ seed: 3 });
    const trader = await openTrader(own, "100000", { fees: true });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "40"));
    await trader.send("POST", "/v2/orders", { ...marketOrder("SPY", "sell", "20"), time_in_force: "cls" });
    const charged = () => trader.truth().activities.filter(({ activity_type }) => activity_type === "FEE");
    const pending = async () => (await trader.send("GET", "/v2/account")).body.pending_reg_taf_fees;
    await own.control.clock({ advanceMinutes: 390 });
    expect(charged()).toHaveLength(2);
    expect(await pending()).toBe("0");
    await own.control.clock({ advanceMinutes: 100 });
    expect(await pending()).toBe("0");
    await own.control.clock({ advanceMinutes: 290 });
    expect(charged()).toHaveLength(2);
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "20"));
    await own.control.clock({ advanceMinutes: 390 });
    expect(charged()).toHaveLength(4);
  });

  it("other accounts pay none", async () => {
    const own = await running.open({ seed: 3 });
    const trader = await openTrader(own);
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "20"));
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "20"));
    await own.control.clock({ advanceMinutes: 390 });
    expect(trader.truth().activities.map(({ activity_type }) => activity_type)).toEqual(["CSD", "FILL", "FILL"]);
  });
});

describe("the edge", () => {
  const headersOf = async (path: string, method = "GET", keys: Record<string, string> = {}) => {
    const response = await fetch(exchange.url + path, { method, headers: keys });
    await response.text();
    return { status: response.status, headers: response.headers };
  };

  it("every answer carries a request id of its own, and counts down the minute's requests", async () => {
    const { account } = await openTrader(exchange);
    const keys = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
    const first = await headersOf("/v2/account", "GET", keys);
    const second = await headersOf("/v2/orders/nope", "GET", keys);
    expect([first.status, second.status]).toEqual([200, 404]);
    expect(first.headers.get("x-request-id")).toMatch(/^[0-9a-f]{32}$/);
    expect(first.headers.get("x-request-id")).not.toBe(second.headers.get("x-request-id"));
    expect([first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual([
      "200",
      "199",
    ]);
    expect(Number(first.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 60);
  });

  it.each([
    ["no such place", "/v2/nothing", "GET", 404],
    ["no such method", "/v2/account", "POST", 405],
    ["no keys", "/v2/account", "GET", 401],
  ])("%s", async (_, path, method, status) => {
    const answer = await headersOf(path, method);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-request-id")).not.toBeNull();
  });
});

it("last equity is of the trading day before, from the opening until midnight", async () => {
  const own = await running.open({ seed: 3, skipClosed: false });
  const trader = await openTrader(own, "100000", { margin: true });
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "100"));
  const at = async (instant: string) => {
    await own.control.clock({ jumpTo: instant });
    const { body } = await trader.send("GET", "/v2/account");
    return [body.last_equity, body.last_maintenance_margin, body.balance_asof];
  };
  const before = ["100000", "0", "2024-01-05"];
  expect(await at("2024-01-08T12:00:00-05:00")).toEqual(before);
  expect(await at("2024-01-08T16:00:00-05:00")).toEqual(before);
  expect(await at("2024-01-08T23:59:59-05:00")).toEqual(before);
  const { body: account } = await trader.send("GET", "/v2/account");
  const { body: position } = await trader.send("GET", "/v2/positions/SPY");
  expect(money(String(account.equity)).minus(100_000).toFixed()).toBe(position.unrealized_intraday_pl);
  const closed = [account.equity, account.maintenance_margin, "2024-01-08"];
  expect(await at("2024-01-09T00:00:00-05:00")).toEqual(closed);
  expect(await at("2024-01-09T16:30:00-05:00")).toEqual(closed);
  expect((await at("2024-01-13T12:00:00-05:00"))[2]).toBe("2024-01-12");
});
