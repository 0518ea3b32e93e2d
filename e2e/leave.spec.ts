import { expect, type Locator, type Page } from "@playwright/test";
import { isWhole } from "./axe.ts";
import { load, signInAs, untilGuarded } from "./page-watch.ts";
import { PASSWORD, verified } from "./people.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

/** A way out of the settings with unsaved changes. */
interface WayOut {
  name: string;
  take: (page: Page) => Promise<void>;
  leadsTo: RegExp;
  /** What has the focus again for who stays. */
  returnsTo: (page: Page) => Locator;
  /** A phone and a wide screen have the same element for it, or none: on a phone it is tried by `npm run prove -- pages`. */
  isAlike?: boolean;
}

// Of the settings, which are in tabs: the form of a backtest has one of that name, too.
const typed = (page: Page) => page.getByRole("tabpanel").getByLabel("Max Positions", { exact: true });
const guard = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name, exact: true });
const barLink = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Performance" });
const newsDialog = (page: Page) => page.getByRole("dialog", { name: "Notifications" });
const bell = button(/^Notifications(, \d+ unread)?$/);

/** Chooses from the palette what these letters find first. */
const choose = (letters: string) => async (page: Page) => {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Command menu" })).toBeFocused();
  await page.keyboard.type(letters);
  await page.keyboard.press("Enter");
};
const inSheet = (name: string) => async (page: Page) => {
  await button("More")(page).click();
  await page
    .getByRole("dialog", { name: "More" })
    .getByRole("link", { name })
    .or(page.getByRole("dialog", { name: "More" }).getByRole("button", { name }))
    .click();
};

const EVERYWHERE: WayOut[] = [
  {
    name: "another tab",
    take: (page) => page.getByRole("tab", { name: "Profile" }).click(),
    leadsTo: /\/settings$/,
    returnsTo: (page) => page.getByRole("tab", { name: "Profile" }),
  },
  {
    name: "a link of the bar",
    take: (page) => barLink(page).click(),
    leadsTo: /\/performance$/,
    returnsTo: barLink,
  },
  {
    name: "a link of the page",
    take: (page) => page.getByRole("link", { name: "Add keys" }).click(),
    leadsTo: /\/alpaca-keys$/,
    returnsTo: (page) => page.getByRole("link", { name: "Add keys" }),
    isAlike: true,
  },
  {
    name: "the bell's link",
    take: async (page) => {
      await bell(page).click();
      await newsDialog(page).getByRole("link", { name: "Notification settings" }).click();
    },
    leadsTo: /\/settings\?tab=notifications$/,
    returnsTo: bell,
  },
  {
    name: "Refresh",
    take: (page) => button("Refresh")(page).click(),
    leadsTo: /\/settings\?tab=trading$/,
    returnsTo: button("Refresh"),
    isAlike: true,
  },
  {
    name: "Back",
    take: (page) => page.evaluate(() => window.history.back()),
    leadsTo: /\/security$/,
    returnsTo: typed,
    isAlike: true,
  },
  {
    name: "Forward",
    take: (page) => page.evaluate(() => window.history.forward()),
    leadsTo: /\/notifications$/,
    returnsTo: typed,
    isAlike: true,
  },
];

const LOOKS: { width: number; ways: WayOut[] }[] = [
  {
    width: 1440,
    ways: [
      ...EVERYWHERE,
      { name: "the palette", take: choose("performance"), leadsTo: /\/performance$/, returnsTo: typed },
      { name: "Logout in the palette", take: choose("logout"), leadsTo: /\/auth$/, returnsTo: typed },
      {
        name: "the keys g d",
        take: async (page) => {
          await button("Save Preferences")(page).focus();
          await page.keyboard.press("g");
          await page.keyboard.press("d");
        },
        leadsTo: /\/dashboard$/,
        returnsTo: button("Save Preferences"),
      },
      {
        name: "Logout",
        take: (page) => button("Logout")(page).click(),
        leadsTo: /\/auth$/,
        returnsTo: button("Logout"),
      },
    ],
  },
  {
    width: 390,
    ways: [
      ...EVERYWHERE.filter(({ isAlike }) => isWhole() || isAlike !== true),
      { name: "a page behind More", take: inSheet("Backtest"), leadsTo: /\/backtest$/, returnsTo: button("More") },
      { name: "Logout behind More", take: inSheet("Logout"), leadsTo: /\/auth$/, returnsTo: button("More") },
    ],
  },
];

