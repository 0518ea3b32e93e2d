import { expect, it } from "vitest";
import { allOrders } from "./alpaca-lists.ts";
import type { AlpacaApi, AlpacaRequests } from "./alpaca-requests.ts";

type Row = ReturnType<typeof row>;

const START = Date.parse("2026-10-08T15:00:00.000Z");

function row(place: number, symbol: string) {
  const at = new Date(START + place * 1000).toISOString();
  return {
    id: `o${place}`,
    client_order_id: `c${place}`,
    symbol,
    asset_class: symbol.includes("/") ? "crypto" : "us_equity",
    side: "buy",
    order_class: "",
    type: "limit",
    time_in_force: "gtc",
    qty: "1",
    limit_price: "10",
    status: "new",
    filled_qty: "0",
    submitted_at: at,
    updated_at: at,
    legs: null,
  };
}

/** A broker with these orders, which answers pages as Alpaca does: after an exclusive edge, ascending. */
function listOf(rows: readonly Row[], isAfter = (each: Row, edge: string) => each.submitted_at > edge) {
  const api = {
    orders: {
      getAllOrdersRaw: ({ after = "", limit }: { after?: string; limit: number }) =>
        Promise.resolve(rows.filter((each) => isAfter(each, after)).slice(0, limit)),
    },
  };
  const requests = {
    read: async (_: string, ask: (init: object) => Promise<unknown>, parse: (wire: unknown) => unknown) =>
      parse(await ask({})),
  };
  const others = new Set<string>();
  const read = allOrders(requests as unknown as AlpacaRequests, api as unknown as AlpacaApi, "all", null, ({ id }) =>
    others.add(id),
  );
  return { read, others };
}

it("a stretch of other assets longer than a page hides no order of a stock behind it", async () => {
  const rows = Array.from({ length: 1_900 }, (_, place) =>
    row(place, place < 300 || place > 1_500 ? "SPY" : "BTC/USD"),
  );
  const { read, others } = listOf(rows);
  const stocks = rows.filter(({ symbol }) => symbol === "SPY").map(({ id }) => id);
  expect((await read).map(({ id }) => id)).toEqual(stocks);
  expect(others.size).toBe(rows.length - stocks.length);
});

it("a broker that repeats one page is not believed", async () => {
  const rows = Array.from({ length: 600 }, (_, place) => row(place, place % 2 === 0 ? "SPY" : "BTC/USD"));
  await expect(listOf(rows, () => true).read).rejects.toThrow();
});
