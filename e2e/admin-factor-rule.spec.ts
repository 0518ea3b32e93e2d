import { expect, type Page } from "@playwright/test";
import { rowsOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, verified } from "./people.ts";
import { setUpApp } from "./second-factor.ts";
import { test } from "./test.ts";

/** An administrator of the test's own, signed in. */
async function newAdministrator(page: Page, who: string): Promise<void> {
  const email = await verified(page.request, who);
  await rowsOf(`update "User" set "role" = 'ADMIN' where "email" = $1`, [email]);
  await signInAs(page, { email, password: PASSWORD });
}

const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem("auth_token"));

async function call(page: Page, method: "get" | "post" | "patch", path: string, data?: object) {
  const headers = { authorization: `Bearer ${await tokenIn(page)}` };
  const answer = await page.request[method](`/api/v1/admin/policy${path}`, { headers, ...(data && { data }) });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

/** The rule closes the console to every administrator without a factor: no journey runs beside this one (playwright.config.ts). */
test("an administrator without a factor has no console while the rule is in force, sets one up and has it", async ({
  page,
  browser,
}) => {
  await newAdministrator(page, "rule-keeper");
  await load(page, "/security");
  await setUpApp(page);
  const before = String((await call(page, "get", "")).version);
  const { version } = await call(page, "post", "/versions", { from: before, note: "Administrators need a factor" });
  const fields = { "orders_execution.require_admin_second_factor": 1 };
  const { revision } = await call(page, "patch", `/versions/${String(version)}`, { revision: 1, fields });
  const { id } = await call(page, "post", `/versions/${String(version)}/what-if`, { revision, cycles: 1 });
  const isTried = async () => (await call(page, "get", `/what-ifs/${String(id)}`)).status;
  await expect.poll(isTried, { timeout: 60_000 }).toBe("DONE");
  await call(page, "post", `/versions/${String(version)}/activate`, { revision, replaces: before, confirm: version });
  const elsewhere = await browser.newContext();
  try {
    const other = await elsewhere.newPage();
    await newAdministrator(other, "rule-reader");
    const refused = await other.request.get("/api/v1/admin/policy", {
      headers: { authorization: `Bearer ${await tokenIn(other)}` },
    });
    expect(refused.status()).toBe(403);
    expect(await refused.json()).toMatchObject({ code: "second_factor_required_of_admin", data: null });
    await other.goto("/admin");
    await other.getByRole("link", { name: "Set up a second factor" }).click();
    await expect(other).toHaveURL(/\/security$/);
    await expect(other.getByText("Administrators must have a second factor")).toHaveCount(1);
    await setUpApp(other);
    await load(other, "/admin?tab=policy");
    await expect(other.getByText(`Policy ${String(version)}`, { exact: true })).toBeVisible();
  } finally {
    await elsewhere.close();
    const { revision: own } = await call(page, "get", `/versions/${before}`);
    await call(page, "post", `/versions/${before}/activate`, { revision: own, replaces: version, confirm: before });
  }
});
