import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addDays } from "../domain/time.ts";
import {
  exchanges,
  limitOrder,
  marketOrder,
  openTrader,
  type PracticeTrader,
  TAPE,
} from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

/** What is listed: orders, activities, announcements, watchlists, sessions. */

type Rows = Record<string, string>[];

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let trader: PracticeTrader;
beforeAll(async () => {
  exchange = await running.open({ tape: TAPE, start: "2020-02-03" });
  trader = await openTrader(exchange);
  for (let i = 1; i <= 6; i += 1) {
    const symbol = i % 2 === 0 ? "FOUR" : "BROAD";
    await trader.send("POST", "/v2/orders", { ...marketOrder(symbol, "buy", "1"), client_order_id: `buy-${i}` });
  }
  await trader.send("POST", "/v2/orders", { ...limitOrder("FOUR", "buy", "1", "1.00"), client_order_id: "rests" });
  await trader.send("POST", "/v2/orders", { ...limitOrder("BROAD", "sell", "1", "999.00"), client_order_id: "sells" });
  await exchange.control.clock({ jumpTo: "2020-02-10" });
});
afterAll(() => running.closeAll());

const rows = async (path: string) => (await trader.send("GET", path)).body as unknown as Rows;
const ids = async (query: string) => (await rows(`/v2/orders?${query}`)).map((order) => order.client_order_id);
const status = async (path: string) => (await trader.send("GET", path)).status;

describe("orders", () => {
  it("by state, newest first", async () => {
    expect(await ids("status=all&limit=3")).toEqual(["sells", "rests", "buy-6"]);
    expect(await ids("status=open")).toEqual([]);
    expect(await ids("status=closed&limit=2&direction=asc")).toEqual(["buy-1", "buy-2"]);
  });

  it("by symbol, side and class", async () => {
    expect(await ids("status=all&symbols=FOUR&side=buy")).toEqual(["rests", "buy-6", "buy-4", "buy-2"]);
    expect(await ids("status=all&side=sell")).toEqual(["sells"]);
    expect(await ids("status=all&asset_class=crypto")).toEqual([]);
  });

  it("pages by time and by id reach every order once", async () => {
    const byTime: unknown[] = [];
    let until = "";
    for (let page = await rows("/v2/orders?status=all&limit=3"); page.length > 0;) {
      byTime.push(...page.map((order) => order.client_order_id));
      until = page.at(-1)?.submitted_at ?? "";
      page = await rows(`/v2/orders?status=all&limit=3&until=${encodeURIComponent(until)}`);
    }
    const byId: unknown[] = [];
    for (let page = await rows("/v2/orders?status=all&limit=3"); page.length > 0;) {
      byId.push(...page.map((order) => order.client_order_id));
      page = await rows(`/v2/orders?status=all&limit=3&before_order_id=${page.at(-1)?.id ?? ""}`);
    }
    const all = ["sells", "rests", "buy-6", "buy-5", "buy-4", "buy-3", "buy-2", "buy-1"];
    expect([byTime, byId]).toEqual([all, all]);
  });

  it.each([
    "status=some",
    "side=long",
    "direction=up",
    "limit=0",
    "after=yesterday",
    "before_order_id=a&after_order_id=b",
  ])("%s is refused", async (query) => expect(await status(`/v2/orders?${query}`)).toBe(422));

  it("an order id that is not known is not found", async () => {
    expect(await status("/v2/orders?before_order_id=nope")).toBe(404);
  });
});

describe("activities", () => {
  const types = async (query: string) =>
    (await rows(`/v2/account/activities?${query}`)).map((activity) => activity.activity_type);

  it("by type and by category, newest first", async () => {
    expect(await types("")).toEqual(["DIV", "FILL", "FILL", "FILL", "FILL", "FILL", "FILL", "CSD"]);
    expect(await types("activity_types=DIV,CSD")).toEqual(["DIV", "CSD"]);
    expect(await types("activity_types=TRANS&direction=asc")).toEqual(["CSD"]);
    expect(await types("category=non_trade_activity")).toEqual(["DIV", "CSD"]);
    expect(await rows("/v2/account/activities/DIV")).toHaveLength(1);
  });

  it("by date, after and until", async () => {
    expect(await types("date=2020-02-07")).toEqual(["DIV"]);
    expect(await types("after=2020-02-03")).toEqual(["DIV"]);
    expect(await types("until=2020-02-03T14:30:00Z")).toEqual([]);
    expect((await types("until=2020-02-07")).length).toBe(7);
  });

  it("after and until tell executions within one millisecond apart", async () => {
    const timesOf = async (query: string) =>
      (await rows(`/v2/account/activities/FILL?direction=asc${query}`)).map((fill) => fill.transaction_time ?? "");
    const times = await timesOf("");
    const [first = "", last = ""] = [times[0], times.at(-1)];
    expect(first.slice(0, 23)).toBe(last.slice(0, 23));
    expect(await timesOf(`&after=${first}`)).toEqual(times.slice(1));
    expect(await timesOf(`&until=${last}`)).toEqual(times.slice(0, -1));
  });

  it("pages reach every line once", async () => {
    const seen: unknown[] = [];
    for (let page = await rows("/v2/account/activities?page_size=3"); page.length > 0;) {
      seen.push(...page.map((activity) => activity.id));
      page = await rows(`/v2/account/activities?page_size=3&page_token=${encodeURIComponent(page.at(-1)?.id ?? "")}`);
    }
    expect(new Set(seen).size).toBe(8);
    expect(seen).toHaveLength(8);
  });

  it.each([
    "page_size=101",
    "page_size=0",
    "category=all",
    "category=trade_activity&activity_types=DIV",
    "page_token=x",
    "direction=up",
  ])("%s is refused", async (query) => expect(await status(`/v2/account/activities?${query}`)).toBe(422));
});

