import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { colourOf } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { UserScreen, type User } from "./user-screen.tsx";

const OTHER = { ...ADMIN, id: "0192f0c1-0000-7000-8000-000000000009", email: "other@tradewind.test" };
const WAITS_UNTIL = "2026-11-23T15:00:00.000Z";

function isStored(change: Partial<User> = {}): void {
  const { id, email, firstName, lastName, role, createdAt } = OTHER;
  answer(adminUsersApi.read, {
    ...{ id, email, firstName, lastName, role, createdAt, accountCount: 0, isVerified: true },
    ...{ isDisabled: false, disabledAt: null, pendingChange: null, isTwoPerson: false },
    kill: { state: "NONE", reason: null, since: null },
    pause: { since: null, reason: null },
    ...{ accounts: [], decisions: [], orders: [], halts: [], signIns: [] },
    ...change,
  });
}

function show(change: Partial<User> = {}): void {
  isStored(change);
  showPage(`/admin/users/${OTHER.id}`, ADMIN, <UserScreen id={OTHER.id} />);
}
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const reason = "Reported stolen";

test("an administrator who is disabled by one of two is said to wait for the second", async () => {
  show();
  const sent = answer(adminUsersApi.disable, { isChanged: false, waitsUntil: WAITS_UNTIL });
  await press("Disable");
  await page.getByLabelText("Type DISABLE to confirm").fill("DISABLE");
  await page.getByLabelText("Reason").fill(reason);
  await press("Disable user");
  await expect.element(page.getByText(/^A second administrator has to confirm before .* ET/)).toBeVisible();
  await expect.element(page.getByText("The user is disabled.")).not.toBeInTheDocument();
  expect(sent).toEqual([{ id: OTHER.id, reason }]);
});

test("an administrator who is enabled again is said to be", async () => {
  show({ isDisabled: true, disabledAt: WAITS_UNTIL });
  answer(adminUsersApi.enable, { isChanged: true, waitsUntil: null });
  await press("Enable");
  await page.getByLabelText("Reason").fill(reason);
  await press("Enable user");
  await expect.element(page.getByText("The user is enabled again.")).toBeVisible();
});

test("what another administrator did before is not said to be done", async () => {
  const unchanged = { isChanged: false, waitsUntil: null };
  show();
  answer(adminUsersApi.disable, unchanged);
  await press("Disable");
  await page.getByLabelText("Type DISABLE to confirm").fill("DISABLE");
  await page.getByLabelText("Reason").fill(reason);
  await press("Disable user");
  await expect.element(page.getByText("Nothing was changed: the user was disabled already.")).toBeVisible();

  show({ isDisabled: true, disabledAt: WAITS_UNTIL });
  answer(adminUsersApi.enable, unchanged);
  await press("Enable");
  await page.getByLabelText("Reason").fill(reason);
  await press("Enable user");
  await expect.element(page.getByText("Nothing was changed: the user was enabled already.")).toBeVisible();

  show({ role: "USER" });
  answer(adminUsersApi.setRole, { role: "ADMIN", ...unchanged });
  await press("Make administrator");
  await page.getByLabelText("Type ADMIN to confirm").fill("ADMIN");
  await page.getByLabelText("Reason").fill(reason);
  await page.getByRole("dialog").getByRole("button", { name: "Make administrator" }).click();
  await expect.element(page.getByText("Nothing was changed: the user had this role already.")).toBeVisible();
});

test("a dialog to make an administrator stays that while another administrator does it", async () => {
  show({ role: "USER" });
  await press("Make administrator");
  await page.getByLabelText("Type ADMIN to confirm").fill("ADMIN");
  isStored({ role: "ADMIN" });
  await expect
    .poll(() => {
      window.dispatchEvent(new Event("visibilitychange"));
      return page.getByText("Take the administrator's role away").query();
    })
    .not.toBeNull();
  const dialog = page.getByRole("dialog", { name: `Make ${OTHER.email} an administrator` });
  await expect.element(dialog.getByLabelText("Type ADMIN to confirm")).toHaveValue("ADMIN");
});

test.each([
  ["role", "A second administrator has to confirm another role"],
  ["disable", "A second administrator has to confirm that they are disabled"],
  ["enable", "A second administrator has to confirm that they are enabled again"],
] as const)("a pending change (%s) says what a second administrator has to confirm", async (change, text) => {
  show({ pendingChange: { change, requestedBy: ADMIN.email, expiresAt: WAITS_UNTIL } });
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});

test("where the policy asks for two administrators, each dialog says that nothing changes before the second one confirms", async () => {
  const sentence = page.getByText(/nothing changes until the second one confirms/);
  show({ role: "ADMIN", isTwoPerson: true });
  for (const name of ["Disable", "Take the administrator's role away"]) {
    await press(name);
    await expect.element(sentence).toBeVisible();
    await press("Cancel");
  }
  show({ role: "USER", isTwoPerson: true });
  await press("Disable");
  await expect.element(page.getByRole("dialog")).toBeVisible();
  expect(sentence.query()).toBeNull();
});

test("decisions and orders read as on the pages of their own: the time once, a filled order in green", async () => {
  const id = "01a00000-0000-7000-8000-000000000001";
  const order = { id, symbol: "HD", side: "BUY", qty: "29", filledQty: "29", environment: "PRACTICE" } as const;
  const at = "2020-02-18T15:05:00.000Z";
  show({
    decisions: [
      {
        ...{ id, accountId: id, decidedAt: at },
        line: "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 7 regime",
      },
    ],
    orders: [
      { ...order, status: "FILLED", at },
      { ...order, id: `${id.slice(0, -1)}2`, status: "PARTIALLY_FILLED", at },
    ],
  });
  const decisions = page.getByRole("region", { name: "Last decisions" });
  await expect
    .element(decisions)
    .toHaveTextContent("Looked at 503 stocks: 50 in the Top-50, 7 would buy, none ordered.");
  expect(decisions.element().textContent.match(/10:05/g)).toHaveLength(1);
  const orders = page.getByRole("region", { name: "Last orders" });
  expect(await colourOf(orders.getByText("Filled", { exact: true }))).toBe("green");
  expect(await colourOf(orders.getByText("Pending", { exact: true }))).toBe("yellow");
});

test("closing an account says what becomes of its keys: they stay while shares are left behind, and are erased otherwise", async () => {
  const account: User["accounts"][number] = {
    ...{ id: OTHER.id, name: "Main", environment: "PAPER", status: "ACTIVE", haltReason: null, haltedAt: null },
    ...{ killState: "NONE", killReason: null, isClosing: false, equity: null, equityAsOf: null },
    ...{ positions: 2, reconciledAt: null },
  };
  show({ accounts: [account] });
  await press("Close account");
  const dialog = page.getByRole("dialog");
  await expect.element(dialog).toHaveTextContent(/stays here, encrypted and used for reading only, .* 90 days at most/);
  await dialog.getByRole("switch").click();
  await expect.element(dialog).toHaveTextContent("is erased here.");
});

test("ending all sign-ins says that access tokens are revoked, too", async () => {
  show();
  await press("End all sign-ins");
  await expect.element(page.getByRole("dialog")).toHaveTextContent("Their access tokens are revoked as well");
});
