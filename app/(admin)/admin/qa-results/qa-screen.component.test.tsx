import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { colourOf, column, figure, query, says } from "@/lib/proof/screen/look.ts";
import { historyPage, QA } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { QaScreen } from "./qa-screen.tsx";

const show = () => showPage("/admin/qa-results", ADMIN, <QaScreen />);
const choose = (label: string, option: string) => page.getByLabelText(label, { exact: true }).selectOptions(option);

beforeEach(() => {
  answer(selectorsApi.qaResults, QA);
});

test("QA results show the specified banner while the gate is off, and what it does while it is on", async () => {
  show();
  await says("Feature In Development").toBeVisible();
  await says(
    "The QA check system is not yet connected to live trading sessions. Six validation rules exist: allocation, swap limits, promotion quality, conviction gates, fast-track events, sector quotas.",
  ).toBeVisible();
  answer(selectorsApi.qaResults, { ...QA, flags: { qaLiveGate: true, qaHistory: false } });
  show();
  await says("QA gates live cycles").toBeVisible();
  await says("Feature In Development").not.toBeInTheDocument();
});

for (const [passed, total, text, colour] of [
  [9, 10, "90.0%", "green"],
  [7, 10, "70.0%", "yellow"],
  [4, 6, "66.7%", "red"],
] as const)
  test(`QA results show a pass rate of ${text} in ${colour}, and the cards`, async () => {
    const metadata = { ...QA.metadata, totalRules: total, passedRules: passed, failedRules: total - passed };
    answer(selectorsApi.qaResults, { ...QA, metadata });
    show();
    expect(await colourOf(page.getByText(text, { exact: true }))).toBe(colour);
    const bar = await page.getByRole("progressbar", { name: "Overall pass rate" }).findElement();
    const filled = bar.querySelector("div");
    expect(filled && (await colourOf(page.elementLocator(filled), "background-color"))).toBe(colour);
    for (const [label, value] of [
      ["Total Rules", total],
      ["Passed", passed],
      ["Failed", total - passed],
      ["Critical Issues", 1],
    ] as const)
      await figure(label).toBe(`${label}${value}`);
  });

test("no two landmarks of the QA results have the same name", async () => {
  show();
  await expect.element(page.getByRole("region", { name: "Current results", exact: true })).toHaveLength(1);
});

test("QA results filter and sort, and keep both in the address", async () => {
  show();
  await column(1).toEqual([
    "allocation",
    "conviction_gates",
    "promotion_quality",
    "sector_quotas",
    "fast_track_events",
    "swap_limits",
  ]);
  await choose("Sort by", "Newest first");
  await column(1).toSatisfy(
    ([first, second]: string[]) => first === "promotion_quality" && second === "conviction_gates",
  );
  await choose("Sort by", "Rule");
  await column(1).toSatisfy(([, , third]: string[]) => third === "fast_track_events");
  await choose("Show", "Passed");
  await column(1).toHaveLength(4);
  await choose("Show", "Failed");
  await column(1).toEqual(["allocation", "promotion_quality"]);
  await choose("Show", "Critical and failed");
  await column(1).toEqual(["allocation"]);
  await query().toBe("?sort=rule&show=critical");
});

test("QA results have metrics, and a history that is a placeholder until its flag is on", async () => {
  const row = expect.element(page.getByRole("row", { name: /^allocation/ }));
  show();
  await page.getByRole("tab", { name: "Metrics", exact: true }).click();
  await row.toHaveTextContent("95.0%");
  await row.toHaveTextContent("3 (1 not judged)");
  await page.getByRole("tab", { name: "History", exact: true }).click();
  await says("QA history is not yet implemented.").toBeVisible();

  answer(selectorsApi.qaResults, { ...QA, flags: { qaLiveGate: false, qaHistory: true } });
  answer(selectorsApi.qaHistory, ({ cursor }) =>
    cursor === "next" ? historyPage("2020-02-03", null) : historyPage("2020-02-04", "next"),
  );
  showPage("/admin/qa-results?tab=history", ADMIN, <QaScreen />);
  const newest = expect.element(page.getByRole("heading", { name: /^4 Feb 2020/ }));
  for (const text of ["4 of 6 passed", "Policy 2.9.0"]) await newest.toHaveTextContent(text);
  await row.toHaveTextContent("−2.0% of equity");
  const older = page.getByRole("button", { name: "Older" });
  await older.click();
  await expect.element(page.getByRole("heading", { name: /^3 Feb 2020/ })).toBeVisible();
  await expect.element(older).toHaveAttribute("aria-disabled", "true");
});
