import { expect, type Page, type Route } from "@playwright/test";
import { overflowOf, stickingOut } from "./layout.ts";
import { signInAs } from "./page-watch.ts";
import { PASSWORD, verified } from "./people.ts";
import { test } from "./test.ts";

/** An account as the list gives it; tests change what they are about. */
const LISTED = {
  id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
  name: "Main",
  accountType: "INDIVIDUAL",
  environment: "PAPER",
  broker: "ALPACA",
  status: "ACTIVE",
  alpacaKey: "PKABCDEF",
  access: "KEYS",
  hasKeys: true,
  accountNumberEnd: "4821",
  haltReason: null,
  haltAdvice: null,
  stop: null,
  isClosing: false,
  createdAt: "2026-11-02T14:00:00.000Z",
  reconciledAt: "2026-11-20T15:32:05.000Z",
  equity: 102345.6,
  equityAsOf: "2026-11-20T15:30:00.000Z",
  positions: { count: 0, value: 0 },
  otherPositions: 0,
  openQuestions: [],
};

const answer = (route: Route, data: unknown) => route.fulfill({ json: { success: true, data, error: null } });
const refuse = (route: Route, status: number, error: string) =>
  route.fulfill({ status, json: { success: false, data: null, error, code: "x", requestId: "x" } });

const list = (page: Page, accounts: object[]) =>
  page.route("**/api/v1/accounts", (route) =>
    route.request().method() === "GET" ? answer(route, accounts) : route.fallback(),
  );
/** The form for pasted keys; the one for consent has some of its labels. */
const form = (page: Page) => page.getByRole("region", { name: "Add an account with API keys" });
const own = (page: Page) => page.getByRole("region", { name: "Alpaca Trading Accounts" });

/** One person for the tests of a worker, which run one after the other and leave no account; a failure begins with a new worker. */
let person: Promise<string> | undefined;
test.beforeEach(async ({ page, request }) => {
  person ??= verified(request, "accounts");
  await signInAs(page, { email: await person, password: PASSWORD });
});

test("the form begins at the specification's defaults and names what is missing", async ({ page }) => {
  await page.goto("/alpaca-keys");
  await expect(page.getByLabel("Account type")).toHaveValue("INDIVIDUAL");
  await expect(page.getByLabel("Account type").getByRole("option")).toHaveText([
    "Individual",
    "Joint",
    "Trust",
    "Corporate",
  ]);
  await expect(form(page).getByLabel("Environment")).toHaveValue("PAPER");
  await expect(form(page).getByLabel("Environment").getByRole("option")).toHaveText(["Paper", "Live"]);
  let isSent = false;
  await page.route("**/api/v1/accounts", (route) => {
    isSent ||= route.request().method() === "POST";
    return route.continue();
  });
  for (const filled of [[], ["Alpaca API key"], ["Alpaca API secret"]] as const) {
    await page.getByLabel("Alpaca API key").fill("");
    await page.getByLabel("Alpaca API secret", { exact: true }).fill("");
    for (const label of filled) await page.getByLabel(label, { exact: true }).fill("PKSOMETHING");
    await page.getByRole("button", { name: "Add account" }).click();
    await expect(page.getByText("Alpaca API key and secret are required", { exact: true })).toBeVisible();
  }
  expect(isSent).toBe(false);
});

test("the form sends what was entered; success and failure are told in the specified words", async ({ page }) => {
  await list(page, []);
  let sent: unknown;
  let refusal: string | null = null;
  await page.route("**/api/v1/accounts", (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    sent = route.request().postDataJSON();
    return refusal === null ? answer(route, LISTED) : refuse(route, 400, refusal);
  });
  await page.goto("/alpaca-keys");
  await expect(page.getByText("No accounts yet")).toBeVisible();
  const fill = async () => {
    await page.getByLabel("Alpaca API key").fill("PKNEWKEY12345678");
    await page.getByLabel("Alpaca API secret", { exact: true }).fill("a-secret");
    await page.getByRole("button", { name: "Add account" }).click();
  };
  refusal = "Alpaca rejected these keys for the PAPER environment.";
  await fill();
  await expect(page.getByText("Failed to add account", { exact: true })).toBeVisible();
  await expect(page.getByText(refusal)).toBeVisible();
  refusal = null;
  await form(page).getByLabel("Account name (optional)").fill("Main");
  await fill();
  await expect(page.getByText("Account added successfully!", { exact: true })).toBeVisible();
  expect(sent).toEqual({
    name: "Main",
    accountType: "INDIVIDUAL",
    environment: "PAPER",
    alpacaKey: "PKNEWKEY12345678",
    alpacaSecret: "a-secret",
  });
  await expect(page.getByLabel("Alpaca API secret", { exact: true }), "the secret is gone").toHaveValue("");
});

