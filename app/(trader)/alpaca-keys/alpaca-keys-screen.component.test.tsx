import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { LISTED, type Account } from "@/lib/proof/screen/account-answers.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { overflowOfPage, textsStickingOut } from "@/lib/proof/screen/layout.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { TRADING_PREFERENCES } from "@/lib/proof/screen/trading-preferences.ts";
import { AlpacaKeysScreen } from "./alpaca-keys-screen.tsx";

/** The same account under other names. */
const listed = (changes: Partial<Account>[]): Account[] =>
  changes.map((change, nth) => ({ ...LISTED, ...change, id: LISTED.id.slice(0, -1) + String(nth) }));

const show = () => showPage("/alpaca-keys", TRADER, <AlpacaKeysScreen canConnect />);
const own = page.getByRole("region", { name: "Alpaca Trading Accounts" });
/** The form for pasted keys; the one for consent has some of its labels. */
const form = page.getByRole("region", { name: "Add an account with API keys" });
const key = form.getByLabelText("Alpaca API key");
const secret = form.getByLabelText("Alpaca API secret", { exact: true });
const dialog = page.getByRole("dialog");
const says = (text: string) => expect.element(page.getByText(text, { exact: true }));

beforeEach(() => {
  answer(flagsApi.read, { practice_market: true });
});

test("the form begins at the specification's defaults and names what is missing", async () => {
  const sent = answer(accountsApi.add, LISTED);
  show();
  const optionsOf = async (label: string) => {
    await expect.element(form.getByLabelText(label)).toBeVisible();
    return form.getByLabelText(label).getByRole("option").elements();
  };
  const texts = (options: Element[]) => options.map(({ textContent }) => textContent);
  expect(texts(await optionsOf("Account type"))).toEqual(["Individual", "Joint", "Trust", "Corporate"]);
  expect(texts(await optionsOf("Environment"))).toEqual(["Paper", "Live"]);
  await expect.element(form.getByLabelText("Account type")).toHaveValue("INDIVIDUAL");
  await expect.element(form.getByLabelText("Environment")).toHaveValue("PAPER");
  for (const filled of [null, key, secret]) {
    await key.clear();
    await secret.clear();
    await filled?.fill("PKSOMETHING");
    await page.getByRole("button", { name: "Add account" }).click();
    await says("Alpaca API key and secret are required").toBeVisible();
  }
  expect(sent).toEqual([]);
});

test("the form sends what was entered; success and failure are shown in the specified words", async () => {
  const REFUSED = "Alpaca rejected these keys for the PAPER environment.";
  answer(accountsApi.add, refusal(400, REFUSED));
  show();
  await expect.element(page.getByText("No accounts yet")).toBeVisible();
  const fill = async () => {
    await key.fill("PKNEWKEY12345678");
    await secret.fill("a-secret");
    await page.getByRole("button", { name: "Add account" }).click();
  };
  await fill();
  await says("Failed to add account").toBeVisible();
  await expect.element(page.getByText(REFUSED)).toBeVisible();
  const sent = answer(accountsApi.add, LISTED);
  await form.getByLabelText("Account name (optional)").fill("Main");
  await fill();
  await says("Account added successfully!").toBeVisible();
  expect(sent).toEqual([
    {
      name: "Main",
      accountType: "INDIVIDUAL",
      environment: "PAPER",
      alpacaKey: "PKNEWKEY12345678",
      alpacaSecret: "a-secret",
    },
  ]);
  // The secret is gone.
  await expect.element(secret).toHaveValue("");
});

test("a list that cannot be read says so, and asking again is one click", async () => {
  answer(accountsApi.list, refusal(503, "The database is unavailable."));
  show();
  await says("Failed to fetch accounts").toBeVisible();
  answer(accountsApi.list, [LISTED]);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(own.getByRole("heading", { name: /^Main/ })).toBeVisible();
  await says("Failed to fetch accounts").not.toBeInTheDocument();
});

test("an account shows name, environment, status, eight characters of its key, and what is known of it", async () => {
  answer(accountsApi.list, [{ ...LISTED, positions: { count: 3, value: 2912.4 }, otherPositions: 1 }]);
  show();
  const account = expect.element(own.getByRole("listitem"));
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
    await account.toHaveTextContent(text);
});

