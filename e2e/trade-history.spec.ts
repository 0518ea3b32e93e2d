import { readFileSync } from "node:fs";
import { expect, type Page, type Route } from "@playwright/test";
import { expectAccessible, expectAccessibleInThemes } from "./axe.ts";
import { colourName } from "./colour.ts";
import { load, signInAs, withoutPrefetch } from "./page-watch.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

const LIST = /\/api\/v1\/trades\?/;

type Trade = Record<string, unknown> & { account: object };

const account = {
  id: "01a00000-0000-7000-8000-000000000000",
  name: null,
  environment: "PAPER",
  environmentLabel: "PRACTICE",
  user: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" },
};

const trade = (index: number, fields: object = {}): Trade => ({
  id: `01a00000-0000-7000-8000-0000000000${String(index).padStart(2, "0")}`,
  symbol: "AAPL",
  side: "BUY",
  status: "FILLED",
  quantity: 3,
  filledQuantity: 3,
  averagePrice: 100.5,
  totalValue: 301.5,
  reason: "Momentum entry",
  createdAt: "2020-02-03T15:42:05.000Z",
  account,
  tripPnl: null,
  protection: [],
  ...fields,
});

const ALL_KINDS = [
  trade(1),
  trade(2, { side: "SELL", status: "PENDING", filledQuantity: 0, averagePrice: null, totalValue: 0 }),
  trade(3, { status: "CANCELLED", filledQuantity: 0, averagePrice: null, totalValue: 0 }),
  // What is no number reads $0.00.
  trade(4, { status: "REJECTED", averagePrice: "NaN", totalValue: null }),
];

const page = (trades: Trade[], more: object = {}) => ({
  trades,
  summary: {
    totalTrades: trades.length,
    filledTrades: 1,
    winningTrades: 0,
    losingTrades: 0,
    totalVolume: 1234.5,
    averageTradeSize: 308.625,
  },
  environment: "PRACTICE",
  environments: ["PRACTICE"],
  pagination: { nextCursor: null, limit: 50, total: trades.length },
  ...more,
});

const answer = (route: Route, data: unknown) => route.fulfill({ json: { success: true, data, error: null } });

/** The history as the server is made to answer; the queries that were asked. */
async function openWith(browser: Page, data: unknown, path = "/trade-history"): Promise<URLSearchParams[]> {
  const asked: URLSearchParams[] = [];
  await browser.route(LIST, (route) => {
    const { searchParams } = new URL(route.request().url());
    // The command palette asks for a few, too.
    if (searchParams.get("limit") !== "50") return route.continue();
    asked.push(searchParams);
    return answer(route, data);
  });
  await browser.goto(path);
  return asked;
}

async function enter(browser: Page, who: "trader" | "admin"): Promise<void> {
  await signInAs(browser, run().demo[who]);
}

