import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { PerformanceScreen, type Performance } from "./performance-screen.tsx";

const SCOPE = { environment: "PRACTICE" as const, environments: ["PRACTICE" as const] };
const READ: Performance = {
  ...SCOPE,
  accounts: 1,
  // One account was read last in February.
  asOf: "2020-02-28T20:00:00.000Z",
  newestDay: "2020-03-31",
  firstSession: null,
  lastSession: null,
  sessions: 0,
  equity: 110_400,
  earnedBefore: 0,
  figures: [{ id: "periodPnl", value: 400, reason: null }],
  comparison: null,
  trips: { total: 0, wins: 0, losses: 0, scratches: 0 },
  fall: null,
  days: [],
  years: [],
  byExit: [],
  byStrategy: [],
  byRegime: [],
  bySymbol: [],
  symbols: 0,
  bySector: [],
  distribution: [],
  exposure: [],
  best: [],
  worst: [],
  statement: null,
};
const close = (date: string, equity: number) => ({ at: `${date}T21:00:00.000Z`, equity, netDeposits: 100_000 });
const POINTS = [close("2020-03-02", 110_000), close("2020-03-03", 110_500), close("2020-03-04", 110_400)];

beforeEach(() => {
  answer(portfolioApi.equity, { ...SCOPE, points: POINTS, benchmark: [] });
  answer(performanceApi.markers, { ...SCOPE, markers: [] });
  answer(performanceApi.weeks, { ...SCOPE, weeks: [], hasMore: false });
  answer(performanceApi.trips, { ...SCOPE, trips: [], pagination: { nextCursor: null, limit: 50 } });
});

const show = (query = "") => showPage(`/performance${query}`, TRADER, <PerformanceScreen />);
const field = (name: string) => page.getByLabelText(name, { exact: true });
const figures = page.getByText("Return and risk");

test("the rows of the P&L are the sessions of the performance, whatever points the line is drawn by", async () => {
  // The line lacks 3 March, and its last point is older than the latest reading.
  answer(portfolioApi.equity, { ...SCOPE, points: [POINTS[0]!, POINTS[2]!], benchmark: [] });
  answer(performanceApi.read, {
    ...READ,
    days: [
      { session: "2020-03-03", equity: 111_500, flow: 1_000, pnl: 500, value: 500 / 111_000 },
      { session: "2020-03-04", equity: 111_390, flow: 0, pnl: -110, value: -110 / 111_500 },
    ],
  });
  show("?from=2020-03-03");
  await page.getByRole("button", { name: "Show the rows of P&L of a period" }).click();
  const table = page.getByRole("table").filter({ hasText: "newest first" });
  const rows = () =>
    [...(table.query()?.querySelectorAll("tbody tr") ?? [])].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
  await expect.poll(rows).toEqual([
    ["4 Mar 2020", "$111,390.00", "", "-$110.00", "-0.10%"],
    ["3 Mar 2020", "$111,500.00", "+$1,000.00", "+$500.00", "+0.45%"],
  ]);
});

test("a date that is being typed, or stands the wrong way round, asks nothing and keeps the page", async () => {
  const asked = answer(performanceApi.read, ({ from, to }) =>
    String(from ?? "").startsWith("0") || String(from ?? "") > String(to ?? "9") ? refusal(400, "Refused.") : READ,
  );
  show("?to=2020-03-04");
  await expect.element(figures).toBeVisible();
  const before = asked.length;
  vi.useFakeTimers({ shouldAdvanceTime: true });
  for (const day of ["0002-02-15", "0202-02-15", "2020-03-05"]) {
    await field("From").fill(day);
    await expect.poll(() => window.location.search).toContain(`from=${day}`);
    // Much longer than typing has to rest.
    await vi.advanceTimersByTimeAsync(2_000);
    expect(page.getByText("Failed to load the performance").elements()).toEqual([]);
    await expect.element(figures).toBeVisible();
  }
  expect(asked).toHaveLength(before);
  await expect.element(page.getByText("The start date must not be after the end date.")).toBeVisible();
  await field("From").fill("2020-03-02");
  await expect.poll(() => asked.at(-1)?.from).toBe("2020-03-02");
  expect(page.getByText("The start date must not be after the end date.").elements()).toEqual([]);
});

test("a month begins on the day after the same day of the month before, as on the dashboard", async () => {
  const asked = answer(performanceApi.read, READ);
  show();
  const preset = page.getByRole("button", { name: "1 month" });
  await preset.click();
  // 31 February is none: the day after the last one of that month.
  await expect.poll(() => asked.at(-1)?.from).toBe("2020-03-01");
  await expect.element(preset).toHaveAttribute("aria-pressed", "true");
});

const TRIP: Answer<typeof performanceApi.trips>["trips"][number] = {
  id: "0192f0c1-0000-7000-8000-000000000003",
  symbol: "AAPL",
  strategy: "MOMENTUM",
  regime: null,
  openedAt: "2020-03-02T15:00:00.000Z",
  closedAt: "2020-03-03T15:00:00.000Z",
  quantity: 10,
  entryValue: 1_000,
  exitValue: 1_100,
  fees: 0,
  pnl: 100,
  pnlFraction: 0.1,
  outcome: "WIN",
  exitReason: null,
  account: { id: "0192f0c1-0000-7000-8000-000000000004", name: "Main" },
  entryTradeId: null,
  exitTradeId: null,
};

test("figures and round trips of the period before are marked until those of the new one are there", async () => {
  const ends: (() => void)[] = [];
  const later = () => new Promise<void>((resolve) => void ends.push(resolve));
  answer(performanceApi.read, async ({ from }) => {
    if (from !== undefined) await later();
    return { ...READ, trips: { total: 1, wins: 1, losses: 0, scratches: 0 } };
  });
  answer(performanceApi.trips, async ({ from }) => {
    if (from !== undefined) await later();
    return { ...SCOPE, trips: [TRIP], pagination: { nextCursor: null, limit: 25 } };
  });
  show();
  const busy = () => [...document.querySelectorAll("main [aria-busy=true]")].map(({ textContent }) => textContent);
  await expect.poll(() => document.querySelector("main")?.textContent ?? "").toContain("AAPL");
  expect(busy()).toEqual([]);
  await page.getByRole("button", { name: "1 month" }).click();
  await expect.poll(() => ends.length).toBe(2);
  const [report, trips] = busy();
  expect(report).toContain("Return and risk");
  expect(trips).toContain("AAPL");
  for (const end of ends) end();
  await expect.poll(busy).toEqual([]);
});

test("what an account had made before it was added is named beside the result that leaves it out", async () => {
  answer(performanceApi.read, { ...READ, earnedBefore: 2_000 });
  show();
  await expect
    .element(page.getByText("These figures begin with the first reading of the account."))
    .toHaveTextContent("+$2,000.00 from before it was added is in the statement below and in the dashboard's Total.");
  answer(performanceApi.read, READ);
  show();
  await expect.element(figures).toBeVisible();
  expect(page.getByText("These figures begin").elements()).toEqual([]);
});
