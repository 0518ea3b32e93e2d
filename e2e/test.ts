import { type BrowserContext, type Page, test as base } from "@playwright/test";

/** A signed-in page stands in its document before its code runs, and is inert until then: what a journey did in that moment would be lost. */
export const untilReady = (page: Page) => page.locator("[data-signed-in][inert]").waitFor({ state: "detached" });

/** A page that was loaded whole can be used: by keys and by values too, which ask nothing of the element. */
function readyWhenLoaded(page: Page): void {
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
}

/** Takes away what a site keeps in a browser, but the files that it lets browsers keep for ever. */
async function clear(context: BrowserContext, origin: string): Promise<void> {
  const blank = await context.newPage();
  const session = await context.newCDPSession(blank);
  await Promise.all(
    context
      .pages()
      .filter((page) => page !== blank)
      .map((page) => page.close()),
  );
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.unrouteAll()]);
  await blank.close();
}

/** The context that the tests of a worker use one after the other. */
interface ContextPool {
  acquire: () => Promise<BrowserContext>;
  release: (context: BrowserContext) => void;
}

/**
 * Playwright's, but the tests of a worker use one context after the other, cleared between them: one of each test's own, or
 * Playwright's `reuseContext`, has every test load and compile the product's code anew.
 */
export const test = base.extend<object, { contextPool: ContextPool }>({
  contextPool: [
    async ({ browser }, use) => {
      const idle: BrowserContext[] = [];
      await use({
        acquire: async () => idle.pop() ?? (await browser.newContext()),
        release: (context) => void idle.push(context),
      });
      await Promise.all(idle.map((context) => context.close()));
    },
    { scope: "worker" },
  ],
  context: async ({ contextPool, baseURL }, use, testInfo) => {
    const context = await contextPool.acquire();
    // A clock cannot be taken out of a context.
    let hasClock = false;
    const install = context.clock.install.bind(context.clock);
    context.clock.install = (options) => {
      hasClock = true;
      return install(options);
    };
    await use(context);
    context.clock.install = install;
    if (hasClock || testInfo.status !== testInfo.expectedStatus) return context.close();
    await clear(context, baseURL ?? "");
    contextPool.release(context);
  },
  page: async ({ context }, use) => {
    const page = await context.newPage();
    readyWhenLoaded(page);
    await use(page);
  },
});
