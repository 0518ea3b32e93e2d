import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { answer, bare, refusal, unreachable } from "@/lib/proof/screen/answers.ts";
import { answerDashboard, OPEN, POSITION } from "@/lib/proof/screen/dashboard-answers.ts";
import { expectStaleLegible, passes, says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

const FAILED = refusal(500);
const NOTHING = bare(200, { success: true, data: null, error: null });
const UNAVAILABLE = refusal(500, "The database is unavailable.");

const { summary, positions } = portfolioApi;
const accounts = accountsApi.list;
const trades = tradesApi.list;

const show = () => showPage("/dashboard", TRADER, <DashboardScreen />);
const card = (name: string) => expect.element(page.getByRole("region", { name }));

beforeEach(() => answerDashboard());

for (const [endpoint, reply, detail] of [
  [summary, FAILED, "Failed to fetch portfolio"],
  [summary, NOTHING, "No portfolio data received"],
  [summary, UNAVAILABLE, "The database is unavailable."],
  [summary, unreachable(), "Failed to fetch portfolio. Tradewind could not be reached."],
  [positions, FAILED, "Failed to fetch positions"],
  [positions, NOTHING, "No positions data received"],
  [accounts, FAILED, "Failed to fetch accounts"],
  [trades, FAILED, "Failed to fetch trades"],
  [trades, NOTHING, "No trades data received"],
] as const)
  test(`'${detail}': it is said why, what it was about is zero, and Retry brings it back`, async () => {
    // A poll would bring the data back before Retry is pressed, and remove Retry.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    answer<Endpoint>(endpoint, reply);
    show();
    const banner = page.getByRole("alert").filter({ hasText: "Failed to load dashboard data" });
    await expect.element(banner).toHaveTextContent(detail);
    if (endpoint === summary)
      for (const name of ["Total Portfolio", "P&L", "Cash", "Buying Power"])
        await card(name).toHaveTextContent("$0.00");
    else await card("Cash").toHaveTextContent("$1,000.00");
    if (endpoint === positions) await card("Active Positions").toHaveTextContent("No active positions");
    if (endpoint === trades)
      for (const text of ["Total Trades0", "Total Volume$0.00", "Avg Trade Size$0.00", "0W / 0L"])
        await card("Trade stats").toHaveTextContent(text);
    answerDashboard();
    await banner.getByRole("button", { name: "Retry" }).click();
    await expect.element(banner).not.toBeInTheDocument();
    await card("Cash").toHaveTextContent("$1,000.00");
  });

test("while the server keeps failing, its error stays shown: a retry does not remove it", async () => {
  vi.useFakeTimers();
  const asked = answer(summary, UNAVAILABLE);
  show();
  await passes(() => page.getByText("The database is unavailable.", { exact: true }).query() !== null, 100);
  const lapses: string[] = [];
  const observer = new MutationObserver(() => {
    const text = document.body.innerText;
    if (!text.includes("The database is unavailable.") || document.querySelector(".skeleton")) lapses.push(text);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  const before = asked.length;
  await passes(() => asked.length >= before + 3);
  observer.disconnect();
  expect(lapses).toEqual([]);
});

test("a heartbeat that fails is silently ignored", async () => {
  answer(automationApi.heartbeat, refusal(500, "The worker is unavailable."));
  show();
  const automation = page.getByRole("region", { name: "Automation" });
  await expect.element(automation.getByText("Idle", { exact: true })).toBeVisible();
  await card("Cash").toHaveTextContent("$1,000.00");
  await says("Failed to load dashboard data").not.toBeInTheDocument();
  await expect.element(page.getByText("The worker is unavailable.")).not.toBeInTheDocument();
});

test("figures that the broker gave long ago are stale while the market is open, however fresh the answers", async () => {
  const isStale = () => page.getByText("stale", { exact: true }).query() !== null;
  const market = (change: Partial<typeof OPEN>) => {
    answer(automationApi.market, { ...OPEN, ...change });
    show();
  };
  market({ now: "2020-03-03T15:42:35.000Z" });
  await card("Cash").toHaveTextContent("$1,000.00");
  await expect.element(page.getByText("as of 10:42:05 ET")).toBeVisible();
  expect(isStale()).toBe(false);
  market({ now: "2020-03-03T17:18:05.000Z", speed: 60 });
  await expect.poll(isStale).toBe(true);
  market({ now: "2020-03-03T22:00:00.000Z", isOpen: false });
  await expect.poll(isStale).toBe(false);
});

test("stale figures keep their contrast in both themes", async () => {
  vi.useFakeTimers();
  answer(positions, [POSITION]);
  show();
  await passes(() => page.getByText("$1,000.00", { exact: true }).elements().length > 0, 100);
  await expectStaleLegible("the trader's dashboard");
});

const isGrey = (element: Element | null): boolean =>
  element !== null && (getComputedStyle(element).filter !== "none" || isGrey(element.parentElement));

test("an answer of the day that fails alone says so above it, apart from it and in full color, and the last one stays", async () => {
  vi.useFakeTimers();
  show();
  const headline = page.getByText(/^-\$12\.30/).first();
  await passes(() => headline.query() !== null, 100);
  answer(insightApi.today, refusal(500, "The database is unavailable."));
  const note = page.getByRole("alert").filter({ hasText: "Failed to load today's answer" });
  await passes(() => note.query() !== null);
  await passes(() => page.getByText("stale", { exact: true }).query() !== null);
  await expect.element(page.getByRole("region", { name: "Today" })).toHaveTextContent("-$12.30 today");
  expect(isGrey(note.element()), "the note").toBe(false);
  expect(isGrey(headline.element()), "the headline").toBe(true);
  const gap = headline.element().getBoundingClientRect().top - note.element().getBoundingClientRect().bottom;
  expect(gap).toBeGreaterThanOrEqual(16);
});

test("one cause has one banner, and all of the page is stale together", async () => {
  vi.useFakeTimers();
  answer(positions, [POSITION]);
  show();
  await passes(() => page.getByText("$1,000.00", { exact: true }).elements().length > 0, 100);
  for (const endpoint of [
    summary,
    positions,
    accounts,
    trades,
    insightApi.today,
    portfolioApi.equity,
    automationApi.heartbeat,
  ])
    answer<Endpoint>(endpoint, UNAVAILABLE);
  await passes(() => page.getByText("stale", { exact: true }).query() !== null);
  // As long as the slowest of them takes to fail.
  await vi.advanceTimersByTimeAsync(120_000);
  expect(
    page
      .getByRole("alert")
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining("Failed to load dashboard data")]);
  for (const name of ["Today", "Cash", "Timeline", "Active Positions", "Automation", "Trade stats"])
    expect(isGrey(page.getByRole("region", { name, exact: true }).element()), name).toBe(true);
  await expect.element(page.getByText("stale", { exact: true })).toHaveLength(1);
  answerDashboard();
  await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
  await passes(() => page.getByRole("alert").query() === null);
  expect(isGrey(page.getByRole("region", { name: "Today" }).element())).toBe(false);
});

test("where nothing could be read from the start, one banner says so and no skeleton stays", async () => {
  for (const endpoint of [summary, positions, accounts, trades, insightApi.today, portfolioApi.equity])
    answer<Endpoint>(endpoint, unreachable());
  show();
  await expect.element(page.getByText("Failed to load dashboard data")).toBeVisible();
  await expect.poll(() => document.querySelectorAll("main .skeleton").length).toBe(0);
  expect(page.getByRole("alert").elements()).toHaveLength(1);
});

test("an answer of the day and an equity line that fail together have one banner", async () => {
  for (const endpoint of [insightApi.today, portfolioApi.equity]) answer<Endpoint>(endpoint, UNAVAILABLE);
  show();
  await expect.element(page.getByText("Failed to load today's answer")).toBeVisible();
  await expect.poll(() => page.getByText("Not loaded.").elements().length).toBe(2);
  expect(page.getByRole("alert").elements()).toHaveLength(1);
});
