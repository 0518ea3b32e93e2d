import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { exchanges, limitOrder, marketOrder, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

/** What alpaca-py, alpaca-trade-api (Python) and @master-chief/alpaca send that the official SDK does not. */

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let trader: PracticeTrader;
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
  await exchange.control.clock({ advanceMinutes: 5 });
});
afterAll(() => running.closeAll());

const SET = ["true", "True", "TRUE", "1", "t", "T", "yes"];
const NOT_SET = ["false", "False", "0", "f", "no", ""];

describe("a boolean of a query, in any spelling (S1)", () => {
  let parent: string;
  beforeAll(async () => {
    trader = await openTrader(exchange);
    const exits = { take_profit: { limit_price: "9000.00" }, stop_loss: { stop_price: "1.00" } };
    const order = { ...limitOrder("SPY", "buy", "1", "1.50"), order_class: "bracket", ...exits, time_in_force: "gtc" };
    const answer = await trader.send("POST", "/v2/orders", { ...order, client_order_id: "bracket" });
    parent = String(answer.body.id);
  });

  it.each(SET)("nested=%s shows an order with its legs, and a list without them beside it", async (spelling) => {
    const { body } = await trader.send("GET", `/v2/orders/${parent}?nested=${spelling}`);
    expect(body.legs).toHaveLength(2);
    const list = await trader.send("GET", `/v2/orders?status=all&nested=${spelling}`);
    expect((list.body as unknown as { id: string }[]).map(({ id }) => id)).toEqual([parent]);
  });

  it.each(NOT_SET)("nested=%s shows the orders flat", async (spelling) => {
    expect((await trader.send("GET", `/v2/orders/${parent}?nested=${spelling}`)).body.legs).toBeNull();
    expect((await trader.send("GET", `/v2/orders?status=all&nested=${spelling}`)).body).toHaveLength(3);
  });

  it.each(SET)("cancel_orders=%s closes positions and cancels what was open", async (spelling) => {
    const other = await openTrader(exchange);
    await other.send("POST", "/v2/orders", marketOrder("SPY", "buy", "2"));
    const sale = { ...limitOrder("SPY", "sell", "2", "90000.00"), client_order_id: `sale-${spelling}` };
    await other.send("POST", "/v2/orders", sale);
    await other.send("DELETE", `/v2/positions?cancel_orders=${spelling}`);
    expect((await other.order(`sale-${spelling}`)).status).toBe("canceled");
  });
});

describe("configurations of another time (S2)", () => {
  const path = "/v2/account/configurations";

  it("a client that sends the whole object back, with fields that left it, changes what is still there", async () => {
    const own = await openTrader(exchange);
    const { body: before } = await own.send("GET", path);
    const sent = { ...before, dtbp_check: "both", pdt_check: null, a_field_of_tomorrow: 1, no_shorting: true };
    const changed = await own.send("PATCH", path, sent);
    expect(changed).toEqual({ status: 200, body: { ...before, no_shorting: true } });
    expect((await own.send("GET", path)).body).toEqual(changed.body);
  });

  it("an account of the old day-trading rule keeps and changes those fields", async () => {
    const own = await openTrader(exchange, "100000", { margin: true, legacy: true });
    const { body: before } = await own.send("GET", path);
    expect((await own.send("PATCH", path, { ...before, dtbp_check: "both" })).body).toMatchObject({
      dtbp_check: "both",
      pdt_check: before.pdt_check,
    });
  });

  it("a name that every object has is none of its fields", async () => {
    const own = await openTrader(exchange);
    const { body: before } = await own.send("GET", path);
    expect(await own.send("PATCH", path, { constructor: 1, toString: "x" })).toEqual({ status: 200, body: before });
  });

  it("a value that a field cannot have is still refused, and nothing of it done", async () => {
    const own = await openTrader(exchange);
    const { body: before } = await own.send("GET", path);
    const answer = await own.send("PATCH", path, { dtbp_check: "both", no_shorting: true, suspend_trade: "later" });
    expect(answer).toMatchObject({ status: 422, body: { code: 40010001 } });
    expect((await own.send("GET", path)).body).toEqual(before);
  });
});

