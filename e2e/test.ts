import { type Page, test as base } from "@playwright/test";

/** A signed-in page stands in its document before its code runs, and is inert until then: what a journey did in that moment would be lost. */
export const untilReady = (page: Page) => page.locator("[data-signed-in][inert]").waitFor({ state: "detached" });

/** Playwright's, but a page that was loaded whole can be used: by keys and by values too, which ask nothing of the element. */
export const test = base.extend({
  page: async ({ page }, use) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (url, options) => {
      const answer = await goto(url, options);
      if (options?.waitUntil !== "commit") await untilReady(page);
      return answer;
    };
    page.reload = async (options) => {
      const answer = await reload(options);
      if (options?.waitUntil !== "commit") await untilReady(page);
      return answer;
    };
    await use(page);
    Object.assign(page, { goto, reload });
  },
});