test("a list that cannot be read says so, and asking again is one click", async ({ page }) => {
  let isAway = true;
  await page.route("**/api/v1/accounts", (route) =>
    isAway ? refuse(route, 503, "The database is away.") : answer(route, [LISTED]),
  );
  await page.goto("/alpaca-keys");
  await expect(page.getByText("Failed to fetch accounts", { exact: true })).toBeVisible();
  isAway = false;
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(own(page).getByRole("heading", { name: /^Main/ })).toBeVisible();
  await expect(page.getByText("Failed to fetch accounts")).toBeHidden();
});

test("an account shows name, environment, status, eight characters of its key, and what is known of it", async ({
  page,
}) => {
  await list(page, [{ ...LISTED, positions: { count: 3, value: 2912.4 }, otherPositions: 1 }]);
  await page.goto("/alpaca-keys");
  const account = own(page).getByRole("listitem");
  for (const text of [
    "Main",
    "PAPER",
    "ACTIVE",
    "PKABCDEF…",
    "$102,345.60",
    "3 worth $2,912.40",
    "and 1 not bought by Tradewind",
    "Individual",
    "number ends in 4821",
    "Mon 2 Nov 2026 09:00 ET",
    "as of Fri 20 Nov 2026 10:32 ET",
  ])
    await expect(account).toContainText(text);
});

test("names of any length and script, large figures and long reasons stay inside their card", async ({ page }) => {
  const names = ["W".repeat(80), "👩‍🚀🚀 Rakete ".repeat(5).trim(), "حساب التداول الرئيسي (Main)", null];
  await list(
    page,
    names.map((name, index) => ({
      ...LISTED,
      name,
      id: LISTED.id.slice(0, -1) + String(index),
      equity: 123_456_789_012.34,
      positions: { count: 1234, value: 9_876_543_210.5 },
      otherPositions: 4321,
      haltReason: "x".repeat(120),
      haltAdvice: "Compare the positions at the broker, then resume.",
    })),
  );
  await page.goto("/alpaca-keys");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(own(page).getByRole("listitem")).toHaveCount(names.length);
    await expect(own(page)).toContainText("1,234 worth $9,876,543,210.50");
    expect(await stickingOut(page), `at ${width} px`).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: `Delete ${"W".repeat(80)}` }).click();
    const title = page.getByRole("dialog").getByRole("heading");
    expect(await title.evaluate((node) => node.scrollWidth - node.clientWidth), "the dialog's title wraps").toBe(0);
    await page.keyboard.press("Escape");
  }
});

const NOTICES: [string, object, string[], string | null][] = [
  [
    "a LIVE account that waits",
    { environment: "LIVE", status: "INACTIVE" },
    ["This account holds real money"],
    "Confirm LIVE trading",
  ],
  [
    "a paused one",
    { status: "PAUSED" },
    ["Paused by you", "Nothing is bought in this account. Exits and protective stops keep working."],
    null,
  ],
  [
    "a halted one",
    { haltReason: "Positions differ", haltAdvice: "Look at it." },
    ["Halted: Positions differ", "Look at it."],
    "Resume",
  ],
  [
    "one after a drawdown",
    { stop: { state: "REDUCE_ONLY", source: "DRAWDOWN", text: "Down 15 %" } },
    ["Stopped after a drawdown", "Down 15 %"],
    "Resume",
  ],
  [
    "one that closes",
    { isClosing: true, positions: { count: 1, value: 10 }, stop: { state: "FLATTEN", source: "OWNER", text: "x" } },
    ["Closing", "1 position worth $10.00: sold while the market is open, then the account is deleted."],
    "Keep the account",
  ],
  [
    "one that an administrator stopped",
    { stop: { state: "REDUCE_ONLY", source: "ADMIN", text: "Outage" } },
    ["Stopped by an administrator", "Outage"],
    null,
  ],
];

test("what keeps an account from trading is said, with what can be done about it", async ({ page }) => {
  await list(
    page,
    NOTICES.map(([name, change], index) => ({
      ...LISTED,
      ...change,
      name,
      id: LISTED.id.slice(0, -1) + String(index),
    })),
  );
  await page.goto("/alpaca-keys");
  for (const [name, , texts, action] of NOTICES) {
    const account = own(page)
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name }) });
    for (const text of texts) await expect(account.getByText(text, { exact: true }), name).toBeVisible();
    const offered = await account.getByRole("button").allInnerTexts();
    expect(
      offered.filter((text) => !/^(Pause|Unpause|Delete)$/.test(text)),
      name,
    ).toEqual(action === null ? [] : [action]);
  }
});

