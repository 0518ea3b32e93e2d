import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { rowsOf } from "./books.ts";
import { PASSWORD, verified } from "./people.ts";
import { load, signInAs } from "./page-watch.ts";
import { test } from "./test.ts";

const EQUITY = { PRACTICE: "100678.00", PAPER: "100000.00" } as const;

/** An account that was read at its broker once. Without keys nothing follows it, so its figures stay. */
async function addAccount(email: string, environment: keyof typeof EQUITY, symbol: string): Promise<string> {
  const [broker, market] = environment === "PRACTICE" ? ["PRACTICE", "PRACTICE"] : ["ALPACA", "US"];
  const equity = EQUITY[environment];
  const [account] = await rowsOf<{ id: string }>(
    `insert into "Account" ("id", "userId", "broker", "market", "brokerAccountId")
      select $1::uuid, "id", $2::"BrokerKind", $3::"Market", $4 from "User" where "email" = $5 returning "id"`,
    [randomUUID(), broker, market, randomUUID(), email],
  );
  if (!account) throw new Error(`no user has the address ${email}`);
  await rowsOf(
    `insert into "AccountFigures" ("accountId", "equity", "lastEquity", "cash", "buyingPower", "netDeposits", "highWaterMark", "asOf")
      values ($1::uuid, $2, $2, $2, $2, $2, $2, '2020-02-03T15:00:00Z')`,
    [account.id, equity],
  );
  await rowsOf(
    `insert into "Position" ("accountId", "symbol", "qty", "avgEntryPrice", "currentPrice", "marketValue", "openedAt", "updatedAt")
      values ($1::uuid, $2, 2, 90, 100, 200, '2020-02-03T15:00:00Z', now())`,
    [account.id, symbol],
  );
  return account.id;
}

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const choice = (page: Page, name: string) =>
  page.getByRole("group", { name: "Environment", exact: true }).getByRole("button", { name, exact: true });
const badge = (page: Page, environment: string) => page.getByRole("main").getByText(environment, { exact: true });

async function showsOnly(page: Page, environment: keyof typeof EQUITY, symbol: string): Promise<void> {
  await expect(card(page, "Total Portfolio")).toContainText(environment === "PAPER" ? "$100,000.00" : "$100,678.00");
  await expect(card(page, "Active Positions").getByRole("listitem")).toHaveText(new RegExp(`^${symbol}`));
  await expect(badge(page, environment)).toHaveCount(1);
  await expect(badge(page, environment === "PAPER" ? "PRACTICE" : "PAPER")).toHaveCount(0);
}

test("figures of two environments are shown one at a time: the switch stands in the address, and holds on every page of the visit", async ({
  page,
  request,
}) => {
  const email = await verified(request, "environments");
  await addAccount(email, "PRACTICE", "MSFT");
  const paper = await addAccount(email, "PAPER", "TSLA");
  await signInAs(page, { email, password: PASSWORD });
  await load(page, "/dashboard");
  // Unasked, the most real one.
  await showsOnly(page, "PAPER", "TSLA");
  await choice(page, "Practice").click();
  await expect(page).toHaveURL(/\/dashboard\?env=practice$/);
  await expect(choice(page, "Practice")).toHaveAttribute("aria-pressed", "true");
  await showsOnly(page, "PRACTICE", "MSFT");

  for (const [link, path] of [
    ["Performance", "performance"],
    ["Trade History", "trade-history"],
    ["Decisions", "decisions"],
    ["Activity & Logs", "logs"],
  ] as const) {
    const asked = page.waitForRequest((sent) => sent.url().includes("environment=PRACTICE"));
    await page.getByRole("link", { name: link, exact: true }).first().click();
    await expect(page).toHaveURL(new RegExp(`/${path}\\?env=practice$`));
    await asked;
    await expect(badge(page, "PRACTICE"), link).toHaveCount(1);
    await expect(choice(page, "Practice"), link).toHaveAttribute("aria-pressed", "true");
  }
  await page.reload();
  await expect(badge(page, "PRACTICE")).toHaveCount(1);

  // A link says whose figures it shows, and the pages after it go on with them.
  await page.goto("/dashboard?env=paper");
  await showsOnly(page, "PAPER", "TSLA");
  await page.getByRole("link", { name: "Performance", exact: true }).first().click();
  await expect(page).toHaveURL(/\/performance\?env=paper$/);

  // Without an account in it the choice is none.
  await rowsOf(`update "Account" set "deletedAt" = now(), "status" = 'INACTIVE' where "id" = $1::uuid returning "id"`, [
    paper,
  ]);
  await page.goto("/dashboard?env=paper");
  await showsOnly(page, "PRACTICE", "MSFT");
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("group", { name: "Environment", exact: true })).toHaveCount(0);
});

test("who has no account reads of no run, counts down to none and has nothing to pause", async ({ page, request }) => {
  await signInAs(page, { email: await verified(request, "idle"), password: PASSWORD });
  await load(page, "/dashboard");
  const automation = card(page, "Automation");
  for (const text of ["Idle", "Last runNever", "Next runNot scheduled"]) await expect(automation).toContainText(text);
  await expect(automation.getByText("Next run in")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Pause automation" })).toHaveCount(0);
});
