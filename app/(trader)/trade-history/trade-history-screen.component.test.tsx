import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { answer, bare, refusal, SILENT } from "@/lib/proof/screen/answers.ts";
import { overflowOfPage, textsStickingOut } from "@/lib/proof/screen/layout.ts";
import { colourOf, inTheme, query, textsOf } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { NO_TRADES } from "@/lib/proof/screen/trade-answers.ts";
import { TradeHistoryScreen } from "./trade-history-screen.tsx";

type History = Answer<typeof tradesApi.list>;
type Trade = History["trades"][number];

const trade = (nth: number, fields: Partial<Trade> = {}): Trade => ({
  id: `01a00000-0000-7000-8000-0000000000${String(nth).padStart(2, "0")}`,
  symbol: "AAPL",
  side: "BUY",
  status: "FILLED",
  quantity: 3,
  filledQuantity: 3,
  averagePrice: 100.5,
  totalValue: 301.5,
  reason: "Momentum entry",
  createdAt: "2020-02-03T15:42:05.000Z",
  account: {
    id: "01a00000-0000-7000-8000-000000000000",
    name: "Main",
    environment: "PAPER",
    environmentLabel: "PRACTICE",
    user: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" },
  },
  tripPnl: null,
  protection: [],
  ...fields,
});

/** What the contract does not allow: what is no number reads $0.00. */
const NO_NUMBERS = { averagePrice: "NaN", totalValue: null } as unknown as Partial<Trade>;

const ALL_KINDS = [
  trade(1),
  trade(2, { side: "SELL", status: "PENDING", filledQuantity: 0, averagePrice: null, totalValue: 0 }),
  trade(3, { status: "CANCELLED", filledQuantity: 0, averagePrice: null, totalValue: 0 }),
  trade(4, { status: "REJECTED", ...NO_NUMBERS }),
];

const historyOf = (trades: Trade[]): History => ({
  ...NO_TRADES,
  trades,
  summary: {
    totalTrades: trades.length,
    filledTrades: 1,
    winningTrades: 0,
    losingTrades: 0,
    totalVolume: 1234.5,
    averageTradeSize: 308.625,
  },
  pagination: { nextCursor: null, limit: 50, total: trades.length },
});

const show = (rest = "") => showPage(`/trade-history${rest}`, TRADER, <TradeHistoryScreen />);
const heading = () => expect.element(page.getByRole("heading", { level: 1 }));
const button = (name: string) => page.getByRole("button", { name });
const field = (label: string) => page.getByLabelText(label, { exact: true });
const optionsOf = (label: string) =>
  expect.poll(() => [...field(label).element().querySelectorAll("option")].map(({ textContent }) => textContent));
/** A cell of the list, both counted from 1. */
const cell = (row: number, column: number) => textsOf(`tbody tr:nth-child(${row}) > td:nth-child(${column})`);

