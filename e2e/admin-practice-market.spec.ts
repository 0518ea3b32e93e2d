import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const market = (page: Page) => page.getByRole("region", { name: "Practice market" });

/** Presses a control of the market and confirms it with a reason. */
async function steer(page: Page, press: () => Promise<void>, confirm: string): Promise<void> {
  await press();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/reason/i).fill("Tried by a journey");
  await expectAccessible(page, `the dialog of ${confirm}`);
  await dialog.getByRole("button", { name: confirm, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Everyone trades on this market: no journey runs beside this one (playwright.config.ts). */
test("an administrator pauses the practice market, slows it down and lets it go on, and each is in the audit trail", async ({
  page,
}) => {
  const { admin } = run().demo;
  await signInAs(page, admin);
  await load(page, "/admin");
  const pause = market(page).getByRole("button", { name: "Pause" });
  const goOn = market(page).getByRole("button", { name: "Continue" });
  const clock = market(page).getByText(/ET$/).first();

  await steer(page, () => pause.click(), "Pause");
  await expect(market(page).getByText("Paused", { exact: true })).toBeVisible();
  const stood = await clock.textContent();
  await steer(page, () => market(page).getByText("60×", { exact: true }).click(), "Set 60×");
  await expect(market(page).getByText("when it continues")).toBeVisible();
  await expect(clock).toHaveText(stood ?? "");

  await steer(page, () => goOn.click(), "Continue");
  await expect(pause).toBeVisible();
  await expect(clock).not.toHaveText(stood ?? "", { timeout: 60_000 });
  await steer(page, () => market(page).getByText("600×", { exact: true }).click(), "Set 600×");

  const events = await rowsOf<{ eventType: string }>(
    `select "eventType" from "AuditEvent" where "data"::text like '%Tried by a journey%' order by seq`,
    [],
  );
  expect(events).toHaveLength(4);
});
