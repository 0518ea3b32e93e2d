import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { consoleApi } from "@/lib/contracts/console.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { providerWith } from "@/lib/proof/screen/console-answers.ts";
import { colourOf, query, says } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

const show = () => showPage("/admin?tab=performance", ADMIN, <AdminScreen />);

test("an administrator chooses the range of the providers' performance in the address, and reads how good each of them is", async () => {
  const asked = answer(consoleApi.providerPerformance, ({ range = "24h" }) => ({
    range,
    since: "2026-11-20T15:00:00.000Z",
    providers: [
      providerWith("Alpaca", 0.95),
      providerWith("Finnhub", 0.9499),
      providerWith("CBOE", 0.8),
      providerWith("FRED", 0.7999),
    ],
    quarantined: [],
    quarantinedCount: 0,
  }));
  show();
  const ranges = page.getByRole("group", { name: "Time range" });
  await expect.element(ranges.getByRole("button", { name: "24h" })).toHaveAttribute("aria-pressed", "true");
  const offered = ranges.getByRole("button").elements();
  expect(offered.map(({ textContent }) => textContent)).toEqual(["1h", "24h", "7d", "30d"]);
  await expect.element(page.getByRole("columnheader", { name: "Last Call", exact: true })).toBeVisible();
  for (const range of ["1h", "7d", "30d"]) {
    await ranges.getByRole("button", { name: range }).click();
    await expect.poll(() => asked.at(-1)).toEqual({ range });
    await query().toBe(`?tab=performance&range=${range}`);
  }
  for (const [provider, label, colour] of [
    ["Alpaca", "Excellent", "green"],
    ["Finnhub", "Good", "yellow"],
    ["CBOE", "Good", "yellow"],
    ["FRED", "Poor", "red"],
  ] as const) {
    const row = page.getByRole("row", { name: new RegExp(`^${provider}`) });
    expect(await colourOf(row.getByText(label, { exact: true })), provider).toBe(colour);
  }
});

test("an administrator reads why the performance is missing", async () => {
  answer(consoleApi.providerPerformance, refusal(503, "The database is unavailable."));
  show();
  await says("Failed to load provider performance data").toBeVisible();
  await expect.element(page.getByRole("button", { name: "Retry" })).toBeVisible();
});
