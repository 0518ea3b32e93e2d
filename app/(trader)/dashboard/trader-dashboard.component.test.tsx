import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { PRACTICE_ACCOUNT as ACCOUNT } from "@/lib/proof/screen/account-answers.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { answerDashboard, BEAT, FIGURES, NOTHING, POSITION, TODAY } from "@/lib/proof/screen/dashboard-answers.ts";
import { colourOf, inTheme, passes } from "@/lib/proof/screen/look.ts";
import { MARKET } from "@/lib/proof/screen/market-answers.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { NO_TRADES } from "@/lib/proof/screen/trade-answers.ts";
import { DashboardScreen } from "./dashboard-screen.tsx";

const show = () => showPage("/dashboard", TRADER, <DashboardScreen />);
const card = (name: string) => page.getByRole("region", { name });
const buttonsIn = (name: string) =>
  expect.poll(() =>
    card(name)
      .getByRole("group")
      .getByRole("button")
      .elements()
      .map(({ textContent }) => textContent),
  );

beforeEach(() => {
  answerDashboard();
  answer(flagsApi.read, { practice_market: true });
});

test.each([
  [{ isInDay: false }, "One account has not been read today and is not included in the P&L of the day."],
  [
    { isInDay: false, isInWeek: false },
    "One account has not been read for a week and is not included in the P&L of the day and the week.",
  ],
  [
    { isInDay: false, isInWeek: false, isInMonth: false },
    "One account has not been read for a month and is not included in the P&L of the day, the week and the month.",
  ],
])("an account that was not read lately is said to be missing from the P&L: %j", async (marks, text) => {
  const [main] = FIGURES.accounts;
  const second = { ...main!, id: "01a1fd51-6118-7138-bd04-4e7212d6a0ff", name: "Second", ...marks };
  answer(portfolioApi.summary, { ...FIGURES, accounts: [main!, second] });
  show();
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByText("not included")).toHaveLength(1);
});

test("the figures, their environment once, and P&L by period with Total first", async () => {
  const trades = answer(tradesApi.list, NO_TRADES);
  show();
  for (const [name, value] of [
    ["Total Portfolio", "$12,345.67"],
    ["Cash", "$1,000.00"],
    ["Buying Power", "$2,000.50"],
    ["P&L", "+$345.67"],
  ] as const)
    await expect.element(card(name)).toHaveTextContent(value);
  expect(trades[0]).toEqual({ limit: "1" });
  await expect.element(page.getByText("PRACTICE", { exact: true })).toHaveLength(1);
  const pnl = card("P&L");
  const period = (name: string) => pnl.getByRole("button", { name, exact: true });
  await buttonsIn("P&L").toEqual(["Day", "Week", "Month", "Total"]);
  await expect.element(period("Total")).toHaveAttribute("aria-pressed", "true");
  await expect.element(pnl).toHaveTextContent("+2.88%");
  for (const [name, value, tone] of [
    ["Day", "-$12.30", "red"],
    ["Week", "+$45.06", "green"],
    ["Month", "$0.00", null],
    ["Total", "+$345.67", "green"],
  ] as const) {
    await period(name).click();
    const figure = pnl.getByText(value, { exact: true });
    await expect.element(figure).toBeVisible();
    if (tone === null) continue;
    for (const theme of ["dark", "light"] as const) {
      inTheme(theme);
      expect(await colourOf(figure), `${name}, ${theme}`).toBe(tone);
    }
  }
  await expect.element(page.getByText("as of 10:42:05 ET")).toBeVisible();
});

test("amounts can be hidden, and stay so in this browser", async () => {
  const covered = () =>
    expect.poll(async () => {
      const amount = await card("Cash").getByText("$1,000.00").findElement();
      return getComputedStyle(amount).getPropertyValue("-webkit-text-security");
    });
  show();
  await covered().toBe("none");
  await page.getByRole("button", { name: "Hide amounts" }).click();
  await covered().toBe("disc");
  show();
  await covered().toBe("disc");
  await page.getByRole("button", { name: "Hide amounts" }).click();
  await covered().toBe("none");
});

