import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { passes } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { TRADING_PREFERENCES } from "@/lib/proof/screen/trading-preferences.ts";
import { BacktestScreen } from "./backtest-screen.tsx";

const { checkInterval: _, paperTradingOnly: __, ...SETTINGS } = TRADING_PREFERENCES;

const OPTIONS: Answer<typeof backtestsApi.options> = {
  markets: [{ market: "PRACTICE", sessions: { first: "2019-01-02", last: "2020-03-02" }, reason: null }],
  strategies: ["MOMENTUM"],
  defaults: { market: "PRACTICE", cash: 100_000, settings: SETTINGS },
  kept: 0,
  waiting: 0,
};
const RUN: Answer<typeof backtestsApi.create> = {
  id: "01a00000-0000-7000-8000-000000000001",
  name: "Momentum, 3 positions",
  market: "PRACTICE",
  strategy: "MOMENTUM",
  from: "2019-03-04",
  to: "2020-03-02",
  cash: 100_000,
  status: "QUEUED",
  progress: { done: 0, total: null, readPercent: null },
  isStalled: false,
  createdAt: "2026-11-20T15:32:00.000Z",
  startedAt: null,
  finishedAt: null,
  error: null,
  outcome: null,
};
const listOf = (...backtests: (typeof RUN)[]) => ({
  backtests,
  overfit: [],
  pagination: { nextCursor: null, limit: 20 },
});

const show = (address = "/backtest") => {
  answer(backtestsApi.options, OPTIONS);
  answer(backtestsApi.list, listOf());
  showPage(address, TRADER, <BacktestScreen />);
};
const run = page.getByRole("button", { name: "Run backtest" });

test("the last day of the US market is one whose bars are final, that of the practice market its last closed session", async () => {
  const us = { market: "US" as const, sessions: { first: "2024-01-02", last: "2026-11-27" }, reason: null };
  show();
  answer(backtestsApi.options, { ...OPTIONS, markets: [...OPTIONS.markets, us] });
  await expect.element(page.getByText("Latest 2 Mar 2020, the last closed session.")).toBeVisible();
  await page.getByLabelText("Market").selectOptions("US");
  await expect.element(page.getByText("Latest 27 Nov 2026, the last day whose bars are final.")).toBeVisible();
});

test("that a run is queued is said until it is over", async () => {
  answer(backtestsApi.create, () => {
    answer(backtestsApi.list, listOf(RUN));
    return RUN;
  });
  vi.useFakeTimers();
  show();
  await passes(() => run.query() !== null, 100);
  await run.click();
  const note = page.getByText("Queued: Momentum, 3 positions.");
  await passes(() => note.query() !== null, 100);
  answer(backtestsApi.list, listOf({ ...RUN, status: "RUNNING" }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(note.elements()).toHaveLength(1);
  answer(backtestsApi.list, listOf({ ...RUN, status: "FAILED", error: "No bars." }));
  await passes(() => note.query() === null);
});

test("a run that is done again with changes keeps what was entered, and that it is queued is said", async () => {
  answer(backtestsApi.read, {
    ...RUN,
    status: "DONE",
    cash: 55_000,
    settings: SETTINGS,
    policyVersion: "2.9.0",
    result: null,
  });
  answer(backtestsApi.create, { ...RUN, id: "01a00000-0000-7000-8000-000000000002" });
  show(`/backtest?like=${RUN.id}`);
  const cash = page.getByLabelText("Cash ($)");
  await expect.element(cash).toHaveValue(55_000);
  await cash.fill("66000");
  await run.click();
  await expect.poll(() => window.location.search).toBe("");
  const note = page.getByText("Queued: Momentum, 3 positions.");
  await expect.element(note).toBeVisible();
  await expect.element(cash).toHaveValue(66_000);
  // And so does the next one from the same form.
  await cash.fill("77000");
  await expect.element(note).not.toBeInTheDocument();
  await run.click();
  await expect.element(note).toBeVisible();
  await expect.element(cash).toHaveValue(77_000);
});

test("a run of a market that is offered no more is done again on the one that is, with its settings and that one's days", async () => {
  const earlier = { ...RUN, market: "US" as const, from: "2018-01-02", to: "2018-12-31", status: "DONE" as const };
  const detail = { ...earlier, cash: 55_000, settings: SETTINGS, policyVersion: "2.9.0", result: null };
  answer(backtestsApi.read, detail);
  const sent = answer(backtestsApi.create, RUN);
  show(`/backtest?like=${RUN.id}`);
  await expect.element(page.getByLabelText("Cash ($)")).toHaveValue(55_000);
  await run.click();
  await expect.poll(() => sent).toMatchObject([{ market: "PRACTICE", to: "2020-03-02", cash: 55_000 }]);
});

test("dates that stand the wrong way round are reported beside what else the server refuses", async () => {
  const issues = [{ path: "cash", message: "Cash must be between $1,000 and $10,000,000." }];
  answer(backtestsApi.create, refusal(400, "Some fields are invalid.", "invalid_input", issues));
  show();
  await page.getByLabelText("From", { exact: true }).fill("2020-03-02");
  await page.getByLabelText("To", { exact: true }).fill("2020-02-03");
  await run.click();
  await expect.element(page.getByText("Cash must be between $1,000 and $10,000,000.")).toBeVisible();
  await expect.element(page.getByText("The last day must not lie before the first.")).toBeVisible();
});

test("an empty amount of cash is not compared with the limits", async () => {
  show();
  const idle = page.getByText(/These limits invest/);
  await page.getByLabelText("Cash ($)").fill("1000000");
  await expect.element(idle).toBeVisible();
  await page.getByLabelText("Cash ($)").fill("");
  await expect.element(idle).not.toBeInTheDocument();
});

test("runs that are done are listed with their figures, and what the best of them is worth", async () => {
  const outcome = { finalEquity: 104_000, totalReturn: 0.04, maxDrawdown: -0.02, sharpe: -0.001, trips: 12 };
  const overfit = {
    ...{ market: "PRACTICE" as const, strategy: "MOMENTUM" as const },
    ...{
      tries: 2,
      bestId: RUN.id,
      sharpe: 1.2,
      deflated: 0.9499,
      deflatedText: "0.9499",
      exposure: 0.4,
      text: "The best of 2 tries.",
    },
  };
  answer(backtestsApi.options, OPTIONS);
  answer(backtestsApi.list, { ...listOf({ ...RUN, status: "DONE", outcome }), overfit: [overfit] });
  showPage("/backtest", TRADER, <BacktestScreen />);
  await expect.element(page.getByText("The best of 2 tries.")).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "0.00", exact: true })).toBeVisible();
  await expect.element(page.getByText("0.9499", { exact: true })).toBeVisible();
});
