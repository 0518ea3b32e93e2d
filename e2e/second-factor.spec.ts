import { expect, type Page } from "@playwright/test";
import { rowsOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, signIn, verified } from "./people.ts";
import { button, CODE, codeOf, setUpApp, withNamedSite } from "./second-factor.ts";
import { expectSound, type SIZES } from "./sound.ts";
import { test } from "./test.ts";

const WRONG_CODE = "This code is not correct. Enter the one that your app shows now.";
const USED_CODE = "This code, or a newer one, was already used. Wait for the next one that your app shows.";

/** A code that the app shows neither now nor in the periods beside. */
function wrongCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((periods) => codeOf(secret, periods));
  return ["111111", "222222", "333333", "444444", "555555", "666666"].find((code) => !near.includes(code)) ?? "";
}

/** Signs in on the page; ends with the second step where there is one, else on the dashboard. */
async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto("/auth");
  await signIn(page, { email, password: PASSWORD });
}

async function signOut(page: Page): Promise<void> {
  await button(page, "Logout").click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole("heading", { name: "Sign in to Tradewind" })).toBeVisible();
}

/** A signed-in person of the test's own, on the page of sign-in and security. */
async function newPerson(page: Page, who: string): Promise<string> {
  const email = await verified(page.request, who);
  await signInAs(page, { email, password: PASSWORD });
  await load(page, "/security");
  return email;
}

/** The person's sign-ins were confirmed longer ago than a step-up allows. */
const outdateConfirmation = (email: string) =>
  rowsOf(
    `update "SignIn" s set "confirmedAt" = s."confirmedAt" - interval '6 minutes' from "User" u
     where u.id = s."userId" and u.email = $1`,
    [email],
  );

