import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { policyApi } from "@/lib/contracts/policy.ts";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { column, figure, query, says, textsOf } from "@/lib/proof/screen/look.ts";
import { POLICY, REGIME, TOP50 } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { Top50Screen } from "./top50-screen.tsx";

const show = (rest = "") => showPage(`/admin/top50-selector${rest}`, ADMIN, <Top50Screen />);
const row = (name: RegExp) => expect.element(page.getByRole("row", { name }));

beforeEach(() => {
  answer(policyApi.read, POLICY);
  answer(selectorsApi.top50, TOP50);
});

test("the Top-50 has title, last update, cards and a way back, and opens the symbol of a row", async () => {
  show();
  const heading = page.getByRole("heading", { level: 1, name: "Top-50 Selector (Policy 2.9.0)" });
  await expect.element(heading).toBeVisible();
  await expect.element(page.getByText("Last updated: Tue 4 Feb 2020 09:30 ET")).toBeVisible();
  for (const [label, value] of [
    ["Total Stocks", "3"],
    ["Sticky Seats", "2"],
    ["Fresh Seats", "1"],
    ["Market Regime", "▲UpRisk on"],
  ] as const)
    await figure(label).toBe(`${label}${value}`);
  const back = page.getByRole("link", { name: "Back", exact: true });
  await expect.element(back).toHaveAttribute("href", "/admin");
  await page.getByRole("row", { name: /BBB/ }).getByText("Basic Materials").click();
  await expect.poll(() => window.location.pathname).toBe("/admin/symbols/BBB");
});

test("the Top-50 shows its columns, sorts and filters, and keeps them in the address", async () => {
  show();
  await textsOf("main thead th").toEqual([
    "Symbol",
    "Sector",
    "Price",
    "Composite Score",
    "Liquidity",
    "Sentiment",
    "Technical",
    "Type",
    "Reasons",
  ]);
  for (const text of ["$101.50", "70.0%", "81.3%", "—", "70.5%", "Fresh", "First reason, Second reason…"])
    await row(/^BBB/).toHaveTextContent(text);
  await row(/^AAA/).toHaveTextContent(/First reason, Second reason$/);

  await column(1).toEqual(["AAA", "BBB", "CCC"]);
  const sort = page.getByLabelText("Sort by", { exact: true });
  const shown = page.getByLabelText("Show", { exact: true });
  await sort.selectOptions("Sector");
  await column(1).toEqual(["BBB", "AAA", "CCC"]);
  await sort.selectOptions("Fresh/Sticky");
  await column(1).toEqual(["BBB", "AAA", "CCC"]);
  await shown.selectOptions("Sticky Seats");
  await column(1).toEqual(["AAA", "CCC"]);
  await query().toBe("?sort=type&show=sticky");
  show(window.location.search);
  await column(1).toEqual(["AAA", "CCC"]);
  await shown.selectOptions("Fresh Seats");
  await column(1).toEqual(["BBB"]);
});

for (const [vix, texts] of [
  [25.01, ["High Volatility (Risk-Off)", "1.25% above", "0.40% below"]],
  [14.99, ["Low Volatility (Risk-On)"]],
  [25, ["Moderate"]],
  [15, ["Moderate"]],
  [null, ["Not known"]],
] as const)
  test(`the Top-50 tells of the regime at a VIX of ${vix}`, async () => {
    answer(selectorsApi.top50, { ...TOP50, regime: { ...REGIME, vix } });
    show("?tab=regime");
    const tab = page.getByRole("tab", { name: "Market Regime", exact: true });
    await expect.element(tab).toHaveAttribute("aria-selected", "true");
    for (const text of texts) await says(text).toBeVisible();
  });

test("the Top-50 shows the rules with result, severity, message, expected and actual values", async () => {
  show();
  await page.getByRole("tab", { name: "QA Results", exact: true }).click();
  for (const text of [
    "Failed",
    "Critical",
    "message of allocation",
    "expected of allocation",
    "actual of allocation",
    "−2.0% of equity",
  ])
    await row(/^allocation/).toHaveTextContent(text);
  await row(/^swap_limits/).toHaveTextContent("Passed");
  await row(/^promotion_quality/).toHaveTextContent("could not be judged");
});
