import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { exchanges, openTrader, type PracticeTrader, TAPE } from "@/lib/proof/practice-trader.ts";

/** Page tokens of market data, over the wire. */

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let trader: PracticeTrader;
beforeAll(async () => {
  trader = await openTrader(await running.open({ tape: TAPE, start: "2020-03-10" }));
});
afterAll(() => running.closeAll());

const RANGE = "start=2020-03-02&end=2020-03-06&limit=2";
const LISTS = [
  `/v2/stocks/bars?symbols=SPY,FOUR&timeframe=1Day&${RANGE}`,
  `/v2/stocks/SPY/bars?timeframe=1Min&${RANGE}`,
  `/v2/stocks/bars?symbols=SPY&timeframe=1Week&start=2020-01-02&limit=2`,
  `/v2/stocks/SPY/trades?${RANGE}`,
  `/v2/stocks/quotes?symbols=SPY&${RANGE}&sort=desc`,
  `/v2/stocks/auctions?symbols=SPY&${RANGE}&sort=desc`,
  "/v1beta1/news?limit=2",
  "/v1/corporate-actions?start=2019-01-02&limit=2",
];
const base64 = (text: string) => Buffer.from(text).toString("base64url");
const page = (path: string, token: string) => trader.send("GET", `${path}&page_token=${encodeURIComponent(token)}`);
const REFUSED = { status: 400, body: { message: "invalid page_token" } };

describe.each(LISTS)("%s", (path) => {
  it.each(["garbage", "AAAA", "SPY", base64("SPY"), base64("-1"), base64("SPY|-1"), `${base64("7")}=`])(
    "refuses the token %s",
    async (token) => {
      expect(await page(path, token)).toEqual(REFUSED);
    },
  );

  it("goes on with its own token, and refuses it when a letter is lost", async () => {
    const first = await trader.send("GET", path);
    const token = String(first.body.next_page_token);
    const second = await page(path, token);
    expect(second.status).toBe(200);
    expect(second.body).not.toEqual(first.body);
    expect((await page(path, `!${token}`)).status).toBe(400);
  });
});

describe("a token of stocks", () => {
  it.each(LISTS.slice(0, 6))("that names a symbol that %s does not ask for is refused", async (path) => {
    expect(await page(path, base64("BROAD|5"))).toEqual(REFUSED);
  });

  it.each([0, 1, 3, 4, 5].map((index) => LISTS[index] as string))(
    "that lies after the market's last session is refused by %s",
    async (path) => {
      expect(await page(path, base64("SPY|900000000000000"))).toEqual(REFUSED);
    },
  );
});

it("news of a symbol that is not listed are none, from any start", async () => {
  expect(await trader.send("GET", "/v1beta1/news?symbols=NOSUCH&start=2000-01-01")).toEqual({
    status: 200,
    body: { news: [], next_page_token: null },
  });
});
