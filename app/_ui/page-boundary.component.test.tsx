import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { says } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { UsersScreen } from "../(admin)/admin/users/users-screen.tsx";

type Users = Answer<typeof adminUsersApi.list>;
const { id, email, firstName, lastName, role, createdAt } = ADMIN;
const USERS: Users = {
  users: [{ id, email, firstName, lastName, role, createdAt, accountCount: 0, isDisabled: false }],
  pagination: { nextCursor: null, limit: 50, total: 1 },
};
/** As an older or newer server may answer: a row that the contract promises is absent. */
const BROKEN = { users: [null], pagination: USERS.pagination } as unknown as Users;

const SENTENCE = "This page could not be shown";
const show = () => showPage("/admin/users", ADMIN, <UsersScreen />);
const retry = () => page.getByRole("button", { name: "Retry" });

// React logs what a boundary caught.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

test("a page that cannot be drawn keeps the navigation, says so, and is drawn once its answer is whole", async () => {
  answer(adminUsersApi.list, BROKEN);
  show();
  await says(SENTENCE).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Dashboard", exact: true }).first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Logout" })).toBeVisible();
  answer(adminUsersApi.list, USERS);
  await retry().click();
  await expect.element(page.getByRole("table")).toBeVisible();
  await says(SENTENCE).not.toBeInTheDocument();
});

test("another address of the page is drawn without a press", async () => {
  answer(adminUsersApi.list, ({ search }) => (search === undefined ? BROKEN : USERS));
  show();
  await says(SENTENCE).toBeVisible();
  window.history.pushState(null, "", "/admin/users?q=ada");
  await expect.element(page.getByRole("table")).toBeVisible();
  await says(SENTENCE).not.toBeInTheDocument();
});