test("deleting asks in the specified words, lists the account's own figures, and sells only when that is chosen", async ({
  page,
}) => {
  await list(page, [{ ...LISTED, positions: { count: 2, value: 1500 } }]);
  const sent: string[] = [];
  let state: string | null = null;
  await page.route("**/api/v1/accounts/*", (route) => {
    sent.push(`${route.request().method()} ${new URL(route.request().url()).search}`);
    return state === null
      ? refuse(route, 503, "Alpaca cannot be reached right now.")
      : answer(route, { id: LISTED.id, state });
  });
  await page.goto("/alpaca-keys");
  const dialog = page.getByRole("dialog", { name: "Delete Main" });
  await page.getByRole("button", { name: "Delete Main" }).click();
  await expect(dialog).toContainText("Are you sure you want to delete this account? This action cannot be undone.");
  await expect(dialog.getByRole("group", { name: "2 positions worth $1,500.00" })).toBeVisible();
  await expect(dialog.getByRole("radio", { name: /^Leave them at the broker/ })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Delete Main" }), "focus returns").toBeFocused();
  expect(sent).toEqual([]);

  await page.getByRole("button", { name: "Delete Main" }).click();
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByText("Failed to delete account", { exact: true })).toBeVisible();
  state = "deleted";
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Account deleted successfully!", { exact: true })).toBeVisible();
  state = "closing";
  await page.getByRole("button", { name: "Delete Main" }).click();
  await dialog.getByRole("radio", { name: /^Sell them first/ }).check();
  await dialog.getByRole("button", { name: "Sell and delete account" }).click();
  await expect(page.getByText(/^Main is being closed: 2 positions worth \$1,500\.00/)).toBeVisible();
  expect(sent).toEqual(["DELETE ", "DELETE ", "DELETE ?closePositions=true"]);
});

test("LIVE is confirmed by typing its number, with the limits in view", async ({ page }) => {
  await list(page, [{ ...LISTED, environment: "LIVE", status: "INACTIVE" }]);
  let sent: unknown;
  await page.route("**/api/v1/accounts/*/confirm-live", (route) => {
    sent = route.request().postDataJSON();
    return answer(route, LISTED);
  });
  await page.goto("/alpaca-keys");
  await page.getByRole("button", { name: "Confirm LIVE trading" }).click();
  const dialog = page.getByRole("dialog");
  for (const limit of [
    "at most 3 positions at once",
    "at most $1,000.00 in one of them",
    "orders aim at $1,000.00",
    "sold at a loss of 3% or a gain of 5%",
  ])
    await expect(dialog.getByText(limit, { exact: true })).toBeVisible();
  await expect(dialog.getByText(/^Paper Trading Only is on: nothing is traded here/)).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Confirm LIVE trading" });
  const typed = dialog.getByLabel("Type LIVE 4821 to confirm");
  for (const wrong of ["", "LIVE", "live 4821", "LIVE 4820", "4821"]) {
    await typed.fill(wrong);
    await expect(confirm, wrong).toBeDisabled();
  }
  await typed.fill("LIVE 4821");
  await confirm.click();
  await expect(page.getByText("LIVE trading is confirmed for Main.", { exact: true })).toBeVisible();
  expect(sent).toEqual({ confirmation: "LIVE 4821" });
});

test("a practice account is opened, paused with one click and undone, resumed, and deleted", async ({ page }) => {
  await page.goto("/alpaca-keys");
  await page.getByRole("button", { name: "Start on the practice market" }).click();
  await expect(page.getByText("Account added successfully!", { exact: true })).toBeVisible();
  const account = own(page).getByRole("listitem");
  await expect(account).toHaveCount(1);
  await expect(account.getByText("PRACTICE", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Practice market" }), "one practice account at a time").toBeHidden();

  const pause = account.getByRole("button", { name: "Pause Practice account" });
  await pause.click();
  await expect(account.getByText("PAUSED", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(account.getByText("ACTIVE", { exact: true })).toBeVisible();

  await account.getByRole("button", { name: "Delete Practice account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Account deleted successfully!", { exact: true })).toBeVisible();
  await expect(page.getByText("No accounts yet")).toBeVisible();
});

test("automation is paused with one click and undone; a pause that stays is resumed by asking", async ({ page }) => {
  await page.goto("/alpaca-keys");
  const pause = page.getByRole("button", { name: "Pause automation" });
  await expect(page.getByText("No accounts yet")).toBeVisible();
  await expect(pause, "nothing of a person without an account runs").toBeHidden();
  await page.getByRole("button", { name: "Start on the practice market" }).click();
  await expect(page.getByText("Account added successfully!", { exact: true })).toBeVisible();
  const paused = page.getByRole("button", { name: "Automation is paused. Resume automation" });
  await pause.click();
  await expect(paused).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(pause).toBeVisible();
  await pause.click();
  await paused.click();
  const dialog = page.getByRole("dialog", { name: "Resume automation?" });
  await dialog.getByRole("button", { name: "Keep paused" }).click();
  await expect(paused).toBeVisible();
  await paused.click();
  await dialog.getByRole("button", { name: "Resume automation" }).click();
  await expect(pause).toBeVisible();

  await own(page).getByRole("button", { name: "Delete Practice account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Account deleted successfully!", { exact: true })).toBeVisible();
  await expect(pause).toBeHidden();
});

test("without the flag practice_market the practice market is not offered", async ({ page }) => {
  await page.route("**/api/v1/flags", (route) => answer(route, { practice_market: false }));
  await page.goto("/alpaca-keys");
  await expect(page.getByText("No accounts yet")).toBeVisible();
  await expect(page.getByRole("button", { name: "Start on the practice market" })).toHaveCount(0);
});