test.describe("the words of the trade history", () => {
  test("filters, columns, colours, figures and cards are those of the specification", async ({ page: browser }) => {
    await enter(browser, "trader");
    const asked = await openWith(browser, page(ALL_KINDS));
    await expect(browser.getByRole("heading", { level: 1 })).toHaveText("Trade History (4 trades)");

    await expect(browser.getByPlaceholder("e.g. AAPL")).toHaveAccessibleName("Symbol");
    for (const [label, options] of [
      ["Side", ["All", "Buy", "Sell"]],
      ["Status", ["All", "Filled", "Pending", "Cancelled", "Rejected"]],
    ] as const) {
      await expect(browser.getByLabel(label, { exact: true }).locator("option")).toHaveText([...options]);
    }
    await expect(browser.getByLabel("Start Date")).toHaveAttribute("type", "date");
    await expect(browser.getByLabel("End Date")).toHaveAttribute("type", "date");
    await expect(browser.getByRole("button", { name: "Clear Filters" })).toBeDisabled();

    await expect(browser.getByRole("columnheader")).toHaveText([
      "Trade ID",
      "Symbol",
      "Side",
      "Quantity",
      "Price",
      "Total Value",
      "P&L",
      "Status",
      "Date",
    ]);
    const rows = browser.getByRole("table", { name: "" }).first().locator("tbody tr");
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(0)).toContainText("$100.50");
    await expect(rows.nth(0)).toContainText("$301.50");
    await expect(rows.nth(0)).toContainText("Mon 3 Feb 2020 10:42 ET");
    await expect(rows.nth(3).locator("td").nth(4)).toHaveText("$0.00");
    await expect(rows.nth(3).locator("td").nth(5)).toHaveText("$0.00");
    for (const colorScheme of ["dark", "light"] as const) {
      await browser.emulateMedia({ colorScheme });
      const look = expect(browser.locator("html"), `the page is ${colorScheme}`);
      await (colorScheme === "dark" ? look : look.not).toHaveClass(/(^| )dark( |$)/);
      for (const [row, word, colour] of [
        [0, "Filled", "green"],
        [1, "Pending", "yellow"],
        [2, "Cancelled", "grey"],
        [3, "Rejected", "red"],
        [0, "Buy", "green"],
        [1, "Sell", "red"],
      ] as const) {
        expect(await colourName(rows.nth(row).getByText(word, { exact: true })), `${word}, ${colorScheme}`).toBe(
          colour,
        );
      }
    }

    const cards = browser.getByRole("region", { name: "Summary" });
    await expect(cards.locator("dt")).toHaveText(["Total Trades", "Total Volume", "Filled Trades", "Avg Trade Size"]);
    await expect(cards.locator("dd")).toHaveText(["4", "$1,234.50", "1", "$308.63"]);

    const before = asked.length;
    await browser.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => asked.length).toBe(before + 1);
  });

  test("empty, loading and failed each say so; a failure empties the list", async ({ page: browser }) => {
    await enter(browser, "trader");
    await withoutPrefetch(browser);
    await openWith(browser, page([]));
    await expect(browser.getByText("No trades found")).toBeVisible();
    await expect(browser.getByText("Start trading to see your trade history here.")).toBeVisible();
    await expect(browser.getByRole("region", { name: "Summary" })).toBeHidden();
    await browser.getByLabel("Side", { exact: true }).selectOption("Buy");
    await expect(browser.getByText("Try adjusting your filters to see more results.")).toBeVisible();

    await browser.unroute(LIST);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await browser.route(LIST, async (route) => {
      await held;
      await answer(route, page(ALL_KINDS));
    });
    await browser.goto("/trade-history");
    await expect(browser.getByText("Loading trade history...")).toBeVisible();
    await expect(browser.getByRole("heading", { level: 1 }), "no count before it is known").toHaveText("Trade History");
    release();
    await expect(browser.getByRole("heading", { level: 1 })).toHaveText("Trade History (4 trades)");

    await browser.unroute(LIST);
    let failure: string | null = "The market is on fire.";
    await browser.route(LIST, (route) =>
      route.fulfill({ status: 400, json: { success: false, data: null, error: failure, code: "invalid_input" } }),
    );
    const refresh = browser.getByRole("button", { name: "Refresh" });
    await refresh.click();
    await expect(browser.getByRole("alert").filter({ hasText: "The market is on fire." })).toBeVisible();
    await expect(browser.locator("tbody tr")).toHaveCount(0);
    await expect(browser.getByText("No trades found")).toBeHidden();
    failure = null;
    await refresh.click();
    await expect(browser.getByRole("alert").filter({ hasText: "Failed to fetch trades" })).toBeVisible();

    await browser.unroute(LIST);
    await browser.route(LIST, (route) => answer(route, null));
    await refresh.click();
    await expect(browser.getByRole("alert").filter({ hasText: "No trades data received" })).toBeVisible();
    await expect(browser.getByText("No trades found")).toBeHidden();
  });

  test("filters and sorting live in the address and are sent; clearing takes them away", async ({ page: browser }) => {
    await enter(browser, "trader");
    const asked = await openWith(
      browser,
      page(ALL_KINDS),
      "/trade-history?symbol=AAPL&side=SELL&startDate=2020-02-01&sort=price&order=asc",
    );
    await expect(browser.getByRole("heading", { level: 1 })).toHaveText("Trade History (4 trades)");
    expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
      symbol: "AAPL",
      side: "SELL",
      startDate: "2020-02-01",
      sort: "price",
      direction: "asc",
      limit: "50",
    });
    await expect(browser.getByRole("columnheader", { name: "Price" })).toHaveAttribute("aria-sort", "ascending");
    await browser.getByRole("button", { name: "Total Value" }).click();
    await expect(browser).toHaveURL(/sort=total/);
    await expect.poll(() => asked.at(-1)?.get("direction")).toBe("desc");
    const clear = browser.getByRole("button", { name: "Clear Filters" });
    await clear.click();
    await expect(browser).toHaveURL(/\/trade-history\?sort=total$/);
    const symbol = browser.getByLabel("Symbol");
    await expect(symbol).toHaveValue("");
    await browser.getByLabel("Status", { exact: true }).selectOption("Cancelled");
    await browser.getByLabel("End Date").fill("2020-02-07");
    await expect
      .poll(() => Object.fromEntries(asked.at(-1) ?? []))
      .toMatchObject({ status: "CANCELLED", endDate: "2020-02-07" });
    await clear.click();
    await expect(clear, "a button that rests keeps the focus").toBeFocused();
    await symbol.focus();
    await browser.keyboard.type("GOOGL");
    await expect(symbol, "no letter of fast typing is lost").toHaveValue("GOOGL");
    for (const key of ["Home", "Delete", "b", "a"]) await browser.keyboard.press(key);
    await expect(symbol, "the caret stays in the middle").toHaveValue("BAOOGL");
    await expect(browser).toHaveURL(/symbol=BAOOGL/);
    await expect.poll(() => asked.at(-1)?.get("symbol")).toBe("BAOOGL");
  });
});

