import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { consoleApi } from "@/lib/contracts/console.ts";
import { practiceMarketApi } from "@/lib/contracts/practice-market.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { activity, METRICS, NO_PRACTICE_MARKET, READINESS, SUCCESS } from "@/lib/proof/screen/console-answers.ts";
import { colourOf, inTheme, says } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

const show = () => showPage("/admin", ADMIN, <AdminScreen />);
const card = (name: string) => page.getByRole("region", { name });

beforeEach(() => {
  answer(consoleApi.metrics, METRICS);
  answer(consoleApi.tradingSuccessRate, SUCCESS);
  answer(consoleApi.recentActivity, { activities: [] });
  answer(consoleApi.readiness, READINESS);
  answer(practiceMarketApi.read, NO_PRACTICE_MARKET);
});

test("an administrator sees four events of those that came", async () => {
  answer(consoleApi.recentActivity, { activities: Array.from({ length: 9 }, (_, nth) => activity(nth)) });
  show();
  await expect.element(card("Recent Activity").getByRole("listitem")).toHaveLength(4);
});

for (const [systemStatus, colour] of [
  ["RUNNING", "green"],
  ["STOPPED", "red"],
  ["PAUSED", "yellow"],
  ["DEGRADED", "yellow"],
] as const)
  test(`an administrator sees a system that is ${systemStatus} in ${colour}`, async () => {
    answer(consoleApi.metrics, { ...METRICS, systemStatus });
    show();
    for (const theme of ["light", "dark"] as const) {
      inTheme(theme);
      const status = card("System Status").getByText(systemStatus, { exact: true });
      expect(await colourOf(status), theme).toBe(colour);
    }
  });

for (const [label, colour] of [
  ["risk_on", "green"],
  ["risk_off", "red"],
  ["neutral", "yellow"],
] as const)
  test(`an administrator sees the regime ${label} in ${colour}`, async () => {
    const regimeSignals = {
      regime_label: label,
      market: "PRACTICE",
      sessionDate: "2020-02-03",
      vix: 20,
      votes: 1,
    } as const;
    answer(consoleApi.metrics, { ...METRICS, regimeSignals });
    show();
    expect(await colourOf(card("Market Regime").getByText(label, { exact: true }))).toBe(colour);
  });

test("an administrator reads what could not be loaded, and asks again", async () => {
  answer(consoleApi.metrics, refusal(503, "The database is unavailable."));
  show();
  await says("Failed to load metrics").toBeVisible();
  await says("The database is unavailable.").toBeVisible();
  answer(consoleApi.metrics, METRICS);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(card("System Status")).toBeVisible();
  await says("Failed to load metrics").not.toBeInTheDocument();
});