test("the answer is asked for again as soon as the amounts move on or there was a new look", async () => {
  vi.useFakeTimers();
  const asked = answer(insightApi.today, TODAY);
  show();
  await passes(() => asked.length > 0 && card("Cash").query() !== null, 100);
  await passes(() => card("Cash").element().textContent.includes("$1,000.00"), 100);
  for (const change of [
    () => answer(portfolioApi.summary, { ...FIGURES, asOf: "2020-03-03T15:42:10.000Z", pnlDay: -14 }),
    () => answer(automationApi.heartbeat, { ...BEAT, lastDecision: { ...BEAT.lastDecision, id: ACCOUNT.id } }),
  ]) {
    const before = asked.length;
    const sent = change();
    await passes(() => sent.length > 0, 100);
    // Its own poll comes every 15 seconds: this one comes with the news.
    await passes(() => asked.length > before, 10);
  }
});

test("automation is Running where its orders or its screening are, else Idle; its dot is green once initialized, else yellow", async () => {
  const automation = card("Automation");
  for (const [orders, screening, isInitialized, word, dot] of [
    ["RUNNING", "RUNNING", true, "Running", "green"],
    ["RUNNING", "IDLE", true, "Running", "green"],
    ["IDLE", "RUNNING", false, "Running", "yellow"],
    ["IDLE", "IDLE", true, "Idle", "green"],
    ["STOPPED", "STOPPED", false, "Idle", "yellow"],
  ] as const) {
    answer(automationApi.heartbeat, {
      ...BEAT,
      orderStatusUpdate: { status: orders, lastRunAt: null },
      marketScreening: { ...BEAT.marketScreening, status: screening },
      isInitialized,
    });
    show();
    await expect.element(automation.getByText(word, { exact: true })).toBeVisible();
    const name = isInitialized ? "Initialized" : "Not initialized yet";
    for (const theme of ["dark", "light"] as const) {
      inTheme(theme);
      const mark = automation.getByRole("img", { name, exact: true });
      const row = `${orders} orders, ${screening} screening, ${theme}`;
      expect(await colourOf(mark, "background-color"), row).toBe(dot);
    }
  }
});

test("what the market's sources do not give is one sentence in the automation card, and none where all is there", async () => {
  const limitation = "Report dates are estimated from filings, so entries wait longer around them.";
  const automation = card("Automation");
  answer(automationApi.heartbeat, { ...BEAT, limitation });
  show();
  await expect.element(automation.getByText(limitation)).toBeVisible();
  answer(automationApi.heartbeat, BEAT);
  show();
  await expect.element(automation).toHaveTextContent("Last run");
  await expect.element(automation.getByText(limitation)).not.toBeInTheDocument();
});

test("automation says when it ran and runs next in New York, counts down each second, and leads to its reasons", async () => {
  vi.useFakeTimers();
  const asked = answer(automationApi.market, () => {
    // A second reading would set the clock right again: there is none.
    if (asked.length > 1) return new Promise<never>(() => {});
    return { ...MARKET, now: "2020-03-03T15:42:00.000Z", nextClose: "2020-03-03T21:00:00.000Z" };
  });
  show();
  const automation = card("Automation");
  const countdown = automation.getByText(/^\d\d:\d\d$/);
  await passes(() => countdown.query() !== null, 100);
  await expect.element(automation).toHaveTextContent("Last runTue 3 Mar 2020 10:40 ET");
  await expect.element(automation).toHaveTextContent("Next runTue 3 Mar 2020 10:45 ET");
  await expect.element(countdown).toHaveTextContent(/^0[23]:\d\d$/);
  const seconds = () => {
    const [minutes = 0, rest = 0] = (countdown.element().textContent ?? "").split(":").map(Number);
    return 60 * minutes + rest;
  };
  const before = seconds();
  await vi.advanceTimersByTimeAsync(3000);
  await expect.poll(seconds).toBe(before - 3);
  const decision = `/decisions/${BEAT.lastDecision.id}`;
  const link = (name: string) => expect.element(automation.getByRole("link", { name }));
  await link("Tue 3 Mar 2020 10:40 ET").toHaveAttribute("href", decision);
  await expect.element(automation).toHaveTextContent("502 looked at→50 in the Top-50→7 would buy→0 bought");
  await link("7 would buy").toHaveAttribute("href", `${decision}?show=signals`);
  await expect.element(automation).toHaveTextContent("7 stocks wait for a calmer market");
});

