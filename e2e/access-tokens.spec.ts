import { expect } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, verified } from "./people.ts";
import { test } from "./test.ts";

test("a token that may read is made, shown once, reads and does no more, and is refused once it is revoked", async ({
  page,
  playwright,
  baseURL,
}) => {
  const email = await verified(page.request, "programs");
  await signInAs(page, { email, password: PASSWORD });
  await load(page, "/security");
  await page.getByRole("button", { name: "Make an access token" }).click();
  await page.getByLabel("Name of the access token").fill("Spreadsheet");
  await expectAccessible(page, "the form of an access token");
  await page.getByRole("button", { name: "Make access token" }).click();
  const shown = page.getByRole("dialog", { name: "Copy your access token" });
  const token = await shown.getByLabel("Access token").inputValue();
  expect(token).toMatch(/^twp_[\w-]{43}$/);
  await page.keyboard.press("Escape");
  await expect(shown, "nothing but the button closes what is shown once").toBeVisible();
  await expectAccessible(page, "the dialog of a new access token");
  await shown.getByRole("button", { name: "I have saved it" }).click();
  const row = page.getByRole("list", { name: "Your access tokens" }).getByRole("listitem");
  await expect(row).toContainText(`twp_…${token.slice(-4)}`);
  expect(await page.content()).not.toContain(token);
  const kept = `select t::text "row" from "AccessToken" t join "User" u on u.id = t."userId" where u.email = $1`;
  expect((await rowsOf<{ row: string }>(kept, [email])).map((each) => each.row.includes(token))).toEqual([false]);

  // A program: no cookie, no storage, the token alone.
  const program = await playwright.request.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  const statusOf = async (method: "GET" | "POST" | "DELETE", path: string, data?: object) =>
    (await program.fetch(`/api/v1${path}`, { method, ...(data && { data }) })).status();
  expect(await statusOf("GET", "/portfolio/summary")).toBe(200);
  expect(await statusOf("POST", "/automation/pause", {})).toBe(403);
  expect(await statusOf("GET", "/auth/access-tokens")).toBe(403);
  expect(await statusOf("GET", "/admin/users")).toBe(403);

  await load(page, "/security");
  await expect(row).toContainText("Last used");
  await row.getByRole("button", { name: "Revoke Spreadsheet" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row).toHaveCount(0);
  expect(await statusOf("GET", "/portfolio/summary")).toBe(401);
  await program.dispose();
});