test("filters, columns, colours, figures and cards are those of the specification", async () => {
  const asked = answer(tradesApi.list, historyOf(ALL_KINDS));
  show();
  await heading().toHaveTextContent(/^Trade History \(4 trades\)$/);
  await expect.element(page.getByPlaceholder("e.g. AAPL")).toHaveAccessibleName("Symbol");
  await optionsOf("Side").toEqual(["All", "Buy", "Sell"]);
  await optionsOf("Status").toEqual(["All", "Filled", "Pending", "Cancelled", "Rejected"]);
  for (const label of ["Start Date", "End Date"]) await expect.element(field(label)).toHaveAttribute("type", "date");
  await expect.element(button("Clear Filters")).toHaveAttribute("aria-disabled", "true");
  await textsOf("main thead th").toEqual([
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
  const rows = page.getByRole("table").first().getByRole("row");
  await expect.element(rows).toHaveLength(5);
  for (const text of ["$100.50", "$301.50", "Mon 3 Feb 2020 10:42 ET"])
    await expect.element(rows.nth(1)).toHaveTextContent(text);
  await cell(4, 5).toEqual(["$0.00"]);
  await cell(4, 6).toEqual(["$0.00"]);
  for (const theme of ["dark", "light"] as const) {
    inTheme(theme);
    for (const [row, word, colour] of [
      [1, "Filled", "green"],
      [2, "Pending", "yellow"],
      [3, "Cancelled", "grey"],
      [4, "Rejected", "red"],
      [1, "Buy", "green"],
      [2, "Sell", "red"],
    ] as const)
      expect(await colourOf(rows.nth(row).getByText(word, { exact: true })), `${word}, ${theme}`).toBe(colour);
  }
  await textsOf("[aria-label=Summary] dt").toEqual(["Total Trades", "Total Volume", "Filled Trades", "Avg Trade Size"]);
  await textsOf("[aria-label=Summary] dd").toEqual(["4", "$1,234.50", "1", "$308.63"]);

  const before = asked.length;
  await button("Refresh").click();
  await expect.poll(() => asked.length).toBe(before + 1);
});

test("an empty history says so, and what to do about its filters", async () => {
  answer(tradesApi.list, historyOf([]));
  show();
  await expect.element(page.getByText("No trades found")).toBeVisible();
  await expect.element(page.getByText("Start trading to see your trade history here.")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Summary" })).not.toBeInTheDocument();
  await field("Side").selectOptions("Buy");
  await expect.element(page.getByText("Try adjusting your filters to see more results.")).toBeVisible();
});

test("a history that is loading says so, and counts nothing before it is known", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  answer(tradesApi.list, () => held.then(() => historyOf(ALL_KINDS)));
  show();
  await expect.element(page.getByText("Loading trade history...")).toBeVisible();
  await heading().toHaveTextContent(/^Trade History$/);
  release();
  await heading().toHaveTextContent(/^Trade History \(4 trades\)$/);
});

test("a failure is shown in the server's words or the specified ones, and empties the list", async () => {
  answer(tradesApi.list, historyOf(ALL_KINDS));
  show();
  await expect.element(page.getByRole("table").first().getByRole("row")).toHaveLength(5);
  for (const [reply, sentence] of [
    [refusal(400, "The market is on fire.", "invalid_input"), "The market is on fire."],
    ...Object.values(SILENT).map((silent) => [silent, "Failed to fetch trades"] as const),
    [bare(400, { success: false, data: null, error: null }), "Failed to fetch trades"],
    [bare(200, { success: true, data: null, error: null }), "No trades data received"],
  ] as const) {
    answer(tradesApi.list, reply);
    await button("Refresh").click();
    await expect.element(page.getByRole("alert").filter({ hasText: sentence })).toBeVisible();
    await textsOf("tbody tr").toEqual([]);
    await heading().toHaveTextContent(/^Trade History \(0 trades\)$/);
    await expect.element(page.getByText("No trades found")).toBeVisible();
    await expect.element(page.getByRole("region", { name: "Summary" })).not.toBeInTheDocument();
  }
});

test("filters and sorting live in the address and are sent; clearing removes them", async () => {
  const asked = answer(tradesApi.list, historyOf(ALL_KINDS));
  show("?symbol=AAPL&side=SELL&startDate=2020-02-01&sort=price&order=asc");
  await heading().toHaveTextContent("Trade History (4 trades)");
  expect(asked.at(-1)).toEqual({
    symbol: "AAPL",
    side: "SELL",
    startDate: "2020-02-01",
    sort: "price",
    direction: "asc",
    limit: "50",
  });
  const price = page.getByRole("columnheader", { name: "Price" });
  await expect.element(price).toHaveAttribute("aria-sort", "ascending");
  await button("Total Value").click();
  await query().toMatch(/sort=total/);
  await expect.poll(() => asked.at(-1)?.direction).toBe("desc");
  await button("Clear Filters").click();
  await query().toBe("?sort=total");
  const symbol = field("Symbol");
  await expect.element(symbol).toHaveValue("");
  await field("Status").selectOptions("Cancelled");
  await field("End Date").fill("2020-02-07");
  await expect.poll(() => asked.at(-1)).toMatchObject({ status: "CANCELLED", endDate: "2020-02-07" });
  await button("Clear Filters").click();
  // A button that rests keeps the focus.
  await expect.element(button("Clear Filters")).toHaveFocus();
  ((await symbol.findElement()) as HTMLElement).focus();
  // No letter of fast typing is lost, and the caret stays in the middle.
  await userEvent.keyboard("GOOGL");
  await expect.element(symbol).toHaveValue("GOOGL");
  await userEvent.keyboard("{Home}{Delete}ba");
  await expect.element(symbol).toHaveValue("BAOOGL");
  await query().toMatch(/symbol=BAOOGL/);
  await expect.poll(() => asked.at(-1)?.symbol).toBe("BAOOGL");
});

test("an administrator sees whose trade it is, with its environment", async () => {
  answer(tradesApi.listAll, historyOf(ALL_KINDS));
  showPage("/trade-history", ADMIN, <TradeHistoryScreen />);
  await textsOf("main thead th:nth-child(2)").toEqual(["User"]);
  await cell(1, 2).toEqual(["Ada LovelacePRACTICEada@example.com"]);
});

const leg = (id: string, fields: Partial<Trade["protection"][number]>): Trade["protection"][number] => ({
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

test("a purchase folds its stops, the sale that closed a trip says what came of it, and a period is one press away", async () => {
  const raised = leg("b", { status: "PENDING", brokerStatus: "new", stopPrice: 97.5, isRaised: true });
  const asked = answer(
    tradesApi.list,
    historyOf([
      trade(1, { side: "SELL", tripPnl: -12.34, reason: "Protective stop" }),
      trade(2, { protection: [leg("a", {}), raised] }),
    ]),
  );
  show();
  await cell(1, 7).toEqual(["-$12.34"]);
  await cell(2, 7).toEqual(["—"]);
  const stops = page.getByRole("list", { name: "Protective orders" });
  await expect.element(stops).not.toBeInTheDocument();
  const folded = await page.getByRole("row").nth(2).getByText("stop at $97.50, raised").findElement();
  await page.elementLocator(folded.closest("summary") ?? folded).click();
  const texts = () =>
    stops
      .getByRole("listitem")
      .elements()
      .map(({ textContent }) => textContent);
  await expect
    .poll(texts)
    .toEqual([
      expect.stringMatching(/Protective stop.*Cancelled.*\$95\.00/),
      expect.stringMatching(/Stop raised.*\$97\.50/),
    ]);
  // Unfolding opens no trade.
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();

  const period = (name: string) => page.getByRole("group", { name: "Period" }).getByRole("button", { name });
  await expect.element(period("All")).toHaveAttribute("aria-pressed", "true");
  for (const [name, day] of [
    ["Today", "2026-11-20"],
    ["This month", "2026-11-01"],
  ] as const) {
    await period(name).click();
    await query().toMatch(/startDate=/);
    await expect.poll(() => asked.at(-1)?.startDate).toBe(day);
    expect(asked.at(-1)?.endDate).toBeUndefined();
  }
  await period("All").click();
  await query().toBe("");

  await page.viewport(390, 844);
  await page.getByLabelText("Sort by").selectOptions("Total value, largest first");
  await expect.poll(() => asked.at(-1)?.sort).toBe("total");
  await expect.element(page.getByRole("listitem").filter({ hasText: "P&L -$12.34" })).toBeVisible();
});

test("a year that is being typed raises no error and keeps the list; once it is whole, it is asked for", async () => {
  const asked = answer(tradesApi.list, ({ startDate, endDate }) =>
    [startDate, endDate].some((day) => String(day ?? "").startsWith("0"))
      ? refusal(400, "Enter a date such as 2026-11-21.")
      : historyOf(ALL_KINDS),
  );
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show("");
  await heading().toHaveTextContent("Trade History (4 trades)");
  for (const [label, name] of [
    ["Start Date", "startDate"],
    ["End Date", "endDate"],
  ] as const) {
    const before = asked.length;
    for (const year of ["0002", "0020", "0201"]) {
      await field(label).fill(`${year}-11-21`);
      await query().toContain(`${name}=${year}`);
      // Much longer than typing has to rest.
      await vi.advanceTimersByTimeAsync(2_000);
      expect(page.getByRole("alert").elements()).toEqual([]);
      expect(page.getByText("The start date must not be after the end date.").elements()).toEqual([]);
      expect(page.getByRole("row").elements().length).toBeGreaterThan(4);
    }
    expect(asked).toHaveLength(before);
    await field(label).fill("2018-11-21");
    await expect.poll(() => asked.at(-1)?.[name]).toBe("2018-11-21");
  }
});

test("dates that stand the wrong way round are said so at their field, and take neither the list nor its count away", async () => {
  const asked = answer(tradesApi.list, ({ startDate, endDate }) =>
    String(startDate ?? "") > String(endDate ?? "9") ? refusal(400, "Backwards.") : historyOf(ALL_KINDS),
  );
  show("?startDate=2020-02-03");
  await heading().toHaveTextContent("Trade History (4 trades)");
  const tops = () =>
    ["Symbol", "Start Date", "End Date"].map((label) => field(label).element().getBoundingClientRect().top);
  const before = tops();
  const calls = asked.length;
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await field("End Date").fill("2020-01-31");
  await expect.element(page.getByText("The start date must not be after the end date.")).toBeVisible();
  // Much longer than typing has to rest.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(calls);
  expect(page.getByRole("row").elements()).toHaveLength(5);
  await heading().toHaveTextContent("Trade History (4 trades)");
  expect(tops()).toEqual(before);
  await field("End Date").fill("2020-02-04");
  await expect.poll(() => asked.at(-1)?.endDate).toBe("2020-02-04");
});

test("an address whose dates stand the wrong way round is refused in the banner", async () => {
  answer(tradesApi.list, refusal(400, "The start date must not be after the end date."));
  show("?startDate=2020-02-03&endDate=2020-01-31");
  const alert = page.getByRole("alert").filter({ has: page.getByRole("button", { name: "Retry" }) });
  await expect.element(alert).toHaveTextContent("The start date must not be after the end date.");
});

test("without the market's clock the periods keep their place, and All still works", async () => {
  answer(tradesApi.list, historyOf(ALL_KINDS));
  answer(automationApi.market, refusal(503, "The market does not answer."));
  show("?startDate=2020-02-03");
  const period = (name: string) => page.getByRole("group", { name: "Period" }).getByRole("button", { name });
  for (const name of ["Today", "This week", "This month"]) {
    await expect.element(period(name)).toHaveAttribute("aria-disabled", "true");
    await period(name).click({ force: true });
    await query().toBe("?startDate=2020-02-03");
  }
  await period("All").click();
  await query().toBe("");
  await expect.element(period("All")).toHaveAttribute("aria-pressed", "true");
});

test("the whole id of a trade can be found, copied and read out, though the column shows its end", async () => {
  answer(tradesApi.list, historyOf(ALL_KINDS));
  await page.viewport(1440, 900);
  show();
  await cell(1, 1).toEqual([trade(1).id]);
  const link = page.getByRole("link", { name: trade(1).id, exact: true });
  const { width, right } = (await link.findElement()).getBoundingClientRect();
  expect(width).toBeLessThan(100);
  const id = link.element().querySelector("bdi")?.getBoundingClientRect();
  expect(id?.right, "the end stays in sight, the beginning is cut").toBeLessThanOrEqual(right + 1);
  expect([Math.max(0, overflowOfPage()), textsStickingOut()]).toEqual([0, []]);
  await page.viewport(390, 844);
  await expect.element(page.getByRole("listitem").filter({ hasText: trade(1).id })).toBeVisible();
  expect(overflowOfPage()).toBeLessThanOrEqual(0);
});