describe("announcements", () => {
  it("tell dividends and splits by date and symbol, and none that is not known yet", async () => {
    const path = "/v2/corporate_actions/announcements";
    const [four] = await rows(`${path}?ca_types=dividend&since=2020-02-01&until=2020-02-28&symbol=FOUR`);
    expect(four).toMatchObject({
      ca_type: "dividend",
      ca_sub_type: "cash",
      initiating_symbol: "FOUR",
      ex_date: "2020-02-07",
      cash: "0.77",
    });
    expect((await trader.send("GET", `${path}/${four?.id ?? ""}`)).body).toEqual(four);
    const later = await rows(`${path}?ca_types=dividend,split&since=2020-02-10&until=2020-04-30`);
    expect(later.length).toBeGreaterThan(0);
    expect(later.every(({ ex_date }) => (ex_date ?? "") <= addDays("2020-02-10", 10))).toBe(true);
  });

  it.each([
    "since=2020-02-01&until=2020-02-28",
    "ca_types=dividend&until=2020-02-28",
    "ca_types=dividend&since=2020-01-01&until=2020-06-01",
  ])("%s is refused", async (query) => expect(await status(`/v2/corporate_actions/announcements?${query}`)).toBe(422));
});

describe("watchlists", () => {
  it("are made, read, changed by id and by name, and gone for good", async () => {
    const made = (await trader.send("POST", "/v2/watchlists", { name: "big", symbols: ["FOUR", "BROAD"] })).body;
    const symbolsOf = (body: unknown) => (body as { assets: { symbol: string }[] }).assets.map(({ symbol }) => symbol);
    expect(symbolsOf(made)).toEqual(["FOUR", "BROAD"]);
    const path = `/v2/watchlists/${String(made.id)}`;
    expect(symbolsOf((await trader.send("POST", path, { symbol: "SPY" })).body)).toEqual(["FOUR", "BROAD", "SPY"]);
    expect(symbolsOf((await trader.send("DELETE", `${path}/BROAD`)).body)).toEqual(["FOUR", "SPY"]);
    expect(
      (await trader.send("PUT", "/v2/watchlists:by_name?name=big", { name: "small", symbols: ["SPY"] })).body,
    ).toMatchObject({ name: "small" });
    expect(symbolsOf((await trader.send("GET", "/v2/watchlists:by_name?name=small")).body)).toEqual(["SPY"]);
    expect((await rows("/v2/watchlists")).map(({ id, name }) => [id, name])).toEqual([[made.id, "small"]]);
    expect((await trader.send("DELETE", path)).status).toBe(204);
    expect(await status(path)).toBe(404);
  });

  it("refuse a name that is taken, a symbol that is not known, one that is there already", async () => {
    const { body } = await trader.send("POST", "/v2/watchlists", { name: "mine", symbols: ["FOUR"] });
    expect((await trader.send("POST", "/v2/watchlists", { name: "mine" })).status).toBe(422);
    expect((await trader.send("POST", "/v2/watchlists", { name: "other", symbols: ["NOSUCH"] })).status).toBe(404);
    expect((await trader.send("POST", `/v2/watchlists/${String(body.id)}`, { symbol: "FOUR" })).status).toBe(422);
    const stranger = await openTrader(exchange);
    expect((await stranger.send("GET", `/v2/watchlists/${String(body.id)}`)).status).toBe(404);
  });
});

describe("clock and calendar of version 3", () => {
  it("tell the phase of the day and when it ends", async () => {
    const { body } = await trader.send("GET", "/v3/clock?markets=NYSE,XNAS&time=2020-11-27T18:30:00Z");
    const [nyse, nasdaq] = (body as { clocks: Rows }).clocks;
    expect(nyse).toMatchObject({
      phase: "post",
      phase_until: "2020-11-27T17:00:00-05:00",
      is_market_day: true,
      next_market_open: "2020-11-30T09:30:00-05:00",
      next_market_close: "2020-11-30T16:00:00-05:00",
    });
    expect((nasdaq?.market as unknown as Record<string, string>).mic).toBe("XNAS");
    expect(await status("/v3/clock?markets=LSE")).toBe(400);
  });

  it("tell the hours of each session", async () => {
    const { body } = await trader.send("GET", "/v3/calendar/NYSE?start=2020-11-26&end=2020-11-30&timezone=UTC");
    expect(
      (body as { calendar: Rows }).calendar.map(({ date, core_start, core_end, post_end }) => [
        date,
        core_start,
        core_end,
        post_end,
      ]),
    ).toEqual([
      ["2020-11-27", "2020-11-27T14:30:00Z", "2020-11-27T18:00:00Z", "2020-11-27T22:00:00Z"],
      ["2020-11-30", "2020-11-30T14:30:00Z", "2020-11-30T21:00:00Z", "2020-12-01T01:00:00Z"],
    ]);
  });

  it("the calendar by day of settlement", async () => {
    const days = await rows("/v2/calendar?start=2020-02-10&end=2020-02-10&date_type=SETTLEMENT");
    expect(days.map(({ date, settlement_date }) => [date, settlement_date])).toEqual([["2020-02-06", "2020-02-10"]]);
  });
});
