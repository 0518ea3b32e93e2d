import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { answer, SILENT } from "@/lib/proof/screen/answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { UsersScreen } from "./users-screen.tsx";

const { id, email, firstName, lastName, role, createdAt } = ADMIN;
const USERS: Answer<typeof adminUsersApi.list> = {
  users: [{ id, email, firstName, lastName, role, createdAt, accountCount: 0, isDisabled: false }],
  pagination: { nextCursor: null, limit: 50, total: 1 },
};

const show = () => showPage("/admin/users", ADMIN, <UsersScreen />);
const table = () => expect.element(page.getByRole("table"));

test("while users are loading it is said for everyone to see", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  answer(adminUsersApi.list, () => held.then(() => USERS));
  show();
  const said = page.getByText("Loading users...", { exact: true });
  await expect.element(said).toBeVisible();
  // What is for screen readers alone has a size, too: that of one pixel.
  expect(said.element().getBoundingClientRect().height).toBeGreaterThan(10);
  await table().not.toBeInTheDocument();
  release();
  await table().toBeVisible();
});

for (const [what, reply] of Object.entries(SILENT))
  test(`users that cannot be read for ${what} are reported in the specified words, and Retry reads them`, async () => {
    answer(adminUsersApi.list, reply);
    show();
    await expect.element(page.getByRole("alert").getByText("Failed to load users", { exact: true })).toBeVisible();
    answer(adminUsersApi.list, USERS);
    await page.getByRole("button", { name: "Retry" }).click();
    await table().toBeVisible();
  });
