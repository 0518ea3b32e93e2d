import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { colourOf } from "@/lib/proof/screen/look.ts";
import { REGIME, TOP50 } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

test("the Selectors tab leads to the three pages, and shows the regime in its colour", async () => {
  for (const [label, colour] of [
    ["risk_on", "green"],
    ["risk_off", "red"],
    ["neutral", "yellow"],
  ] as const) {
    answer(selectorsApi.top50, { ...TOP50, regime: { ...REGIME, regime_label: label } });
    showPage("/admin?tab=selectors", ADMIN, <AdminScreen />);
    expect(await colourOf(page.getByText(label, { exact: true })), label).toBe(colour);
  }
  for (const [name, path] of [
    ["Open Top-50 Selector", "/admin/top50-selector"],
    ["Open Earnings Watchlist", "/admin/earnings-watchlist"],
    ["Open QA Results", "/admin/qa-results"],
  ] as const)
    await expect.element(page.getByRole("link", { name })).toHaveAttribute("href", path);
});
