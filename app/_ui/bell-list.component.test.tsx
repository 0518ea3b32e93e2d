import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";

test("Retry below the bell marks as read what was not, and its message goes", async () => {
  const at = "2026-11-21T08:12:00.000Z";
  const note = { id: "0192f0c1-0000-7000-8000-000000000001", at, marketAt: null, title: "A notice", text: "" };
  answer(notificationsApi.list, {
    notifications: [{ ...note, kind: "SYSTEM", link: null, environment: null, isRead: false }],
    unreadCount: 1,
    pagination: { nextCursor: null, limit: 20 },
  });
  answer(notificationsApi.read, refusal(503, "Try again."));
  showPage("/dashboard", TRADER, <p>A page</p>);
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await page.getByRole("button", { name: "Mark all read" }).click();
  await says("Failed to mark as read").toBeVisible();
  const sent = answer(notificationsApi.read, { unreadCount: 0 });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("Failed to mark as read")).not.toBeInTheDocument();
  expect(sent).toEqual([{ all: true, until: at }]);
});