/** To the trading settings, between two other pages in the history, without a load. */
async function goBetween(page: Page): Promise<void> {
  for (const address of ["/security", "/settings?tab=trading", "/notifications"]) {
    await page.evaluate((to) => {
      const next = (window as unknown as { next: { router: { push: (href: string) => void } } }).next;
      next.router.push(to);
    }, address);
    await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === address);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Sign-in and security|Settings|Notifications/);
  }
  await page.evaluate(() => window.history.back());
  await expect(typed(page)).toBeVisible();
  await expect(page.getByRole("link", { name: "Add keys" })).toBeVisible();
}

/** Stays twice, by the key and by the button, then leaves. */
async function expectGuarded(page: Page, { take, leadsTo, returnsTo }: WayOut): Promise<void> {
  await typed(page).fill("7");
  await untilGuarded(page);
  for (const stay of ["Escape", "Stay"]) {
    await take(page);
    await expect(guard(page)).toBeVisible();
    if (stay === "Escape") await page.keyboard.press("Escape");
    else await guard(page).getByRole("button", { name: "Stay" }).click();
    await expect(guard(page)).toBeHidden();
    await expect(page).toHaveURL(/\/settings\?tab=trading$/);
    await expect(typed(page)).toHaveValue("7");
    await expect(returnsTo(page), "the focus returns").toBeFocused();
    await typed(page).focus();
  }
  await take(page);
  await guard(page).getByRole("button", { name: "Leave without saving" }).click();
  await expect(page).toHaveURL(leadsTo);
  await expect(guard(page)).toBeHidden();
  if (String(leadsTo).includes("trading")) await expect(typed(page), "nothing was kept").toHaveValue(/[^7]/);
  else await expect(typed(page)).toHaveCount(0);
}

for (const { width, ways } of LOOKS) {
  // One visit for all ways within the product; one for each way that ends it.
  const endsVisit = ({ leadsTo }: WayOut) => String(leadsTo).includes("auth");
  const visits = [ways.filter((way) => !endsVisit(way)), ...ways.filter(endsVisit).map((way) => [way])];
  for (const visit of visits) {
    const all = width === 390 && !isWhole() ? "each way of a phone's own" : "every way within the product";
    const names = visit.length === 1 ? (visit[0]?.name ?? "") : all;
    test(`unsaved settings at ${width} px: ${names} asks, keeps what was typed for who stays, and drops it for who leaves`, async ({
      page,
    }) => {
      test.setTimeout(visit.length > 1 ? 360_000 : 120_000);
      await page.setViewportSize({ width, height: 844 });
      // With no account the page has a link.
      await page.route("**/api/v1/accounts", (route) =>
        route.fulfill({ json: { success: true, data: [], error: null } }),
      );
      await signInAs(page, run().demo.trader);
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.type());
        void dialog.accept();
      });
      await load(page, "/security");
      for (const way of visit) {
        await test.step(way.name, async () => {
          await goBetween(page);
          await expectGuarded(page, way);
          expect(asked, "the browser does not ask as well").toEqual([]);
        });
      }
    });
  }
}

test("nothing asks after a save, or once what was typed is as it was; what was typed during a save is guarded", async ({
  page,
}) => {
  const email = await verified(page.request, "saver");
  await signInAs(page, { email, password: PASSWORD });
  await load(page, "/settings?tab=trading");
  await typed(page).fill("7");
  await typed(page).fill("3");
  await barLink(page).click();
  await expect(page).toHaveURL(/\/performance$/);

  await load(page, "/settings?tab=trading");
  await typed(page).fill("7");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/preferences/trading", async (route) => {
    if (route.request().method() === "PUT") await held;
    await route.fallback();
  });
  await button("Save Preferences")(page).click();
  await expect(button("Saving...")(page)).toBeVisible();
  await typed(page).fill("8");
  release();
  await expect(page.getByText("Trading preferences saved successfully!")).toBeVisible();
  await barLink(page).click();
  await guard(page).getByRole("button", { name: "Stay" }).click();
  await expect(typed(page)).toHaveValue("8");
  const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await button("Save Preferences")(page).click();
  expect((await saved).status()).toBe(200);
  await expect(button("Save Preferences")(page)).toBeEnabled();
  await barLink(page).click();
  await expect(page).toHaveURL(/\/performance$/);
});
