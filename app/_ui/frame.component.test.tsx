import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { PRACTICE_ACCOUNT } from "@/lib/proof/screen/account-answers.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { passes } from "@/lib/proof/screen/look.ts";
import { MARKET } from "@/lib/proof/screen/market-answers.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";

type News = Answer<typeof notificationsApi.list>;

const note = (nth: number, change: Partial<News["notifications"][number]> = {}): News["notifications"][number] => ({
  id: `01a1fd31-0000-7000-8000-00000000000${nth}`,
  at: "2026-11-21T08:12:49.961Z",
  marketAt: null,
  kind: "TRADE",
  title: `News ${nth}`,
  text: "12 shares at $133.42.",
  link: null,
  environment: null,
  isRead: false,
  ...change,
});
const news = (unreadCount: number, ...notifications: News["notifications"]): News => ({
  notifications,
  unreadCount,
  pagination: { nextCursor: null, limit: 20 },
});

const show = (person = TRADER) => showPage("/alpaca-keys", person, <h1>Keys</h1>);
const button = (name: string) => page.getByRole("button", { name, exact: true });

test("the bell counts what is unread, marks it read, and leads to it", async () => {
  answer(notificationsApi.list, news(2, note(1, { link: "/trade-history", environment: "PRACTICE" }), note(2)));
  const sent = answer(notificationsApi.read, () => {
    answer(notificationsApi.list, news(0, note(1, { link: "/trade-history", isRead: true })));
    return { unreadCount: 0 };
  });
  show();
  const bell = button("Notifications, 2 unread");
  await expect.element(bell).toHaveTextContent("2");
  await bell.click();
  const list = page.getByRole("dialog", { name: "Notifications" });
  const first = list.getByRole("listitem").first();
  await expect.element(first).toHaveTextContent("PRACTICE");
  await expect.element(first).toHaveTextContent("Sat 21 Nov 2026 03:12 ET");
  await list.getByRole("button", { name: "Mark all read" }).click();
  await expect.element(button("Notifications")).toBeInTheDocument();
  expect(sent).toEqual([{ all: true, until: note(1).at }]);
  await userEvent.keyboard("{Escape}");
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(button("Notifications")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await list.getByRole("link", { name: /News 1/ }).click();
  await expect.poll(() => window.location.pathname).toBe("/trade-history");
  await expect.element(list).not.toBeInTheDocument();
});

for (const width of [1440, 390])
  test(`a name of any length and script leaves room for the address and the role at ${width} px`, async () => {
    await page.viewport(width, 800);
    const person = { ...TRADER, firstName: "W".repeat(80), lastName: "👩‍🚀 أحمد ".repeat(10) };
    show(person);
    if (width === 390) await button("More").click();
    /** What is seen of what may stand in the frame of both widths. */
    const seen = (all: Element[]) => all.filter((each) => each.checkVisibility({ visibilityProperty: true }));
    const isInView = (element: Element | undefined) => {
      const { left, right, top, bottom } = element?.getBoundingClientRect() ?? new DOMRect(-1, -1);
      return left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight;
    };
    const one = (text: string) => {
      const [first, ...others] = seen(page.getByText(text, { exact: true }).elements());
      return others.length === 0 ? first : undefined;
    };
    await expect.poll(() => isInView(one(person.email)), { message: "the address is seen" }).toBe(true);
    const address = one(person.email);
    expect(address?.scrollWidth, "the address is not cut").toBeLessThanOrEqual(address?.clientWidth ?? 0);
    const titled = page.getByTitle(`${person.firstName} ${person.lastName}`).elements();
    expect(seen(titled), "the whole name is its title").toHaveLength(1);
    await expect.poll(() => isInView(one("User")), { message: "the role is seen" }).toBe(true);
    await expect.poll(() => seen(button("Logout").elements()).map(isInView)).toEqual([true]);
  });

test("beside a name of any length the market's clock stays in one line", async () => {
  await page.viewport(1440, 800);
  answer(automationApi.market, { ...MARKET, market: "PRACTICE", now: "2020-09-30T15:32:00.000Z", speed: 60 });
  show({ ...TRADER, firstName: "W".repeat(80), email: `${"long".repeat(8)}@tradewind.test` });
  const clock = page.getByText(/^Practice market · Wed 30 Sep 2020 .* 60×$/);
  await expect.element(clock).toBeVisible();
  const line = clock.element().parentElement;
  expect(line?.getClientRects(), "parts of the clock").toHaveLength(1);
  const address = page.getByText(/@tradewind\.test$/).element();
  expect(address.scrollWidth, "the address is not cut").toBeLessThanOrEqual(address.clientWidth);
});

type Clock = Answer<typeof automationApi.market>;
const PRACTICE = { ...MARKET, market: "PRACTICE", now: "2020-03-03T15:20:00.000Z", speed: 60 } as const;

test("a market that does not answer keeps its name and the time of its last reading", async () => {
  vi.useFakeTimers();
  answer(automationApi.market, { ...PRACTICE, nextClose: "2020-03-03T21:00:00.000Z" });
  show();
  await passes(() => page.getByText(/^Practice market · Tue 3 Mar 2020 10:2/).query() !== null, 100);
  answer(automationApi.market, refusal(503, "The practice market does not answer."));
  await passes(() => page.getByText("Practice market, not answering, last 10:20 ET").query() !== null);
  answer(automationApi.market, { ...PRACTICE, now: "2020-03-03T16:00:00.000Z", nextClose: "2020-03-03T21:00:00.000Z" });
  await passes(() => page.getByText(/^Practice market · Tue 3 Mar 2020 11:0/).query() !== null);
});

test("the practice market's clock stops at the close and asks again at once", async () => {
  vi.useFakeTimers();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const next = { now: "2020-03-04T14:30:00.000Z", nextClose: "2020-03-04T21:00:00.000Z" };
  const asked: unknown[] = answer(automationApi.market, (): Clock | Promise<Clock> =>
    asked.length > 1
      ? held.then(() => ({ ...PRACTICE, ...next }))
      : { ...PRACTICE, now: "2020-03-03T20:55:00.000Z", nextClose: "2020-03-03T21:00:00.000Z" },
  );
  show();
  await passes(() => page.getByText(/^Practice market · Tue 3 Mar 2020 15:5/).query() !== null, 100);
  const [before] = [asked.length];
  await passes(() => page.getByText(/^Practice market · Tue 3 Mar 2020 16:00 ET/).query() !== null);
  // Five minutes of market time are five seconds; the next poll would come after fifteen.
  await passes(() => asked.length > before, 100);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(page.getByText(/^Practice market · Tue 3 Mar 2020 16:00 ET/).elements()).toHaveLength(1);
  release();
  await passes(() => page.getByText(/^Practice market · Wed 4 Mar 2020 09:3/).query() !== null, 100);
});

test("who resumes automation sees the notice of the pause leave, and with it its Undo", async () => {
  answer(accountsApi.list, [PRACTICE_ACCOUNT]);
  answer(automationApi.pause, () => {
    answer(automationApi.readPause, { isPaused: true, since: null, reason: null });
    return { isPaused: true, since: null, reason: null };
  });
  answer(automationApi.resume, () => {
    answer(automationApi.readPause, { isPaused: false, since: null, reason: null });
    return { isPaused: false, since: null, reason: null };
  });
  show();
  await button("Pause automation").click();
  await expect.element(page.getByText("Automation paused", { exact: true })).toBeVisible();
  await button("Automation is paused. Resume automation").click();
  await button("Resume automation").click();
  await expect.element(button("Pause automation")).toBeVisible();
  await expect.element(page.getByText("Automation paused", { exact: true })).not.toBeInTheDocument();
  await expect.element(button("Undo")).not.toBeInTheDocument();
});
