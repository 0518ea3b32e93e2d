import { expect } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { load, signInAs } from "./page-watch.ts";
import { PASSWORD, verified } from "./people.ts";
import { test } from "./test.ts";

const accountsOf = (email: string) =>
  rowsOf<{ id: string; isDeleted: boolean }>(
    `select a.id, a."deletedAt" is not null "isDeleted" from "Account" a join "User" u on u.id = a."userId"
     where u.email = $1 order by a."createdAt"`,
    [email],
  );

test("a practice account is begun again: the old one is deleted, a fresh one takes its place, and another's is left alone", async ({
  page,
}) => {
  const email = await verified(page.request, "again");
  await signInAs(page, { email, password: PASSWORD });
  await load(page, "/alpaca-keys");
  await page.getByRole("button", { name: "Start on the practice market" }).click();
  const own = page.getByRole("region", { name: "Alpaca Trading Accounts" });
  const again = own.getByRole("button", { name: /^Start again/ });
  await expect(again).toBeVisible();
  const [first] = await accountsOf(email);
  const untouched = await rowsOf(`select id from "Account" where "deletedAt" is not null`, []);

  await again.click();
  const dialog = page.getByRole("dialog", { name: "Start again on the practice market" });
  await expectAccessible(page, "the dialog of the fresh account");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await accountsOf(email)).toEqual([first]);

  await again.click();
  await dialog.getByRole("button", { name: "Start again" }).click();
  await expect(page.getByText("A fresh practice account was opened.", { exact: false })).toBeVisible();
  await expect(again).toHaveCount(1);
  const [old, fresh] = await accountsOf(email);
  expect([old, fresh].map((one) => one?.isDeleted)).toEqual([true, false]);
  expect(old?.id).toBe(first?.id);
  const gone = await rowsOf(`select id from "Account" where "deletedAt" is not null and id <> $1`, [first?.id ?? ""]);
  expect(gone).toEqual(expect.arrayContaining(untouched));
});