test.each([
  [1, "1 position that Tradewind did not buy stays as it is."],
  [2, "2 positions that Tradewind did not buy stay as they are."],
])("the dialog that deletes an account speaks of %d foreign positions in the right number", async (many, sentence) => {
  answer(accountsApi.list, [{ ...LISTED, positions: { count: 0, value: 0 }, otherPositions: many }]);
  show();
  await page.getByRole("button", { name: "Delete Main" }).click();
  await expect.element(dialog.getByText(sentence, { exact: true })).toBeVisible();
});

test("names of any length and script, large figures and long reasons stay inside their card", async () => {
  const names = ["W".repeat(80), "👩‍🚀🚀 Rakete ".repeat(5).trim(), "حساب التداول الرئيسي (Main)", null];
  answer(
    accountsApi.list,
    listed(
      names.map((name) => ({
        name,
        equity: 123_456_789_012.34,
        positions: { count: 1234, value: 9_876_543_210.5 },
        otherPositions: 4321,
        haltReason: "x".repeat(120),
        haltAdvice: "Compare the positions at the broker, then resume.",
      })),
    ),
  );
  show();
  for (const width of [390, 1440]) {
    await page.viewport(width, 844);
    await expect.element(own.getByRole("listitem")).toHaveLength(names.length);
    await expect.element(own).toHaveTextContent("1,234 worth $9,876,543,210.50");
    expect(textsStickingOut(), `at ${width} px`).toEqual([]);
    expect(overflowOfPage()).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: `Delete ${"W".repeat(80)}` }).click();
    const title = (await dialog.getByRole("heading").findElement()) as HTMLElement;
    expect(title.scrollWidth - title.clientWidth, "the dialog's title wraps").toBe(0);
    await userEvent.keyboard("{Escape}");
  }
});

const NOTICES: [
  name: string,
  change: Partial<Account>,
  texts: (string | RegExp)[],
  actions: string | null | string[],
][] = [
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
    {
      ...{ isClosing: true, canKeep: true, positions: { count: 1, value: 10 } },
      stop: { state: "FLATTEN", source: "OWNER", text: "x" },
    },
    ["Closing", "1 position worth $10.00: sold while the market is open, then the account is deleted."],
    "Keep the account",
  ],
  [
    "one that an administrator closes",
    {
      ...{ isClosing: true, positions: { count: 1, value: 10 } },
      stop: { state: "FLATTEN", source: "ADMIN", text: "x" },
    },
    ["Closing", /^1 position worth \$10\.00: .* then the account is deleted\. An administrator closes it\.$/],
    null,
  ],
  [
    "one that closes and is halted",
    { isClosing: true, canKeep: true, haltReason: "Prices differ", haltAdvice: null },
    ["Halted: Prices differ", "Closing"],
    "Keep the account",
  ],
  [
    "one that closes and is to be connected again",
    { ...{ access: "OAUTH", isClosing: true, canKeep: true }, haltReason: ACCESS_TEXT.OAUTH.refused, haltAdvice: null },
    [`Halted: ${ACCESS_TEXT.OAUTH.refused}`, "Closing"],
    ["Connect again", "Keep the account"],
  ],
  [
    "one that an administrator closes and that is halted",
    { isClosing: true, haltReason: "Fills differ", haltAdvice: null },
    ["Halted: Fills differ", "Closing"],
    "Resume",
  ],
  [
    "one that an administrator stopped",
    { stop: { state: "REDUCE_ONLY", source: "ADMIN", text: "Outage" } },
    ["Stopped by an administrator", "Outage"],
    null,
  ],
];

test("what keeps an account from trading is said, with what can be done about it", async () => {
  answer(accountsApi.list, listed(NOTICES.map(([name, change]) => ({ ...change, name }))));
  show();
  for (const [name, , texts, actions] of NOTICES) {
    const account = own
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: new RegExp(`^${name} PAPER|^${name} LIVE`) }) });
    for (const text of texts) await expect.element(account.getByText(text, { exact: true })).toBeVisible();
    const offered = account.getByRole("button").elements();
    expect(
      offered.map(({ textContent }) => textContent).filter((text) => !/^(Pause|Unpause|Delete)$/.test(text)),
      name,
    ).toEqual([actions ?? []].flat());
  }
});

