import { type Browser, type BrowserContext, type CDPSession, type Page, test as base } from "@playwright/test";

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

/** A browser's context that tests use one after the other. */
interface Pooled {
  context: BrowserContext;
  /**
   * A picture of the site, open as long as the context: with its last page a site's process would end, and each test would start one and
   * compile the product's code anew.
   */
  keeper: Page;
  session: CDPSession;
}

async function opened(browser: Browser, origin: string): Promise<Pooled> {
  const context = await browser.newContext();
  const keeper = await context.newPage();
  await keeper.goto(`${origin}/icon.svg`);
  return { context, keeper, session: await context.newCDPSession(keeper) };
}

/** Takes away what a site keeps in a browser, but the files that it lets browsers keep for ever. */
async function clear({ context, keeper, session }: Pooled, origin: string): Promise<void> {
  await Promise.all(
    context
      .pages()
      .filter((page) => page !== keeper)
      .map((page) => page.close()),
  );
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.unrouteAll()]);
}

/** The contexts of a worker that no test uses. */
interface ContextPool {
  acquire: (origin: string) => Promise<Pooled>;
  release: (pooled: Pooled) => void;
}

/**
 * Playwright's, but the tests of a worker use one context after the other, cleared between them: one of each test's own, or
 * Playwright's `reuseContext`, has every test load and compile the product's code anew.
 */
export const test = base.extend<object, { contextPool: ContextPool }>({
  contextPool: [
    async ({ browser }, use) => {
      const idle: Pooled[] = [];
      await use({
        acquire: async (origin) => idle.pop() ?? (await opened(browser, origin)),
        release: (pooled) => void idle.push(pooled),
      });
      await Promise.all(idle.map(({ context }) => context.close()));
    },
    { scope: "worker" },
  ],
  context: async ({ contextPool, baseURL }, use, testInfo) => {
    const origin = baseURL ?? "";
    const pooled = await contextPool.acquire(origin);
    const { context } = pooled;
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
    await clear(pooled, origin);
    contextPool.release(pooled);
  },
  page: async ({ context }, use) => {
    const page = await context.newPage();
    readyWhenLoaded(page);
    await use(page);
  },
});
