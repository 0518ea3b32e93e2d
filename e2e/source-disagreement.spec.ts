import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, verified } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const SYMBOL = "QQZZ";
const SAID = "Alpaca closed at $101.20, Finnhub at $103.25: 2.03 % apart, limit 0.50 %";

/** An account of the US market without keys: nothing screens that market here, so what is put in stays as it is. */
const addUsAccount = (email: string) =>
  rowsOf(
    `insert into "Account" ("id", "userId", "broker", "market", "brokerAccountId")
      select $1::uuid, "id", 'ALPACA', 'US', $2 from "User" where "email" = $3`,
    [randomUUID(), randomUUID(), email],
  );

/** As a comparison of the close stores it. */
const addDisagreement = () =>
  rowsOf(
    `insert into "SourceDisagreement" ("id", "market", "symbol", "session", "figure", "values", "deviationBps", "limitBps", "foundAt")
      values ($1::uuid, 'US', $2, '2026-11-20', 'CLOSE', $3::jsonb, 203, 50, '2026-11-20T21:10:00Z')`,
    [
      randomUUID(),
      SYMBOL,
      JSON.stringify([
        { source: "Alpaca", value: 101.2, at: "2026-11-20T21:00:00Z" },
        { source: "Finnhub", value: 103.25, at: "2026-11-20T21:00:00Z" },
      ]),
    ],
  );

test("two sources that are 2 % apart put a symbol aside: its page says why nothing is bought, and the console lists it until they agree", async ({
  page,
}) => {
  const email = await verified(page.request, "disagreement");
  await addUsAccount(email);
  await addDisagreement();
  try {
    await signInAs(page, { email, password: PASSWORD });
    await load(page, `/symbols/${SYMBOL}`);
    await expect(page.getByText("Set aside: no new position until its sources agree", { exact: true })).toBeVisible();
    await expect(page.getByText(SAID)).toBeVisible();
    await expectAccessible(page, "the page of a symbol that is set aside");

    await signInAs(page, run().demo.admin);
    await load(page, "/admin?tab=performance");
    const card = page.getByRole("region", { name: "Sources that disagree" });
    await expect(card.getByText("1 now", { exact: true })).toBeVisible();
    await expect(card.getByRole("listitem")).toContainText(SAID);
    await card.getByRole("link", { name: SYMBOL, exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname === `/admin/symbols/${SYMBOL}`);
    await expect(page.getByRole("status").getByText(SAID)).toBeVisible();

    await rowsOf(`update "SourceDisagreement" set "clearedAt" = now() where "symbol" = $1`, [SYMBOL]);
    await load(page, "/admin?tab=performance");
    await expect(card.getByText("0 now", { exact: true })).toBeVisible();
  } finally {
    await rowsOf(`delete from "SourceDisagreement" where "symbol" = $1`, [SYMBOL]);
  }
});