test("trade stats: totals, and the win rate of a period asked for by its New York start date", async () => {
  const totals = { totalTrades: 1234, filledTrades: 1200, totalVolume: 98_765.4, averageTradeSize: 80.04 };
  const asked = answer(tradesApi.list, ({ startDate }) => {
    const [winningTrades, losingTrades] = startDate === undefined ? [5, 3] : [1, 0];
    return { ...NO_TRADES, summary: { ...totals, winningTrades, losingTrades } };
  });
  answer(automationApi.market, { ...MARKET, now: "2020-03-31T15:42:00.000Z" });
  show();
  const stats = card("Trade stats");
  const says = (text: string) => expect.element(stats).toHaveTextContent(text);
  for (const text of ["Total Trades1,234", "Total Volume$98,765.40", "Avg Trade Size$80.04", "Win Rate62.5%5W / 3L"])
    await says(text);
  await expect.element(stats.getByRole("button", { name: "Total" })).toHaveAttribute("aria-pressed", "true");
  for (const [period, startDate] of [
    ["Day", "2020-03-31"],
    ["Week", "2020-03-25"],
    ["Month", "2020-03-01"],
  ] as const) {
    await stats.getByRole("button", { name: period }).click();
    await says("Win Rate100.0%1W / 0L");
    // All trades are asked for again every few seconds, whatever the period.
    const dates = () => asked.map((sent) => sent.startDate).filter((date) => date !== undefined);
    await expect.poll(() => dates().at(-1)).toBe(startDate);
  }
  // The other figures stay those of all trades.
  await says("Total Trades1,234");
});

test("positions: shares at their average price, value, gain, and the way to stop and target; first what has no stop, then what is nearest to it", async () => {
  show();
  await expect.element(card("Active Positions")).toHaveTextContent("No active positions");
  answer(portfolioApi.positions, [
    POSITION,
    {
      ...POSITION,
      symbol: "MSFT",
      unrealizedPnL: -5,
      unrealizedPnLPercent: -0.4,
      stopPrice: null,
      stopDistancePercent: null,
    },
    {
      ...POSITION,
      symbol: "TSLA",
      currentPrice: null,
      marketValue: null,
      unrealizedPnL: null,
      unrealizedPnLPercent: null,
    },
  ]);
  show();
  const rows = card("Active Positions").getByRole("listitem");
  await expect.element(rows).toHaveLength(3);
  for (const text of [
    "AAPL",
    "12.5 shares at $133.42",
    "$1,750.00",
    "+$82.25",
    "+4.93%",
    "Stop$126.00-10.00%",
    "Price$140.00",
    "Target$147.00+5.00%",
  ])
    await expect.element(rows.nth(1)).toHaveTextContent(text);
  await expect.element(rows.first()).toHaveTextContent("-$5.00");
  await expect.element(rows.first()).toHaveTextContent("StopNone");
  await expect.element(rows.nth(2)).toHaveTextContent("No price yet");
});

test("positions name their account where those of several stand, and only there", async () => {
  const [first] = FIGURES.accounts;
  const second = { ...first!, id: "0192f0c1-0000-7000-8000-0000000000ff", name: "Alpaca account PKABCD…" };
  answer(portfolioApi.summary, { ...FIGURES, accounts: [first!, second] });
  answer(portfolioApi.positions, [
    { ...POSITION, accountId: first!.id },
    { ...POSITION, accountId: second.id },
  ]);
  show();
  const rows = card("Active Positions").getByRole("listitem");
  await expect.element(rows).toHaveLength(2);
  await expect.element(rows.first()).toHaveTextContent("Main");
  await expect.element(rows.nth(1)).toHaveTextContent("Alpaca account PKABCD…");
  answer(portfolioApi.positions, [{ ...POSITION, accountId: first!.id }]);
  show();
  await expect.element(rows).toHaveLength(1);
  await expect.element(rows.first()).not.toHaveTextContent("Main");
});

test("the pattern-day-trader warning shows at three day trades, not at two", async () => {
  answer(portfolioApi.summary, { ...FIGURES, dayTradeCount: 2 });
  show();
  await expect.element(card("Cash")).toHaveTextContent("$1,000.00");
  await expect.element(page.getByText(/PDT warning/)).not.toBeInTheDocument();
  answer(portfolioApi.summary, { ...FIGURES, dayTradeCount: 3 });
  show();
  await expect.element(page.getByText("PDT warning: 3 day trades in the last 5 sessions")).toBeVisible();
});

