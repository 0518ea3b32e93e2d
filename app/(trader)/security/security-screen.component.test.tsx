import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { accessTokensApi } from "@/lib/contracts/access-tokens.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { answer, refusal, unreachable } from "@/lib/proof/screen/answers.ts";
import { says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { SecurityScreen } from "./security-screen.tsx";

type State = Answer<typeof securityApi.read>;

const AT = "2026-03-02T15:00:00.000Z";
const NO_FACTOR: State = {
  totp: null,
  passkeys: [],
  recoveryCodesLeft: 0,
  isRequired: false,
  arePasskeysPossible: true,
  stepUpMethods: ["password"],
  confirmedUntil: AT,
};
const WITH_APP: State = { ...NO_FACTOR, totp: { confirmedAt: AT }, recoveryCodesLeft: 10 };
const PHONE = { id: "0192f0c1-0000-7000-8000-000000000011", name: "Phone", createdAt: AT, lastUsedAt: null };

const TOKEN: Answer<typeof accessTokensApi.list>[number] = {
  id: "0192f0c1-0000-7000-8000-000000000021",
  name: "Spreadsheet",
  scope: "READ",
  lastFour: "cret",
  createdAt: AT,
  expiresAt: "2026-06-02T15:00:00.000Z",
  lastUsedAt: null,
};

const UNSEEN = "Its recovery codes are shown only once. If you have not saved them, make new ones below.";

const show = () => showPage("/security", TRADER, <SecurityScreen />);
const button = (name: string) => page.getByRole("button", { name, exact: true });

beforeEach(() => {
  answer(securityApi.read, NO_FACTOR);
  answer(securityApi.signIns, []);
  answer(accessTokensApi.list, []);
  answer(securityApi.startTotp, {
    secret: "JBSWY3DPEHPK3PXP",
    uri: "otpauth://totp/Tradewind:t?secret=JBSWY3DPEHPK3PXP",
  });
});

async function enterCode(digits: string): Promise<void> {
  await page.getByLabelText("Code from your authenticator app").fill(digits);
}

test("an authenticator app whose confirmation got no answer is found set up, and leads to new recovery codes", async () => {
  show();
  await button("Set up an authenticator app").click();
  answer(securityApi.confirmTotp, () => {
    answer(securityApi.read, WITH_APP);
    return unreachable();
  });
  await enterCode("123456");
  await says("The authenticator app is set up").toBeVisible();
  await says(UNSEEN).toBeVisible();
  await expect.element(page.getByLabelText("Code from your authenticator app")).not.toBeInTheDocument();
  await expect.poll(() => document.activeElement?.textContent).toContain(UNSEEN);
  await expect.element(button("Make new recovery codes")).toBeVisible();
});

test("a code that is refused leaves the form of an authenticator app that is not set up", async () => {
  show();
  await button("Set up an authenticator app").click();
  const message = "This code is not correct. Enter the one that your app shows now.";
  answer(securityApi.confirmTotp, refusal(400, message, "invalid_input", [{ path: "code", message }]));
  await enterCode("123456");
  await says(message).toBeVisible();
  await expect.element(page.getByLabelText("Code from your authenticator app")).toHaveFocus();
  await expect.element(page.getByText("The authenticator app is set up")).not.toBeInTheDocument();
});

test("beside a passkey, an authenticator app that is found set up brought no recovery codes", async () => {
  answer(securityApi.read, { ...NO_FACTOR, passkeys: [PHONE], recoveryCodesLeft: 10 });
  show();
  await button("Set up an authenticator app").click();
  answer(securityApi.confirmTotp, () => {
    answer(securityApi.read, { ...WITH_APP, passkeys: [PHONE] });
    return refusal(409, "The authenticator app is set up already.", "conflict");
  });
  await enterCode("123456");
  await says("The authenticator app is set up").toBeVisible();
  await expect.element(page.getByText(UNSEEN)).not.toBeInTheDocument();
});

test("a passkey whose addition got no answer is found added, and leads to new recovery codes", async () => {
  show();
  await button("Add a passkey").click();
  await page.getByLabelText("Name of the passkey").fill("Phone");
  answer(securityApi.newPasskeyOptions, () => {
    answer(securityApi.read, { ...NO_FACTOR, passkeys: [PHONE], recoveryCodesLeft: 10 });
    return unreachable();
  });
  await button("Add passkey").click();
  await says("The passkey “Phone” is added").toBeVisible();
  await says(UNSEEN).toBeVisible();
  await expect.element(page.getByLabelText("Name of the passkey")).not.toBeInTheDocument();
});

/** A way out of the page, which the dialog covers. */
const leave = () => document.querySelector<HTMLAnchorElement>('a[href="/dashboard"]')?.click();

async function makeToken(): Promise<void> {
  await button("Make an access token").click();
  await page.getByLabelText("Name of the access token").fill("Spreadsheet");
  answer(accessTokensApi.make, { accessToken: TOKEN, secret: "twp_secret" });
  await button("Make access token").click();
  await expect.element(page.getByRole("heading", { name: "Copy your access token" })).toBeVisible();
}

test("who leaves a new token is told what is lost, which is no change", async () => {
  show();
  await makeToken();
  leave();
  const asked = page.getByRole("dialog", { name: "Leave without copying it?" });
  await expect.element(asked).toBeVisible();
  await says("The token stays valid and is not shown again.").toBeVisible();
  await button("Stay").click();
  await expect.element(page.getByRole("heading", { name: "Copy your access token" })).toBeVisible();
});

test("who leaves new recovery codes is told what is lost, which is no change", async () => {
  answer(securityApi.read, WITH_APP);
  answer(securityApi.renewRecoveryCodes, { recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] });
  show();
  await button("Make new recovery codes").click();
  await button("Make new codes").click();
  await expect.element(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  leave();
  await expect.element(page.getByRole("dialog", { name: "Leave without saving them?" })).toBeVisible();
  await says("The recovery codes stay valid and are not shown again.").toBeVisible();
});

const focused = () => expect.poll(() => document.activeElement?.textContent);

/** As who uses the keyboard does. */
async function press(name: string): Promise<void> {
  (button(name).element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
}

test("after a token was made and copied, the keyboard goes on at its card", async () => {
  show();
  await makeToken();
  await press("I have saved it");
  await focused().toBe("Access tokens");
});

test("after a token was revoked, the keyboard goes on at its card", async () => {
  answer(accessTokensApi.list, [TOKEN]);
  show();
  await expect.element(button("Revoke Spreadsheet")).toBeVisible();
  await press("Revoke Spreadsheet");
  answer(accessTokensApi.revoke, () => {
    answer(accessTokensApi.list, []);
    return { message: "Revoked." };
  });
  await expect.element(button("Revoke")).toBeVisible();
  await press("Revoke");
  await expect.element(page.getByRole("list", { name: "Your access tokens" })).not.toBeInTheDocument();
  await focused().toBe("Access tokens");
});

test("after the first codes were saved and after the app was removed, the keyboard goes on at the card of the app", async () => {
  show();
  await button("Set up an authenticator app").click();
  answer(securityApi.confirmTotp, () => {
    answer(securityApi.read, WITH_APP);
    return { recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] };
  });
  await enterCode("123456");
  await expect.element(button("I have saved them")).toBeVisible();
  await press("I have saved them");
  await focused().toBe("Authenticator app");

  await press("Remove authenticator app");
  answer(securityApi.removeTotp, () => {
    answer(securityApi.read, NO_FACTOR);
    return { message: "Removed." };
  });
  await expect.element(button("Remove")).toBeVisible();
  await press("Remove");
  await expect.element(button("Set up an authenticator app")).toBeVisible();
  await focused().toBe("Authenticator app");
});

test("after another device was signed out, the keyboard goes on at the list", async () => {
  const signIn = { device: "Firefox on Linux", ipAddress: null, createdAt: AT, lastSeenAt: AT, expiresAt: AT };
  const [here, there] = [
    { ...signIn, id: "0192f0c1-0000-7000-8000-000000000031", device: "Chrome on macOS", isThisOne: true },
    { ...signIn, id: "0192f0c1-0000-7000-8000-000000000032", isThisOne: false },
  ];
  answer(securityApi.signIns, [here, there]);
  show();
  await expect.element(button("Sign out Firefox on Linux")).toBeVisible();
  answer(securityApi.endSignIn, () => {
    answer(securityApi.signIns, [here]);
    return { ended: 1 };
  });
  await press("Sign out Firefox on Linux");
  await says("Signed out.").toBeVisible();
  await expect.element(page.getByRole("list", { name: "Your sign-ins" })).toHaveFocus();
});