test("who keeps or resumes an account reads what became of it, and what holds it all the same", async () => {
  const halted = { haltReason: "Positions differ", haltAdvice: null };
  const cases = [
    [{ canKeep: true, isClosing: true }, { isKept: true }, "Keep the account", "Main is not deleted. HOLD"],
    [{ isClosing: true }, { isKept: false }, "Resume", "Main is resumed. HOLD"],
    [{}, { isKept: false }, "Resume", "Main is resumed. HOLD"],
  ] as const;
  for (const [change, answered, label, text] of cases) {
    answer(accountsApi.list, [{ ...LISTED, ...halted, ...change }]);
    answer(accountsApi.resume, { isResumed: true, heldBy: "HOLD", ...answered });
    show();
    await own.getByRole("button", { name: label }).click();
    if (answered.isKept)
      await expect
        .element(dialog)
        .toHaveTextContent("no more of its positions are sold. Its records are then compared with the broker's.");
    await dialog.getByRole("button", { name: label }).click();
    await says(text).toBeVisible();
  }
});

test("deleting asks in the specified words, lists the account's own figures, and sells only when that is chosen", async () => {
  answer(accountsApi.list, [{ ...LISTED, positions: { count: 2, value: 1500 } }]);
  const refused = answer(accountsApi.remove, refusal(503, "Alpaca cannot be reached right now."));
  show();
  const open = page.getByRole("button", { name: "Delete Main" });
  await open.click();
  await expect.element(page.getByRole("dialog", { name: "Delete Main" })).toBeVisible();
  await expect
    .element(dialog)
    .toHaveTextContent("Are you sure you want to delete this account? This action cannot be undone.");
  await expect.element(dialog.getByRole("group", { name: "2 positions worth $1,500.00" })).toBeVisible();
  await expect.element(dialog.getByRole("radio", { name: /^Leave them at the broker/ })).toBeChecked();
  await userEvent.keyboard("{Escape}");
  await expect.element(open).toHaveFocus();
  expect(refused).toEqual([]);

  await open.click();
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect.element(dialog.getByText("Failed to delete account", { exact: true })).toBeVisible();
  const { id } = LISTED;
  const deleted = answer(accountsApi.remove, { id, state: "deleted" });
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await says("Account deleted successfully!").toBeVisible();
  const closing = answer(accountsApi.remove, { id, state: "closing" });
  await open.click();
  await dialog.getByRole("radio", { name: /^Sell them first/ }).click();
  await dialog.getByRole("button", { name: "Sell and delete account" }).click();
  await expect.element(page.getByText(/^Main is being closed: 2 positions worth \$1,500\.00/)).toBeVisible();
  expect([refused, deleted, closing]).toEqual([[{ id }], [{ id }], [{ id, closePositions: "true" }]]);
});

test("shares whose stop the broker refuses are left without one where that is confirmed, and only then", async () => {
  answer(accountsApi.list, [{ ...LISTED, positions: { count: 1, value: 500 } }]);
  const issues = [{ path: "leaveBare", message: "The broker refuses a stop for 10 SPY." }];
  const refused = answer(accountsApi.remove, refusal(409, "The account is not deleted.", "conflict", issues));
  show();
  await page.getByRole("button", { name: "Delete Main" }).click();
  const confirmation = dialog.getByRole("switch", { name: "Leave these shares at the broker without a stop" });
  await expect.element(confirmation).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect.element(confirmation).toHaveAttribute("aria-checked", "false");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect.poll(() => refused).toHaveLength(2);
  const { id } = LISTED;
  const deleted = answer(accountsApi.remove, { id, state: "deleted" });
  await confirmation.click();
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await says("Account deleted successfully!").toBeVisible();
  expect([refused, deleted]).toEqual([[{ id }, { id }], [{ id, leaveBare: "true" }]]);
});