for (const [what, figures, accounts, isShown] of [
  ["nothing at all", NOTHING, [], true],
  ["an account without keys", NOTHING, [{ ...ACCOUNT, hasKeys: false, alpacaKey: null }], true],
  ["a paused account", NOTHING, [{ ...ACCOUNT, status: "PAUSED" as const }], true],
  ["an active account with keys", NOTHING, [ACCOUNT], false],
  ["a portfolio", FIGURES, [], false],
] as const)
  test(`'Ready to Start Trading?' is ${isShown ? "shown" : "not shown"} with ${what}`, async () => {
    answer(portfolioApi.summary, figures);
    answer(accountsApi.list, [...accounts]);
    show();
    await expect.element(card("Total Portfolio").getByText(/^\$/)).toBeVisible();
    const banner = card("Ready to Start Trading?");
    if (!isShown) return expect.element(banner).not.toBeInTheDocument();
    const link = (name: string | RegExp) => expect.element(banner.getByRole("link", { name }));
    await link("Add Alpaca keys").toHaveAttribute("href", "/alpaca-keys");
    await link(/Sign up at Alpaca/).toHaveAttribute("href", "https://app.alpaca.markets/signup");
  });

test("the first steps tick themselves, come first for who has not begun, and can be dismissed", async () => {
  answer(automationApi.heartbeat, { ...BEAT, lastDecision: null, hasDecided: false, hasChosenStrategy: false });
  answer(accountsApi.list, []);
  show();
  const steps = page.getByRole("region", { name: /^First steps/ });
  await expect.element(steps).toHaveTextContent("1 of 6 done");
  await expect.element(steps.getByRole("listitem").nth(1)).toHaveTextContent("Practice market or keysNext");
  const strategy = steps.getByRole("link", { name: "Strategy and risk" });
  await expect.element(strategy).toHaveAttribute("href", "/settings?tab=trading");
  const place = (element: Element) => element.getBoundingClientRect().top;
  expect(place(await steps.findElement())).toBeLessThan(place(await card("Total Portfolio").findElement()));
  answer(automationApi.heartbeat, BEAT);
  answer(accountsApi.list, [ACCOUNT]);
  show();
  await expect.element(steps).toHaveTextContent("4 of 6 done");
  // The last one is optional.
  answer(accountsApi.list, [ACCOUNT, { ...ACCOUNT, id: "another", broker: "ALPACA" }]);
  show();
  await expect.element(card("Cash")).toHaveTextContent("$1,000.00");
  await expect.element(steps).not.toBeInTheDocument();
  answer(accountsApi.list, [ACCOUNT]);
  show();
  await steps.getByRole("button", { name: "Hide the first steps" }).click();
  show();
  await expect.element(card("Cash")).toHaveTextContent("$1,000.00");
  await expect.element(steps).not.toBeInTheDocument();
});

test("a phone has the answer and what is held within a screen and a half, what is nearest to its stop first", async () => {
  const reach = 1.5 * 844;
  await page.viewport(390, 844);
  const symbols = ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"];
  answer(
    portfolioApi.positions,
    symbols.map((symbol, nth) => ({ ...POSITION, symbol, stopDistancePercent: nth - 9 })),
  );
  show();
  const rows = () =>
    card("Active Positions")
      .getByRole("listitem")
      .elements()
      .filter((row) => row.checkVisibility());
  await expect
    .poll(() => rows().map(({ textContent }) => textContent.slice(0, 3)))
    .toEqual(["FFF", "EEE", "DDD", "CCC"]);
  expect(rows().at(-1)?.getBoundingClientRect().bottom).toBeLessThanOrEqual(reach);
  await page.getByRole("button", { name: "Show 2 more" }).click();
  await expect.poll(rows).toHaveLength(6);
});

test("automation that waits for no run, because nothing may be bought, says why and counts nothing down", async () => {
  const pausedReason = "Your practice account is paused: nothing is bought, exits and stops keep working.";
  answer(automationApi.heartbeat, {
    ...BEAT,
    orderStatusUpdate: { ...BEAT.orderStatusUpdate, status: "IDLE" },
    marketScreening: { ...BEAT.marketScreening, status: "IDLE" },
    pausedReason,
  });
  show();
  const automation = card("Automation");
  await expect.element(automation.getByText("Idle", { exact: true })).toBeVisible();
  await expect.element(automation.getByText(pausedReason)).toBeVisible();
  await expect.element(automation).toHaveTextContent("Next runPaused");
  await expect.element(automation).not.toHaveTextContent("Next run in");
});