test("an administrator sees whose trade it is, with its environment", async ({ page: browser }) => {
  await enter(browser, "admin");
  await browser.route(/\/api\/v1\/admin\/all-trades\?/, (route) => answer(route, page(ALL_KINDS)));
  await browser.goto("/trade-history");
  await expect(browser.getByRole("columnheader").nth(1)).toHaveText("User");
  const cell = browser.locator("tbody tr").first().locator("td").nth(1);
  await expect(cell).toHaveText("Ada LovelacePRACTICEada@example.com");
});

test("the demo trader's trade opens beside the list, on its own page, and as a file", async ({ page: browser }) => {
  await enter(browser, "trader");
  await browser.goto("/trade-history?status=FILLED&side=BUY");
  const first = browser.locator("tbody tr").first();
  await expect(first).toBeVisible();
  const symbol = (await first.locator("td").nth(1).locator(".font-semibold").textContent()) ?? "";
  await first.getByRole("link").first().focus();
  await browser.keyboard.press("Enter");
  const panel = browser.getByRole("dialog", { name: "Trade" });
  await expect(panel.getByRole("heading", { name: "What happened" })).toBeVisible();
  await expect(panel.getByText("Sent to the broker")).toBeVisible();
  await browser.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(first.getByRole("link").first()).toBeFocused();
  await browser.keyboard.press("Enter");
  await expect(panel.getByRole("heading", { name: "What happened" })).toBeVisible();
  await browser.goBack();
  await expect(panel, "the browser's way back closes it").toBeHidden();
  await expect(browser).toHaveURL(/\/trade-history\?status=FILLED&side=BUY$/);

  const download = browser.waitForEvent("download");
  await browser.getByRole("button", { name: "Export CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^trades-practice-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...rows] = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(head).toMatch(/^Trade ID,Symbol,Side,Quantity,Price,Total Value,Status,Date/);
  expect(rows.every((row) => row.includes(",BUY,") && row.includes(",FILLED,"))).toBe(true);

  await browser.goto((await first.getByRole("link").first().getAttribute("href")) ?? "");
  await expect(browser.getByRole("heading", { level: 1 })).toHaveText(`Buy ${symbol}`);
  await unfold(browser.getByRole("region", { name: "Rules" }).locator("summary"));
  await browser.getByRole("button", { name: "Before sending" }).click();
  await expect(browser.getByText(/^All passed under policy/)).toBeVisible();
  await unfold(browser.getByRole("region", { name: "Proof" }).locator("summary"));
  await browser.getByRole("button", { name: "Recompute" }).click();
  await expect(browser.getByText(/Identical, byte for byte|Not recomputed/)).toBeVisible({ timeout: 30_000 });
  await expectAccessible(browser, "a trade");
  await browser.getByRole("link", { name: "Open the decision" }).click();
  await expect(browser).toHaveURL(/\/decisions\/[0-9a-f-]{36}$/);
});

test("a purchase folds its stops, the sale that closed a trip says what came of it, and a period is one press away", async ({
  page: browser,
}) => {
  await enter(browser, "trader");
  const leg = (id: string, fields: object) => ({
    id,
    role: "STOP",
    type: "STOP",
    side: "SELL",
    status: "CANCELLED",
    brokerStatus: "canceled",
    quantity: 3,
    filledQuantity: 0,
    averagePrice: null,
    limitPrice: null,
    stopPrice: 95,
    isRaised: false,
    submittedAt: "2020-02-03T15:43:00.000Z",
    ...fields,
  });
  const raised = leg("b", { status: "PENDING", brokerStatus: "new", stopPrice: 97.5, isRaised: true });
  const asked = await openWith(
    browser,
    page([
      trade(1, { side: "SELL", tripPnl: -12.34, reason: "Protective stop" }),
      trade(2, { protection: [leg("a", {}), raised] }),
    ]),
  );
  const rows = browser.locator("tbody tr");
  await expect(rows.nth(0).locator("td").nth(6)).toHaveText("-$12.34");
  await expect(rows.nth(1).locator("td").nth(6)).toHaveText("—");
  const stops = rows.nth(1).getByRole("list", { name: "Protective orders" });
  await expect(stops).toBeHidden();
  await unfold(rows.nth(1).locator("summary").filter({ hasText: "stop at $97.50, raised" }));
  await expect(stops.getByRole("listitem")).toHaveText([
    /Protective stop.*Cancelled.*\$95\.00/,
    /Stop raised.*\$97\.50/,
  ]);
  await expect(browser.getByRole("dialog"), "unfolding opens no trade").toBeHidden();

  const periods = browser.getByRole("group", { name: "Period" });
  await expect(periods.getByRole("button", { name: "All" })).toHaveAttribute("aria-pressed", "true");
  for (const [name, day] of [
    ["Today", /^\d{4}-\d\d-\d\d$/],
    ["This month", /^\d{4}-\d\d-01$/],
  ] as const) {
    await periods.getByRole("button", { name }).click();
    await expect(browser).toHaveURL(/startDate=/);
    await expect.poll(() => asked.at(-1)?.get("startDate")).toMatch(day);
    expect(asked.at(-1)?.get("endDate") ?? "").toBe("");
  }
  await periods.getByRole("button", { name: "All" }).click();
  await expect(browser).toHaveURL(/\/trade-history$/);

  await browser.setViewportSize({ width: 390, height: 844 });
  await browser.getByLabel("Sort by").selectOption({ label: "Total value, largest first" });
  await expect.poll(() => asked.at(-1)?.get("sort")).toBe("total");
  await expect(browser.getByRole("listitem").filter({ hasText: "P&L -$12.34" })).toBeVisible();
});

test("on a phone a filled trade is a page of 2,500 px at most, accessible in both themes, and so is the history", async ({
  page: browser,
}) => {
  await browser.setViewportSize({ width: 390, height: 844 });
  await enter(browser, "trader");
  for (const side of ["BUY", "SELL"]) {
    await load(browser, `/trade-history?status=FILLED&side=${side}`);
    await expectAccessibleInThemes(browser, `the history, ${side}`);
    const first = browser.getByRole("list", { name: "Trades" }).getByRole("link").first();
    if ((await first.count()) === 0) continue;
    await load(browser, (await first.getAttribute("href")) ?? "");
    await expect(browser.getByText("What happened")).toBeVisible();
    expect(await browser.evaluate(() => document.documentElement.scrollHeight), side).toBeLessThanOrEqual(2500);
    await expectAccessibleInThemes(browser, `a trade, ${side}`);
  }
});

test("a trade that is not there says so", async ({ page: browser }) => {
  await enter(browser, "trader");
  await browser.goto("/trade-history/01a00000-0000-7000-8000-000000000001");
  await expect(browser.getByText("There is no such trade")).toBeVisible();
});