test("LIVE is confirmed by typing its number, with the limits in view", async () => {
  answer(accountsApi.list, [{ ...LISTED, environment: "LIVE", status: "INACTIVE" }]);
  answer(preferencesApi.readTrading, TRADING_PREFERENCES);
  const sent = answer(accountsApi.confirmLive, { ...LISTED, heldBy: "HOLD" });
  show();
  await page.getByRole("button", { name: "Confirm LIVE trading" }).click();
  for (const limit of [
    "at most 3 positions at once",
    "at most $1,000.00 in one of them",
    "orders aim at $1,000.00",
    "sold at a loss of 3% or a gain of 5%",
  ])
    await expect.element(dialog.getByText(limit, { exact: true })).toBeVisible();
  await expect.element(dialog.getByText(/^Paper Trading Only is on: nothing is traded here/)).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Confirm LIVE trading" });
  const typed = dialog.getByLabelText("Type LIVE 4821 to confirm");
  for (const wrong of ["", "LIVE", "live 4821", "LIVE 4820", "4821"]) {
    await typed.fill(wrong);
    await expect.element(confirm).toHaveAttribute("aria-disabled", "true");
  }
  await typed.fill("LIVE 4821");
  await confirm.click();
  await says("LIVE trading is confirmed for Main. HOLD").toBeVisible();
  expect(sent).toEqual([{ id: LISTED.id, confirmation: "LIVE 4821" }]);
});

test("who confirms LIVE reads what holds the account, and of a first order only where nothing is known to", async () => {
  const account = { ...LISTED, environment: "LIVE", status: "INACTIVE" } as const;
  answer(preferencesApi.readTrading, { ...TRADING_PREFERENCES, paperTradingOnly: false });
  for (const [changes, isPaused, told] of [
    [{ haltReason: "Positions differ" }, true, /^The account is halted: it trades once the halt is resolved/],
    [
      { stop: { state: "REDUCE_ONLY", source: "ADMIN", text: "STOP" } },
      true,
      "An administrator stopped the account. STOP",
    ],
    [{}, true, "Automation is paused: nothing is bought until you resume it, exits and stops keep working."],
    [{}, false, /^Unless something else holds it, the next look at the market may already send the first order\./],
  ] as const) {
    answer(accountsApi.list, [{ ...account, ...changes }]);
    answer(automationApi.readPause, { isPaused, since: null, reason: null });
    show();
    await page.getByRole("button", { name: "Confirm LIVE trading" }).click();
    await expect.element(dialog.getByText(told, { exact: true })).toBeVisible();
    expect(dialog.getByText(/the first order/).elements().length, String(told)).toBe(
      told instanceof RegExp && !isPaused ? 1 : 0,
    );
  }
});

test("no sentence promises trading while something else holds the account", async () => {
  const practice = { ...LISTED, broker: "PRACTICE", status: "PAUSED" } as const;
  for (const [heldBy, unpaused, opened] of [
    ["HOLD", "HOLD", "A fresh practice account was opened. HOLD"],
    [
      null,
      "Tradewind trades it again from its next look at the market.",
      "A fresh practice account was opened. Tradewind trades it from its next look at the market.",
    ],
  ] as const) {
    answer(accountsApi.list, [practice]);
    answer(accountsApi.setStatus, { ...LISTED, heldBy });
    answer(accountsApi.startAgain, { ...LISTED, heldBy });
    show();
    await own.getByRole("button", { name: "Unpause Main" }).click();
    await says(unpaused).toBeVisible();
    await own.getByRole("button", { name: "Start again" }).click();
    await dialog.getByRole("button", { name: "Start again" }).click();
    await says(opened).toBeVisible();
  }
});

test("without the flag practice_market the practice market is not offered", async () => {
  const offer = page.getByRole("button", { name: "Start on the practice market" });
  show();
  await expect.element(offer).toBeVisible();
  answer(flagsApi.read, { practice_market: false });
  show();
  await expect.element(page.getByText("No accounts yet")).toBeVisible();
  await expect.element(offer).not.toBeInTheDocument();
});

test("the equity of a practice account names its time market time, beside times of this day; that of a broker needs no name", async () => {
  const [equityAsOf, reconciledAt] = ["2018-02-02T20:00:00.000Z", "2026-11-22T15:00:00.000Z"];
  const practice = { name: "Practice", broker: "PRACTICE", equity: 1_000, equityAsOf, reconciledAt } as const;
  answer(
    accountsApi.list,
    listed([practice, { ...practice, name: "Real", broker: "ALPACA", equityAsOf: reconciledAt }]),
  );
  show();
  const rows = own.getByRole("listitem");
  await expect.element(rows.first()).toHaveTextContent("as of Fri 2 Feb 2018 15:00 ET market time");
  await expect.element(rows.first()).toHaveTextContent("as of Sun 22 Nov 2026 10:00 ET");
  await expect.element(rows.first()).not.toHaveTextContent("10:00 ET market time");
  await expect.element(rows.last()).not.toHaveTextContent("market time");
});