test("an authenticator app is set up and signs in once per code; a recovery code signs in once", async ({ page }) => {
  const email = await newPerson(page, "app");
  const { secret, recoveryCodes } = await setUpApp(page);
  expect(new Set(recoveryCodes).size).toBe(10);
  await expect(page.getByText("10 of 10 left")).toBeVisible();

  await signOut(page);
  await enterPassword(page, email);
  const code = page.getByLabel(CODE);
  await expect(code, "the second step takes the focus").toBeFocused();
  expect(await page.evaluate(() => localStorage.getItem("auth_token")), "no token before the factor").toBeNull();
  await code.fill(wrongCode(secret));
  await expect(page.getByText(WRONG_CODE)).toBeVisible();
  await expect(code, "ready for the next code").toHaveValue("");
  await expect(code).toBeFocused();
  const next = codeOf(secret, 1);
  await code.pressSequentially(next);
  await expect(page).toHaveURL(/\/dashboard$/);

  await signOut(page);
  await enterPassword(page, email);
  await code.fill(next);
  await expect(page.getByText(USED_CODE), "a code that was used is refused").toBeVisible();
  await button(page, "Use a recovery code").click();
  const [recoveryCode = ""] = recoveryCodes;
  await page.getByLabel("Recovery code").fill(recoveryCode.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
  await load(page, "/security");
  await expect(page.getByText("9 of 10 left")).toBeVisible();

  await signOut(page);
  await enterPassword(page, email);
  await button(page, "Use a recovery code").click();
  await page.getByLabel("Recovery code").fill(recoveryCode);
  await button(page, "Continue").click();
  await expect(page.getByText("This recovery code is not correct, or it was already used.")).toBeVisible();
  await button(page, "Back to sign in").click();
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
});

test("a passkey is added, signs in, confirms, gets another name and is removed", async ({ page }) => {
  await withNamedSite(async (site) => {
    const authenticator = await page.context().newCDPSession(page);
    await authenticator.send("WebAuthn.enable");
    await authenticator.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const email = await verified(page.request, "passkey");
    await page.goto(`${site}/auth`);
    await signIn(page, { email, password: PASSWORD });
    await expect(page).toHaveURL(/\/dashboard$/);

    await load(page, `${site}/security`);
    await button(page, "Add a passkey").click();
    await page.getByLabel("Name of the passkey").fill("Phone");
    await page.keyboard.press("Enter");
    await button(page, "I have saved them").click();
    const row = page.getByRole("list", { name: "Your passkeys" }).getByRole("listitem");
    await expect(row).toContainText("Phone");
    await expect(row).toContainText("Not used yet");

    await signOut(page);
    await signIn(page, { email, password: PASSWORD });
    await expect(button(page, "Use a passkey")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/dashboard$/);

    await load(page, `${site}/security`);
    await expect(row).toContainText("Last used");
    await button(page, "Rename Phone").click();
    await page.getByLabel("Name of the passkey").fill("Work laptop");
    await page.keyboard.press("Enter");
    await expect(row).toContainText("Work laptop");

    await outdateConfirmation(email);
    await button(page, "Remove Work laptop").click();
    await button(page, "Remove").click();
    const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
    await expect(asked.getByRole("button", { name: "Use a passkey", exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: "Your passkeys" })).toBeHidden();

    await signOut(page);
    await signIn(page, { email, password: PASSWORD });
    await expect(page, "the password alone signs in again").toHaveURL(/\/dashboard$/);
  });
});

test("a file that needs a fresh confirmation comes after it, and not without it", async ({ page }) => {
  const email = await newPerson(page, "step-up");
  await outdateConfirmation(email);
  await load(page, "/settings?tab=security");
  const download = button(page, "Download my data");
  await download.click();
  const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(asked.getByLabel("Your password", { exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(asked).toBeHidden();
  await expect(page.getByText("You did not confirm that it is you, so nothing was changed.")).toBeVisible();
  await expect(download, "the focus returns").toBeFocused();

  await download.click();
  await asked.getByLabel("Your password", { exact: true }).fill("Wrong-42-sails");
  await page.keyboard.press("Enter");
  await expect(asked.getByText("Your password is not correct.")).toBeVisible();
  await asked.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(file.suggestedFilename()).toMatch(/\.zip$/);
  await expect(asked).toBeHidden();
  await expect(download).toBeFocused();
});

test("who cancels a confirmation over a dialog finds what was typed there untouched", async ({ page }) => {
  const email = await newPerson(page, "cancel");
  await outdateConfirmation(email);
  await load(page, "/settings?tab=security");
  await button(page, "Delete my account").click();
  const erase = page.getByRole("dialog", { name: "Delete your account?" });
  const phrase = erase.getByLabel(/^Type .* to confirm$/);
  const word = ((await erase.getByText(/^Type .* to confirm$/).textContent()) ?? "").replace(
    /^Type (.*) to confirm$/,
    "$1",
  );
  await phrase.fill(word);
  await erase.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await erase.getByRole("button", { name: "Delete my account" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(asked).toBeHidden();
  await expect(erase.getByText("You did not confirm that it is you, so nothing was changed.")).toBeVisible();
  await expect(phrase).toHaveValue(word);
  await expect(erase.getByLabel("Your password", { exact: true })).toHaveValue(PASSWORD);
});

test("a person sees where they are signed in, and ends a sign-in elsewhere, which lands on /auth", async ({
  page,
  browser,
}) => {
  const email = await newPerson(page, "devices");
  const elsewhere = await browser.newContext();
  try {
    const other = await elsewhere.newPage();
    await enterPassword(other, email);
    await expect(other).toHaveURL(/\/dashboard$/);

    await load(page, "/security");
    const list = page.getByRole("list", { name: "Your sign-ins" }).getByRole("listitem");
    const own = list.filter({ hasText: "This device" });
    await expect(own).toHaveCount(1);
    await expect(own.getByRole("button")).toHaveCount(0);
    const before = await list.count();
    await list
      .filter({ hasNotText: "This device" })
      .first()
      .getByRole("button", { name: /^Sign out/ })
      .click();
    await expect(page.getByText("Signed out.", { exact: true })).toBeVisible();
    await expect(list).toHaveCount(before - 1);
    // The page may be on its own way to /auth, which interrupts this.
    await expect(() => other.goto("/logs")).toPass();
    await expect(other).toHaveURL(/\/auth$/);

    await enterPassword(other, email);
    await expect(other, "back to the page that was asked for").toHaveURL(/\/logs$/);
    await load(page, "/security");
    await button(page, "Sign out all other devices").click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
    await expect(page.getByText(/^Signed out \d+ other devices?\.$/)).toBeVisible();
    await expect(page.getByText("You are signed in on this device alone.")).toBeVisible();
    await expect(() => other.goto("/logs")).toPass();
    await expect(other).toHaveURL(/\/auth$/);
  } finally {
    await elsewhere.close();
  }
});

test("what asks for a second factor is readable in both themes at 1440 and 390 px", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const email = await newPerson(page, "look");
  const look = async (name: string, darkSize: keyof typeof SIZES, andSo?: () => Promise<void>) => {
    await expect(page.locator(".skeleton"), "the content has come").toHaveCount(0);
    await expectSound(page, name, darkSize, andSo);
  };
  await look("security", "phone");
  await button(page, "Set up an authenticator app").click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await look("set-up", "wide");
  const secret = ((await page.getByTestId("totp-secret").textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel(CODE).fill(codeOf(secret));
  await expect(page.getByRole("dialog", { name: "Save your recovery codes" })).toBeVisible();
  const codes = page.getByRole("list", { name: "Recovery codes" });
  await look("recovery-codes", "phone", async () => {
    expect(await codes.evaluate((list) => list.scrollWidth - list.clientWidth), "codes fit").toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: "print" });
    await expect(codes).toBeVisible();
    await expect(page.getByText("Where you are signed in"), "the codes are printed on their own").toBeHidden();
    await expect(button(page, "I have saved them")).toBeHidden();
    await page.emulateMedia({ media: "screen" });
  });
  await button(page, "I have saved them").click();
  await outdateConfirmation(email);
  await button(page, "Remove authenticator app").click();
  await button(page, "Remove").click();
  await expect(page.getByRole("dialog", { name: "Confirm that it is you" }).getByLabel(CODE)).toBeFocused();
  await look("step-up", "wide");
  await page.evaluate(() => localStorage.clear());
  await enterPassword(page, email);
  await expect(page.getByLabel(CODE)).toBeFocused();
  await look("second-step", "phone");
});
