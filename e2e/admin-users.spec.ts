import { expect, type Page } from "@playwright/test";
import { colourName } from "./colour.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, tokenOf, verified } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

const says = (page: Page, text: string) => page.getByText(text, { exact: true });

test("the list of users: columns, roles in their colours, search, and the specified words when there is nothing", async ({
  page,
  request,
}) => {
  const email = await verified(request, "listed");
  await signInAs(page, run().demo.admin);
  await load(page, "/admin/users");
  await expect(page.getByRole("heading", { level: 1, name: "Users" })).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveText(["Name", "Email", "Role", "Accounts", "Created"]);
  await page.getByLabel("Search").fill(email);
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  await expect(row).toContainText("Pat Person");
  await expect(row.getByRole("cell").last()).toContainText(/ET$/);
  await expect(page).toHaveURL(/\?q=listed-/);
  expect(await colourName(row.getByText("User", { exact: true }))).toBe("blue");
  await page.getByLabel("Search").fill(run().demo.admin.email);
  const admin = page.getByRole("row").filter({ hasText: run().demo.admin.email });
  expect(await colourName(admin.getByText("Admin", { exact: true }))).toBe("red");

  await page.getByLabel("Search").fill("nobody-is-called-this");
  await expect(says(page, "No users found")).toBeVisible();
});

test("a user is disabled by a typed word: the sign-in ends at once, and enabling lets them in anew", async ({
  page,
  request,
}) => {
  const email = await verified(request, "disabled");
  const token = await tokenOf(request, { email, password: PASSWORD });
  const me = async () =>
    (await request.get("/api/v1/auth/me", { headers: { authorization: `Bearer ${token}` } })).status();
  expect(await me()).toBe(200);
  await signInAs(page, run().demo.admin);
  await load(page, `/admin/users?q=${encodeURIComponent(email)}`);
  await page.getByRole("link", { name: "Pat Person" }).click();
  await expect(says(page, email).first()).toBeVisible();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const act = dialog.getByRole("button", { name: "Disable user" });
  await dialog.getByLabel("Type DISABLE to confirm").fill("DISABLE");
  await expect(act, "a reason is needed").toHaveAttribute("aria-disabled", "true");
  await dialog.getByLabel("Reason").fill("Reported stolen");
  await act.click();
  await expect(says(page, "This user is disabled")).toBeVisible();
  expect(await me()).toBe(401);
  expect((await request.post("/api/v1/auth/login", { data: { email, password: PASSWORD } })).status()).toBe(401);

  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await dialog.getByLabel("Reason").fill("Found again");
  await dialog.getByRole("button", { name: "Enable user" }).click();
  await expect(says(page, "This user is disabled")).toHaveCount(0);
  expect(await me(), "old sign-ins stay ended").toBe(401);
  expect((await request.post("/api/v1/auth/login", { data: { email, password: PASSWORD } })).status()).toBe(200);
});

test("an administrator cannot disable themself or take their own role away", async ({ page }) => {
  const { email } = run().demo.admin;
  await signInAs(page, run().demo.admin);
  await load(page, `/admin/users?q=${encodeURIComponent(email)}`);
  await page.getByRole("row").filter({ hasText: email }).getByRole("link").click();
  await expect(page.getByRole("button", { name: "End all sign-ins" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Disable", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Take the administrator's role away" })).toHaveCount(0);
});
