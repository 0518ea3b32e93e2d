import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { policyApi } from "@/lib/contracts/policy.ts";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { overflowOfPage, textsStickingOut } from "@/lib/proof/screen/layout.ts";
import { expectAccessible, figure, inTheme, passes, query, says, textsOf } from "@/lib/proof/screen/look.ts";
import { POLICY, QA, TOP50, WATCHLIST } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { EarningsScreen } from "./earnings-watchlist/earnings-screen.tsx";
import { QaScreen } from "./qa-results/qa-screen.tsx";
import { Top50Screen } from "./top50-selector/top50-screen.tsx";

/** What every one of the three may be answered beside its own. */
type Scope = Partial<Pick<typeof QA, "markets" | "nextScreening" | "sessionDate">>;

const PAGES = [
  {
    name: "Top-50",
    show: () => {
      answer(policyApi.read, POLICY);
      showPage("/admin/top50-selector", ADMIN, <Top50Screen />);
    },
    serve: (scope: Scope = {}) => answer(selectorsApi.top50, { ...TOP50, ...scope }),
    serveNone: (scope: Scope) => answer(selectorsApi.top50, { ...TOP50, ...scope, universe: [], regime: null }),
    refuse: () => answer(selectorsApi.top50, refusal(503, "The database is unavailable.")),
    intervalMs: 30_000,
    sentence: "Failed to load Top-50 selector data",
    cards: ["Total Stocks", "Sticky Seats", "Fresh Seats", "Market Regime"],
    tabs: ["Stock Universe", "Market Regime", "QA Results"],
  },
  {
    name: "watchlist",
    show: () => showPage("/admin/earnings-watchlist", ADMIN, <EarningsScreen />),
    serve: (scope: Scope = {}) => answer(selectorsApi.earningsWatchlist, { ...WATCHLIST, ...scope }),
    serveNone: (scope: Scope) =>
      answer(selectorsApi.earningsWatchlist, { ...WATCHLIST, ...scope, watchlist: [], calendar: [], isCurrent: false }),
    refuse: () => answer(selectorsApi.earningsWatchlist, refusal(503, "The database is unavailable.")),
    intervalMs: 60_000,
    sentence: "Failed to load earnings watchlist data",
    cards: ["Total Stocks", "Low Risk", "Medium Risk", "High Risk"],
    tabs: ["Watchlist", "Calendar View"],
  },
  {
    name: "QA",
    show: () => showPage("/admin/qa-results", ADMIN, <QaScreen />),
    serve: (scope: Scope = {}) => answer(selectorsApi.qaResults, { ...QA, ...scope }),
    serveNone: (scope: Scope) => answer(selectorsApi.qaResults, { ...QA, ...scope, results: [] }),
    refuse: () => answer(selectorsApi.qaResults, refusal(503, "The database is unavailable.")),
    intervalMs: 30_000,
    sentence: "Failed to load QA results data",
    cards: ["Total Rules", "Passed", "Failed", "Critical Issues"],
    tabs: ["Current Results", "Metrics", "History"],
  },
];

for (const { name, show, serve, serveNone, refuse, intervalMs, sentence, cards, tabs } of PAGES) {
  test(`the ${name} page asks every ${intervalMs / 1000} seconds; a failure takes the place of its body`, async () => {
    const asked = serve();
    vi.useFakeTimers();
    show();
    const hasBody = () => page.getByRole("tablist").query() !== null;
    const isSaid = () => page.getByText(sentence, { exact: true }).query() !== null;
    await passes(hasBody);
    const first = asked.length;
    await passes(() => asked.length > first);
    const second = asked.length;
    await vi.advanceTimersByTimeAsync(intervalMs - 2_500);
    expect(asked.length, "nothing is asked before the time").toBe(second);
    await passes(() => asked.length > second);

    refuse();
    await passes(isSaid);
    expect(hasBody(), "the sentence replaces the body").toBe(false);
    await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
    serve();
    await page.getByRole("button", { name: "Retry" }).click();
    await passes(hasBody);
    expect(isSaid()).toBe(false);
  });

  test(`before the first screening the ${name} page says when it is due, or why it is not known`, async () => {
    serveNone({ sessionDate: null });
    show();
    await says("The practice market has not been screened yet").toBeVisible();
    const due = page.getByText("The next screening is due at Wed 5 Feb 2020 09:30 ET, market time.");
    await expect.element(due).toBeVisible();
    serveNone({ sessionDate: null, nextScreening: { at: null, reason: "No worker is running." } });
    show();
    await says("No worker is running.").toBeVisible();
  });

  test(`before the first screening the ${name} page has its cards without figures, and its tabs`, async () => {
    serveNone({ sessionDate: null });
    show();
    for (const card of cards) await figure(card).toMatch(new RegExp(`^${card}—`));
    await textsOf("[role=tab]").toEqual(tabs);
    await expect.element(page.getByRole("tabpanel")).toHaveTextContent("has not been screened yet");
    for (const tab of tabs) await page.getByRole("tab", { name: tab, exact: true }).click();
    await expect.element(page.getByText("unavailable at the last screening")).not.toBeInTheDocument();
  });

  test(`the ${name} page switches between markets where there are two, in the address`, async () => {
    const asked = serve({ markets: ["US", "PRACTICE"] });
    show();
    const markets = page.getByRole("group", { name: "Market" });
    const practice = markets.getByRole("button", { name: "Practice market" });
    await expect.element(practice).toHaveAttribute("aria-pressed", "true");
    await markets.getByRole("button", { name: "US market" }).click();
    await query().toBe("?market=us");
    await expect.poll(() => asked.at(-1)).toEqual({ market: "US" });
  });

  test(`the ${name} page fits, and is free of grave axe violations, wide in the light and on a phone in the dark`, async () => {
    serve();
    show();
    for (const [width, theme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.viewport(width, 900);
      inTheme(theme);
      // Rows are cards on a phone.
      if (width === 390) await expect.element(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
      await expect.element(page.getByRole("tablist")).toBeVisible();
      await expectAccessible(`${name} at ${width} px`);
      expect(overflowOfPage()).toBeLessThanOrEqual(0);
      expect(textsStickingOut()).toEqual([]);
    }
  });
}
