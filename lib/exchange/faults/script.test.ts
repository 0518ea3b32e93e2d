import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createFaults, type FaultInput } from "../faults.ts";
import { openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "../start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { FAULT_KINDS, readFault } from "./kinds.ts";
import { storm } from "./storm.ts";

const ORDERS = "/v2/orders";

describe("what a fault may be told", () => {
  it.each<[string, unknown, RegExp]>([
    ["nothing at all", undefined, /an object with a kind/],
    ["an unknown kind", { kind: "earthquake" }, /unknown fault: earthquake; one of drop_before_accept/],
    ["a parameter of another kind", { kind: "drop_before_accept", ms: 5 }, /drop_before_accept does not take ms/],
    ["a misspelt condition", { kind: "hang", accont: "PA1" }, /hang does not take accont/],
    ["a wrong type", { kind: "hang", ms: "5" }, /hang: ms: /],
    ["a negative time", { kind: "hang", ms: -1 }, /hang: ms: /],
    ["an impossible probability", { kind: "hang", probability: 1.5 }, /hang: probability: /],
    [
      "an unknown form",
      { kind: "garbage_200", form: "pdf" },
      /form must be one of html, empty, null, text, list, not pdf/,
    ],
    ["a missing parameter", { kind: "missing_fields" }, /missing_fields needs fields/],
    ["two beginnings", { kind: "hang", after_ms: 1, after_minutes: 1 }, /only one of after_ms and after_minutes/],
    ["a path that is none", { kind: "hang", path: "v2/orders" }, /hang: path: /],
  ])("%s is refused with a reason", (_, input, reason) => {
    expect(() => readFault(input)).toThrow(reason);
    expect(() => readFault(input)).toThrow(expect.objectContaining({ status: 400 }) as Error);
  });

  it("every kind can be asked for by its name and what it needs", () => {
    const needs: Partial<Record<string, object>> = {
      missing_fields: { fields: ["id"] },
      skewed_date: { ms: 1 },
      deviating_prices: { percent: 2 },
    };
    for (const kind of FAULT_KINDS) expect(readFault({ kind, ...needs[kind] }).kind).toBe(kind);
  });
});

describe("which occasions a fault strikes", () => {
  const strikes = (input: FaultInput, method: string, path: string, subject = {}) => {
    const faults = createFaults();
    faults.add(input);
    return faults.strike([input.kind], method, path, subject) !== undefined;
  };

  it.each<[string, Partial<FaultInput>, boolean]>([
    ["the method", { method: "POST" }, true],
    ["another method", { method: "GET" }, false],
    ["the beginning of the path", { path: "/v2/ord" }, true],
    ["another path", { path: "/v2/positions" }, false],
    ["a pattern", { path: "/v2/*s" }, true],
    ["a pattern that stops short", { path: "/v2/*er" }, false],
    ["the account's number", { account: "PA1" }, true],
    ["the account's id", { account: "id-1" }, true],
    ["another account", { account: "PA2" }, false],
    ["the symbol", { symbol: "AAPL" }, true],
    ["another symbol", { symbol: "AAP" }, false],
    ["the client id", { client_order_id: "tw-7" }, true],
    ["a pattern of client ids", { client_order_id: "tw-*" }, true],
    ["another client id", { client_order_id: "tw" }, false],
  ])("by %s", (_, condition, isStruck) => {
    const subject = { accountId: "id-1", accountNumber: "PA1", symbols: ["MSFT", "AAPL"], clientOrderId: "tw-7" };
    expect(strikes({ kind: "hang", ...condition }, "POST", ORDERS, subject)).toBe(isStruck);
  });

  it("what is not known of an occasion does not fit a condition on it", () => {
    for (const condition of [{ account: "PA1" }, { symbol: "AAPL" }, { client_order_id: "*" }])
      expect(strikes({ kind: "hang", ...condition }, "POST", ORDERS)).toBe(false);
  });

  it("counts, lets the first ones pass, and stops by itself", async () => {
    const faults = createFaults();
    const fault = faults.add({ kind: "hang", skip: 2, count: 2 });
    const hits = Array.from({ length: 6 }, () => faults.strike(["hang"], "GET", "/") !== undefined);
    expect(hits).toEqual([false, false, true, true, false, false]);
    expect([fault.struck, fault.left]).toEqual([2, 0]);
    faults.add({ kind: "delay", count: 0, for_ms: 30 });
    expect(faults.strike(["delay"], "GET", "/")).toBeDefined();
    await expect.poll(() => faults.strike(["delay"], "GET", "/")).toBeUndefined();
  });

  it("a probability draws the same way from the same seed, and another way from another", () => {
    const hits = (seed: number) => {
      const faults = createFaults();
      faults.add({ kind: "hang", count: 0, probability: 0.3, seed });
      return Array.from({ length: 200 }, () => faults.strike(["hang"], "GET", "/") !== undefined);
    };
    expect(hits(1)).toEqual(hits(1));
    expect(hits(1)).not.toEqual(hits(2));
    const share = hits(1).filter(Boolean).length / 200;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
  });

  it("without a seed of its own a fault draws from the exchange's seed and its place in the script", () => {
    const hits = (seed: number) => {
      const faults = createFaults({ seed });
      faults.add({ kind: "hang", count: 0, probability: 0.5 });
      return Array.from({ length: 64 }, () => faults.strike(["hang"], "GET", "/") !== undefined);
    };
    expect(hits(7)).toEqual(hits(7));
    expect(hits(7)).not.toEqual(hits(8));
  });

  it("a fault on a market offset begins when market time gets there", () => {
    let nowMs = 1_000_000;
    const faults = createFaults({ marketMs: () => nowMs });
    const fault = faults.add({ kind: "hang", after_minutes: 3 });
    nowMs += 179_999;
    faults.look();
    expect(faults.strike(["hang"], "GET", "/")).toBeUndefined();
    nowMs += 1;
    faults.look();
    expect(fault.isActive).toBe(true);
    expect(faults.strike(["hang"], "GET", "/")).toBe(fault);
  });

  it("a fault on a wall offset begins by itself, and not at all once it is deleted", async () => {
    const faults = createFaults();
    const begun: string[] = [];
    faults.onBegin = ({ kind }) => begun.push(kind);
    const gone = faults.add({ kind: "drip", after_ms: 5 });
    expect(faults.strike(["drip"], "GET", "/")).toBeUndefined();
    expect(faults.remove(gone.id)).toBe(1);
    faults.add({ kind: "hang", after_ms: 20 });
    await expect.poll(() => begun).toEqual(["hang"]);
    expect(faults.strike(["hang"], "GET", "/")).toBeDefined();
  });
});

describe("a storm", () => {
  it("is the same from the same seed, differs from another, and can all be asked for", () => {
    const wishes = { seed: 4, faults: 200, over_ms: 60_000, account: "PA1" };
    expect(storm(wishes)).toEqual(storm(wishes));
    expect(storm(wishes)).not.toEqual(storm({ ...wishes, seed: 5 }));
    for (const fault of storm(wishes)) expect(readFault(fault)).toEqual(fault);
    expect(new Set(storm(wishes).map(({ kind }) => kind)).size).toBe(10);
    expect(storm({ ...wishes, kinds: ["late_events", "cut_stream"] }).every(({ path }) => path === undefined)).toBe(
      true,
    );
    expect(() => storm({ ...wishes, faults: 0 })).toThrow("storm: faults");
  });
});

describe("over the wire", () => {
  let exchange: Exchange;
  let trader: PracticeTrader;
  beforeAll(async () => {
    exchange = await startTestExchange({ port: 0, paused: true, seed: 3, controlToken: "control" });
    trader = await openTrader(exchange, "1000000");
  });
  afterEach(() => exchange.control.clearFaults());
  afterAll(() => exchange.close());

  async function control<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const headers = { "x-control-token": "control", "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${exchange.url}/_control${path}`, init);
    return { status: answer.status, body: (await answer.json()) as T };
  }
  const buy = (client_order_id: string, symbol = "SPY") =>
    trader.send("POST", ORDERS, {
      symbol,
      side: "buy",
      qty: "1",
      type: "market",
      time_in_force: "day",
      client_order_id,
    });

  it("a script is set, counted, listed and removed; a wrong line sets none of it", async () => {
    const wrong = await control<{ message: string }>("POST", "/schedule", {
      faults: [{ kind: "hang" }, { kind: "hung" }],
    });
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining("unknown fault: hung")]);
    expect(exchange.control.faults()).toEqual([]);
    expect((await control("POST", "/schedule", { faults: [] })).status).toBe(400);
    expect((await control("POST", "/faults", ["hang"])).status).toBe(400);

    const script = {
      faults: [
        { kind: "status", status: 503, method: "POST", path: ORDERS },
        { kind: "hang", after_ms: 60_000 },
      ],
    };
    const set = await control<{ faults: { id: string; isActive: boolean }[] }>("POST", "/schedule", script);
    expect(set.body.faults.map(({ isActive }) => isActive)).toEqual([true, false]);
    expect((await buy("scripted")).status).toBe(503);
    const listed = await control<{ faults: { struck: number; left: number }[] }>("GET", "/faults");
    expect(listed.body.faults.map(({ struck, left }) => [struck, left])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect((await control("DELETE", `/faults/${set.body.faults[0]?.id ?? ""}`)).body).toEqual({ removed: 1 });
    expect((await control("DELETE", "/faults")).body).toEqual({ removed: 1 });
  });

  it("a market offset runs with the clock", async () => {
    exchange.control.addFault({ kind: "status", status: 500, after_minutes: 2, method: "POST", path: ORDERS });
    expect((await buy("early")).status).toBe(200);
    await exchange.control.clock({ advanceMinutes: 2 });
    expect((await buy("due")).status).toBe(500);
  });

  it("a storm is set from its seed and told as the list that it is", async () => {
    const set = await control<{ faults: { kind: string }[] }>("POST", "/schedule", {
      storm: { seed: 9, faults: 5, over_ms: 1_000 },
    });
    expect(set.body.faults.map(({ kind }) => kind)).toEqual(
      storm({ seed: 9, faults: 5, over_ms: 1_000 }).map(({ kind }) => kind),
    );
  });

  it("the log of arrivals tells when each request came, what struck it, and what was answered", async () => {
    const before = exchange.control.arrivals().arrivals.at(-1)?.seq ?? 0;
    const from = Date.now();
    exchange.control.schedule([
      { kind: "drop_before_accept", client_order_id: "log-lost" },
      { kind: "late_accept", client_order_id: "log-late", ms: 40 },
      { kind: "status_after_accept", client_order_id: "log-told-wrong", status: 504 },
    ]);
    const sent = await buy("log-plain");
    await expect(buy("log-lost")).rejects.toThrow();
    await expect(buy("log-late")).rejects.toThrow();
    await buy("log-told-wrong");
    await trader.send("DELETE", `${ORDERS}/${String(sent.body.id)}`);
    await trader.send("GET", ORDERS);
    await expect
      .poll(() => exchange.control.arrivals({ client_order_id: "log-late" }).arrivals[0]?.served_status)
      .toBe(200);
    const { arrivals } = exchange.control.arrivals({ account_number: trader.account.account_number, after: before });
    expect(
      arrivals.map(({ method, client_order_id, symbol, faults, served_status, answered_status }) => [
        method,
        client_order_id,
        symbol,
        faults.map(({ kind }) => kind),
        served_status,
        answered_status,
      ]),
    ).toEqual([
      ["POST", "log-plain", "SPY", [], 200, 200],
      ["POST", "log-lost", "SPY", ["drop_before_accept"], null, null],
      ["POST", "log-late", "SPY", ["late_accept"], 200, null],
      ["POST", "log-told-wrong", "SPY", ["status_after_accept"], 200, 504],
      ["DELETE", "log-plain", "SPY", [], 422, 422],
    ]);
    const late = arrivals[2];
    expect((late?.served_wall_ms ?? 0) - (late?.wall_ms ?? 0)).toBeGreaterThanOrEqual(38);
    for (const arrival of arrivals) expect(Math.abs(arrival.wall_ms - from)).toBeLessThan(60_000);
    const over = await control<{ arrivals: unknown[]; forgotten: number }>(
      "GET",
      `/arrivals?method=DELETE&after=${before}`,
    );
    expect([over.body.arrivals.length, over.body.forgotten]).toEqual([1, 0]);
  });
});
