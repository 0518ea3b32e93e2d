import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { MARKET, showPage, TRADER } from "@/lib/proof/screen/show.tsx";

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
  expect(sent).toEqual([{ all: true }]);
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
