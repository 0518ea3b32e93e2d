import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { anyPort } from "../scripts/state.mjs";
import { run, type Run } from "./run.ts";

/**
 * Browsers make passkeys for names only, and the stack is reached at an IP address: a web server of its own, with the
 * stack's database, is reached by name meanwhile.
 */
export async function withNamedSite(use: (site: string) => Promise<void>): Promise<void> {
  const { internal } = run() as Run & { internal: { env: Record<string, string> } };
  const port = await anyPort();
  const site = `http://localhost:${port}`;
  const env = { ...process.env, ...internal.env, APP_BASE_URL: site, NEXTAUTH_URL: site };
  const web = spawn(process.execPath, ["scripts/web.mjs", String(port), "127.0.0.1"], { env, stdio: "ignore" });
  const isOver = once(web, "exit");
  try {
    const isAlive = () =>
      fetch(`http://127.0.0.1:${port}/api/v1/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isAlive, { message: "the site with a name answers", timeout: 60_000 }).toBe(true);
    await use(site);
  } finally {
    web.kill();
    await isOver;
  }
}

const PERIOD_MS = 30_000;
export const CODE = "Code from your authenticator app";

/** What an authenticator app shows, so many periods from now. */
export const codeOf = (secret: string, periods = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * PERIOD_MS });

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Sets up an authenticator app on the page; answers its secret and the recovery codes. */
export async function setUpApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await button(page, "Set up an authenticator app").click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const secret = ((await page.getByTestId("totp-secret").textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel(CODE).fill(codeOf(secret));
  const dialog = page.getByRole("dialog", { name: "Save your recovery codes" });
  await expect(dialog).toBeVisible();
  const recoveryCodes = await dialog.getByRole("listitem").allTextContents();
  await page.keyboard.press("Escape");
  await expect(dialog, "only the button closes what is shown once").toBeVisible();
  await button(page, "I have saved them").click();
  await expect(dialog).toBeHidden();
  return { secret, recoveryCodes };
}
