import { type Page, type Route } from "@playwright/test";

export const CALLS = {
  top50: "/selectors/top50",
  watchlist: "/selectors/earnings-watchlist",
  qa: "/selectors/qa-results",
};
export const PAGES = {
  top50: "/admin/top50-selector",
  watchlist: "/admin/earnings-watchlist",
  qa: "/admin/qa-results",
};

export const give = (route: Route, data: unknown) => route.fulfill({ json: { success: true, data, error: null } });
const refuse = (route: Route) =>
  route.fulfill({
    status: 503,
    json: { success: false, data: null, error: "The database is away.", code: "unavailable", requestId: "x" },
  });

/** Answers a selector call; counts how often it was asked, and with which query. */
export async function answer(page: Page, call: string, data: unknown) {
  const asked: string[] = [];
  let isFailing = false;
  await page.route(new RegExp(`/api/v1${call}(\\?.*)?$`), (route) => {
    asked.push(new URL(route.request().url()).search);
    return isFailing ? refuse(route) : give(route, data);
  });
  return { asked, fail: (isIt: boolean) => (isFailing = isIt) };
}

export const says = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true });
export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
/** The texts of a column, by its place. */
export const column = (page: Page, nth: number) => page.locator(`main tbody tr td:nth-child(${nth})`);
export const card = (page: Page, label: string) =>
  page.locator("main dl > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) });
export const choose = (page: Page, label: string, option: string) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: option });
