import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { rowsOf } from "./books.ts";
import { control } from "./exchange.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, tokenOf, verified } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

/** Accounts are followed each minute, and the console asks every ten seconds. */
const NOTICED = { timeout: 120_000 };

interface Account {
  id: string;
  haltReason: string | null;
  reconciledAt: string | null;
  stop: { state: string; source: string; text: string } | null;
}

/** The person's only account as they see it. */
async function accountOf(request: APIRequestContext, token: string): Promise<Account> {
  const answer = await request.get("/api/v1/accounts", { headers: { authorization: `Bearer ${token}` } });
  const [account] = ((await answer.json()) as { data: Account[] }).data;
  if (!account) throw new Error("the person has no account");
  return account;
}

const auditsOf = async (email: string) =>
  (
    await rowsOf<{ eventType: string; count: string }>(
      `select x."eventType", count(*)::text as "count" from "AuditEvent" x join "User" u on u.id = x."subjectUserId"
       where u.email = $1 and x."actorUserId" <> u.id and x."eventType" in ('USER_KILL_STATE_SET', 'ACCOUNT_RESUMED')
       group by 1 order by 1`,
      [email],
    )
  ).map(({ eventType, count }) => `${eventType} ${count}`);

async function resume(page: Page, reason: string): Promise<void> {
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Resume account" }).click();
}

test("an emergency is handled from the console alone: the broker errs, the account halts, is stopped, and goes on once the cause is gone", async ({
  page,
  request,
}) => {
  test.setTimeout(360_000);
  const email = await verified(request, "emergency");
  const token = await tokenOf(request, { email, password: PASSWORD });
  const headers = { authorization: `Bearer ${token}` };
  expect((await request.post("/api/v1/accounts/practice", { headers, data: {} })).status()).toBe(200);
  await expect.poll(async () => (await accountOf(request, token)).reconciledAt, NOTICED).not.toBeNull();
  const { id } = await accountOf(request, token);
  const [row] = await rowsOf<{ account: string }>(
    `select "brokerAccountId" as "account" from "Account" where id = $1::uuid`,
    [id],
  );
  const fault = await control("POST", "/faults", { kind: "account_blocked", account: row?.account });
  try {
    await signInAs(page, run().demo.admin);
    await load(page, "/admin/operations");
    const halted = page.getByRole("list", { name: "Halted accounts" }).getByRole("listitem").filter({ hasText: email });
    await expect(halted).toContainText("The broker blocked trading for this account.", NOTICED);

    await halted.getByRole("link", { name: email }).click();
    await expect(page).toHaveURL(/\/admin\/users\/[0-9a-f-]{36}$/);
    await page.getByRole("button", { name: "Stop all accounts" }).click();
    const dialog = page.getByRole("dialog");
    const stop = dialog.getByRole("button", { name: "Stop now" });
    await dialog.getByLabel("Reason").fill("The broker blocks trading");
    await expect(stop, "the word comes first").toHaveAttribute("aria-disabled", "true");
    await dialog.getByLabel("Type STOP to confirm").fill("STOP");
    await stop.click();
    await expect(page.getByText("Kill switch of all accounts: no new entries", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Kill switch: \d+ in force$/ })).toBeVisible({ timeout: 30_000 });
    expect(await accountOf(request, token)).toMatchObject({
      haltReason: "The broker blocked trading for this account.",
      stop: { state: "NO_NEW_ENTRIES", source: "ADMIN" },
    });

    await resume(page, "Trying");
    await expect(page.getByText("The broker still blocks trading for this account.")).toBeVisible({ timeout: 60_000 });
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  } finally {
    await control("DELETE", `/faults/${fault.id ?? ""}`);
  }

  await resume(page, "The broker trades again");
  await expect(page.getByText("The account is resumed.", { exact: true })).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Change the stop" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("The cause is gone");
  await dialog.getByLabel("Type RESUME to confirm").fill("RESUME");
  await dialog.getByRole("button", { name: "Resume trading" }).click();
  await expect(page.getByText("Automation is neither paused nor stopped for this user.")).toBeVisible();
  expect(await accountOf(request, token)).toMatchObject({ haltReason: null, stop: null });
  expect(await auditsOf(email)).toEqual(["ACCOUNT_RESUMED 1", "USER_KILL_STATE_SET 2"]);
  await request.delete(`/api/v1/accounts/${id}`, { headers });
});