describe("a slash too many (S3)", () => {
  it.each(["/stream", "/stream/", "//stream/"])("%s tells trade updates", async (path) => {
    const own = await openTrader(exchange);
    const socket = new WebSocket(`${exchange.url.replace("http", "ws")}${path}`);
    const events: string[] = [];
    socket.on("message", (raw: Buffer) => {
      const frame = JSON.parse(raw.toString("utf8")) as { stream: string; data: { event?: string } };
      events.push(frame.data.event ?? frame.stream);
    });
    await once(socket, "open");
    const { key_id, secret } = own.account;
    socket.send(JSON.stringify({ action: "authenticate", data: { key_id, secret_key: secret } }));
    socket.send(JSON.stringify({ action: "listen", data: { streams: ["trade_updates"] } }));
    await vi.waitFor(() => expect(events).toEqual(["authorization", "listening"]), { timeout: 15_000 });
    await own.send("POST", "/v2/orders", marketOrder("SPY", "buy", "1"));
    await vi.waitFor(() => expect(events).toContain("fill"), { timeout: 15_000 });
    socket.terminate();
  });

  it("market data streams open with one too", async () => {
    const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/v2/iex/`);
    const [raw] = (await once(socket, "message")) as [Buffer];
    expect(JSON.parse(raw.toString("utf8"))).toEqual([{ T: "success", msg: "connected" }]);
    socket.terminate();
  });

  it.each(["/v2/account/", "//v2/account", "/v2/account//", "/v2//account", "///v2///account///"])(
    "GET %s is the account",
    async (path) => {
      const own = await openTrader(exchange);
      expect((await own.send("GET", path)).body.account_number).toBe(own.account.account_number);
    },
  );

  it("an address that cannot be read is refused and ends nothing", async () => {
    const socket = connect(exchange.port, "127.0.0.1");
    socket.write("GET http://[ HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400/);
    socket.destroy();
    expect((await fetch(`${exchange.url}/v2/nowhere/`)).status).toBe(404);
  });
});

describe("option contracts (S4)", () => {
  it("none are listed, and one that is asked for is not found, with the broker's code", async () => {
    const own = await openTrader(exchange);
    expect(await own.send("GET", "/v2/options/contracts?underlying_symbols=SPY&show_deliverables=True")).toEqual({
      status: 200,
      body: { option_contracts: [], next_page_token: null },
    });
    expect(await own.send("GET", "/v2/options/contracts/SPY240119C00400000")).toEqual({
      status: 404,
      body: { code: 40410000, message: "option contract SPY240119C00400000 not found" },
    });
    expect(await own.send("GET", "/v1beta1/options/bars")).toMatchObject({ status: 404, body: { code: 40410000 } });
  });
});

describe("extended hours of the portfolio history (S1)", () => {
  beforeAll(async () => {
    trader = await openTrader(exchange);
    await exchange.control.clock({ jumpTo: "2024-01-09T15:00:00.000Z" });
  });

  it.each(SET)("extended_hours=%s shows the morning before the opening too", async (spelling) => {
    const countPoints = async (value: string) => {
      const target = `/v2/account/portfolio/history?period=1D&timeframe=15Min&extended_hours=${value}`;
      return ((await trader.send("GET", target)).body.timestamp as number[]).length;
    };
    expect(await countPoints(spelling)).toBeGreaterThan(await countPoints("False"));
  });
});

describe("what curl and generated clients send", () => {
  beforeAll(async () => {
    trader = await openTrader(exchange);
  });

  it.each(["/v2/positions/%E0%A4%A", "/v2/orders/%E0%A4%A"])("DELETE %s is refused as a path", async (path) => {
    expect(await trader.send("DELETE", path)).toMatchObject({ status: 400, body: { code: 40010000 } });
  });

  it.each([
    ["0.0000001", "0.0000001"],
    ["1.25e-7", "0.000000125"],
    ["12e-1", "1.2"],
    ["5E+0", "5"],
  ])("the quantity %s as a JSON number is read as %s", async (number, qty) => {
    const order = JSON.stringify({ ...limitOrder("SPY", "buy", "QTY", "1.50"), type: "limit" });
    const { key_id, secret } = trader.account;
    const answer = await fetch(`${exchange.url}/v2/orders`, {
      method: "POST",
      headers: { "APCA-API-KEY-ID": key_id, "APCA-API-SECRET-KEY": secret, "content-type": "application/json" },
      body: order.replace('"QTY"', number),
    });
    expect([answer.status, ((await answer.json()) as { qty: string }).qty]).toEqual([200, qty]);
  });

  it.each(["1e21", "-1e-7"])("the quantity %s is read as well, and refused for what it is", async (number) => {
    const { status, body } = await trader.send("POST", "/v2/orders", {
      ...limitOrder("SPY", "buy", "1", "1.50"),
      qty: Number(number),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.message).toBe(number === "1e21" ? "insufficient buying power" : "qty must be > 0");
  });

  it("news come without their content where it is not wanted", async () => {
    const contents = async (query: string) => {
      const { body } = await trader.send("GET", `/v1beta1/news?limit=5${query}`);
      return (body.news as { content: string; headline: string }[]).map(({ content }) => content);
    };
    expect((await contents("&include_content=true")).every((content) => content !== "")).toBe(true);
    expect(await contents("&include_content=false")).toEqual(["", "", "", "", ""]);
  });

  it.each([
    ["/v2/stocks/auctions?symbols=SPY&feed=iex", 400],
    ["/v2/stocks/SPY/auctions?feed=sip", 200],
    ["/v2/stocks/bars?symbols=SPY&timeframe=1Day&feed=delayed_sip", 400],
    ["/v2/stocks/SPY/trades?feed=overnight", 400],
    ["/v2/stocks/quotes?symbols=SPY&feed=delayed_sip", 400],
    ["/v2/stocks/bars?symbols=SPY&timeframe=1Day&feed=iex", 200],
    ["/v2/stocks/bars/latest?symbols=SPY&feed=delayed_sip", 200],
    ["/v2/stocks/snapshots?symbols=SPY&feed=overnight", 200],
    ["/v2/stocks/SPY/snapshot?feed=toString", 400],
  ])("the feed of %s → %i", async (path, status) => {
    expect((await trader.send("GET", path)).status).toBe(status);
  });
});
