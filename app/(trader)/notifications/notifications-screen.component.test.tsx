import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { says, textsOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { NotificationsScreen } from "./notifications-screen.tsx";

type Notification = Answer<typeof notificationsApi.list>["notifications"][number];
const noteOf = (nth: number, marketAt: string | null = null): Notification => ({
  id: `0192f0c1-0000-7000-8000-${String(nth).padStart(12, "0")}`,
  at: new Date(Date.UTC(2026, 10, 20, 15) - nth * 60_000).toISOString(),
  marketAt,
  kind: "SYSTEM",
  title: `Title ${nth}`,
  text: "text",
  link: null,
  environment: null,
  isRead: false,
});
const show = () => showPage("/notifications", TRADER, <NotificationsScreen />);
const button = (name: string) => page.getByRole("button", { name, exact: true });

test("a notification is shown once, though the days of two markets alternate", async () => {
  let notifications = [
    noteOf(1, "2018-02-05T15:00:00.000Z"),
    noteOf(2),
    noteOf(3, "2018-02-05T14:58:00.000Z"),
    noteOf(4),
  ];
  answer(notificationsApi.list, () => ({ notifications, unreadCount: 1, pagination: { nextCursor: null, limit: 50 } }));
  answer(notificationsApi.read, () => {
    notifications = [noteOf(0), ...notifications];
    return { unreadCount: 1 };
  });
  show();
  await button("Mark all read").click();
  await says("Title 0").toBeVisible();
  await textsOf("main h2").toEqual([
    "Fri 20 Nov 2026",
    "Mon 5 Feb 2018",
    "Fri 20 Nov 2026",
    "Mon 5 Feb 2018",
    "Fri 20 Nov 2026",
  ]);
  const titles = [...document.querySelectorAll("main li")].map(({ textContent }) => /Title \d/.exec(textContent)?.[0]);
  expect(titles).toEqual(["Title 0", "Title 1", "Title 2", "Title 3", "Title 4"]);
});

test("a second press on Older while the page is on its way skips none", async () => {
  let give = () => {};
  const late = new Promise<void>((resolve) => {
    give = resolve;
  });
  const sent = answer(notificationsApi.list, async ({ cursor }) => {
    if (cursor !== undefined) await late;
    const place = cursor === undefined ? 0 : Number(cursor);
    return {
      notifications: Array.from({ length: 50 }, (_, nth) => noteOf(place * 50 + nth)),
      unreadCount: 0,
      pagination: { nextCursor: String(place + 1), limit: 50 },
    };
  });
  show();
  await says("1–50").toBeVisible();
  const older = await button("Older").findElement();
  (older as HTMLElement).click();
  await expect.poll(() => sent.at(-1)?.cursor).toBe("1");
  (older as HTMLElement).click();
  // The rows of the first page are still there: under their own numbers, and marked.
  await expect.element(page.getByText("Title 49").first()).toBeVisible();
  await says("1–50").toBeVisible();
  await expect.element(button("Older")).toHaveAttribute("aria-disabled", "true");
  expect(document.querySelector("main [aria-busy=true]")?.textContent).toContain("Title 49");
  give();
  await says("Title 50").toBeVisible();
  await says("51–100").toBeVisible();
  expect(document.querySelector("main [aria-busy=true]")).toBeNull();
});

test("Mark all read on a later page marks up to the newest that the first page showed, of the kind that is shown", async () => {
  const offsets: Record<string, number> = { "": 0, SYSTEM: 100 };
  answer(notificationsApi.list, ({ cursor, kind }) => ({
    notifications: [noteOf(offsets[kind ?? ""]! + (cursor === undefined ? 0 : 50))],
    unreadCount: 2,
    pagination: { nextCursor: cursor === undefined ? "1" : null, limit: 50 },
  }));
  const sent = answer(notificationsApi.read, { unreadCount: 2 });
  show();
  await says("Title 0").toBeVisible();
  await button("Older").click();
  await says("Title 50").toBeVisible();
  await button("Mark all read").click();
  await expect.poll(() => sent).toEqual([{ all: true, until: noteOf(0).at }]);
  await button("System").click();
  await says("Title 100").toBeVisible();
  await button("Older").click();
  await says("Title 150").toBeVisible();
  await button("Mark all read").click();
  await expect.poll(() => sent.at(-1)).toEqual({ all: true, until: noteOf(100).at, kind: "SYSTEM" });
});

test("Retry on what was not marked as read marks it, and its message goes", async () => {
  answer(notificationsApi.list, {
    notifications: [noteOf(1)],
    unreadCount: 1,
    pagination: { nextCursor: null, limit: 50 },
  });
  answer(notificationsApi.read, refusal(503, "Try again."));
  show();
  await button("Mark all read").click();
  await says("Failed to mark as read").toBeVisible();
  const sent = answer(notificationsApi.read, { unreadCount: 0 });
  await button("Retry").click();
  await expect.element(page.getByText("Failed to mark as read")).not.toBeInTheDocument();
  expect(sent).toEqual([{ all: true, until: noteOf(1).at }]);
});
