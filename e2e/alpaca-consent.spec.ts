import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible, expectAccessibleInThemes } from "./axe.ts";
import { overflowOf } from "./layout.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, signInOf, verified } from "./people.ts";
import { run } from "./run.ts";
import { APPLICATION } from "../scripts/test-stack.mjs";
import { type StandIn, startStandIn } from "./stand-in.ts";
import { mails, tablesWith, wholeRedis } from "./stores.ts";
import { test } from "./test.ts";

const connectCard = (page: Page) => page.getByRole("region", { name: "Connect with Alpaca" });
const own = (page: Page) => page.getByRole("region", { name: "Alpaca Trading Accounts" });
const rows = (page: Page) => own(page).getByRole("listitem");

/** Where this installation sends people to, as Alpaca's page is not one of ours. */
async function authorizeUrlOf(page: Page, email: string): Promise<string> {
  const { token } = await signInOf(page, { email, password: PASSWORD });
  const answer = await page.request.post("/api/v1/accounts/oauth/start", {
    headers: { authorization: `Bearer ${token}` },
    data: {},
  });
  expect(answer.status()).toBe(200);
  return ((await answer.json()) as { data: { authorizeUrl: string } }).data.authorizeUrl;
}

async function goToAlpaca(page: Page, from: Locator): Promise<void> {
  await from.click();
  await expect(page.getByRole("heading", { name: "Tradewind asks for access to your account" })).toBeVisible();
}

/** Neither the access nor what it was asked for with may be read by a thief of a backup, or of a page. */
async function expectSealed(alpaca: StandIn, email: string, pages: readonly string[]): Promise<void> {
  const tokens = await alpaca.tokens();
  expect(tokens).toHaveLength(1);
  const secrets = [...tokens, APPLICATION.client_secret];
  expect(await tablesWith([email])).not.toEqual([]); // the search finds what is there
  expect(await tablesWith(secrets)).toEqual([]);
  for (const text of [await wholeRedis(), await mails(), pages.join("\n")])
    expect(secrets.findIndex((secret) => text.includes(secret))).toBe(-1);
}

async function isConnected(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/alpaca-keys\/connect$/);
  await expect(page.getByText("Connected: ", { exact: false })).toBeVisible();
}

test("an account is connected by consent at Alpaca: declined nothing is added, allowed it is followed, taken back there it says so, and connected again it goes on", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const email = await verified(page.request, "consent");
  await signInAs(page, { email, password: PASSWORD });
  const answers: string[] = [];
  page.on("response", (response) => {
    if (!response.url().startsWith(run().url)) return;
    void response.text().then(
      (text) => answers.push(text),
      () => undefined, // a redirect has no body
    );
  });
  let alpaca: StandIn | undefined;
  try {
    alpaca = await startStandIn(await authorizeUrlOf(page, email));
    const [mine] = [await alpaca.openAccount(), await alpaca.openAccount()];
    await load(page, "/alpaca-keys");
    const connect = connectCard(page).getByRole("button", { name: "Connect with Alpaca" });

    await goToAlpaca(page, connect);
    await page.getByRole("button", { name: "Deny" }).click();
    await expect(page.getByText("The account was not connected", { exact: true })).toBeVisible();
    await expectAccessible(page, "the page after a denial");
    await page.getByRole("link", { name: "Go to Alpaca Keys" }).click();
    await expect(page.getByText("No accounts yet")).toBeVisible();

    await connectCard(page).getByLabel("Account name (optional)").fill("Granted");
    await goToAlpaca(page, connect);
    await expect(page.getByRole("list")).toContainText("Place, cancel or modify orders");
    await page.getByLabel("Paper account").selectOption(mine.id);
    await page.getByRole("button", { name: "Allow" }).click();
    await isConnected(page);
    await expect(page.getByText("Connected: Granted (PAPER)", { exact: true })).toBeVisible();
    // The code is good for one connection, and is out of the address at once.
    expect(page.url()).not.toContain("code=");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
    await expectAccessibleInThemes(page, "the page after a consent");

    await page.getByRole("link", { name: "Go to Alpaca Keys" }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText("Granted");
    await expect(rows(page).first()).toContainText(mine.accountNumber.slice(-4));
    await expect(rows(page).first()).toContainText("$100,000.00");

    // The worker has used the access by now: the balance is read with it.
    await expectSealed(alpaca, email, answers);

    expect(await alpaca.revoke(mine.accountNumber)).toBe(1);
    await expect(rows(page).first()).toContainText("connect it again", { timeout: 90_000 });
    await expectAccessible(page, "an account whose access was taken back");
    await goToAlpaca(
      page,
      rows(page)
        .first()
        .getByRole("button", { name: /^Connect again/ }),
    );
    await page.getByLabel("Paper account").selectOption(mine.id);
    await page.getByRole("button", { name: "Allow" }).click();
    await isConnected(page);
    await page.getByRole("link", { name: "Go to Alpaca Keys" }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).not.toContainText("connect it again", { timeout: 90_000 });

    // It leaves as it came: nothing follows an account of Alpaca's when its stand-in is gone.
    await rows(page)
      .first()
      .getByRole("button", { name: /^Delete/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Delete/ }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText("No accounts yet")).toBeVisible();
  } finally {
    await alpaca?.close();
  }
});
