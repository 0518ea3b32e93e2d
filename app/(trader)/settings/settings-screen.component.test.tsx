import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { channelsApi } from "@/lib/contracts/channels.ts";
import type { Call, Endpoint } from "@/lib/contracts/endpoint.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { LISTED as ACCOUNT } from "@/lib/proof/screen/account-answers.ts";
import { answer, bare, headersTo, refusal, unreachable } from "@/lib/proof/screen/answers.ts";
import { passes, query, says } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { TRADING_PREFERENCES as TRADING } from "@/lib/proof/screen/trading-preferences.ts";
import { SettingsScreen } from "./settings-screen.tsx";

const NOTIFICATIONS = {
  emailNotifications: true,
  orderNotifications: true,
  tradeNotifications: true,
  weeklySummary: true,
  systemAlerts: true,
};

const show = (address = "/settings", user = TRADER) => showPage(address, user, <SettingsScreen />);
const tab = (name: string) => page.getByRole("tab", { name, exact: true });
const tabs = () =>
  expect.poll(() =>
    page
      .getByRole("tab")
      .elements()
      .map(({ textContent }) => textContent),
  );
const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (label: string) => page.getByLabelText(label, { exact: true });

function isInView(element: Element | null): boolean {
  const { top, bottom } = element?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
  return top >= 0 && bottom <= window.innerHeight;
}

beforeEach(() => {
  answer(preferencesApi.readTrading, TRADING);
  answer(preferencesApi.readNotifications, NOTIFICATIONS);
  answer(preferencesApi.readProfile, { displayName: null, bio: null });
  // The form works without what each choice does in words.
  answer(preferencesApi.explain, refusal(404));
  answer(accountsApi.list, [ACCOUNT]);
  answer(channelsApi.readQuietHours, { quietHours: null });
  answer(channelsApi.readWebhook, { webhook: null });
  answer(channelsApi.readPush, { publicKey: null, subscriptions: [] });
  answer(channelsApi.deliveries, { deliveries: [] });
});

test("traders have five tabs, administrators three, and are shown the profile instead of a trader's tab", async () => {
  show();
  await tabs().toEqual(["Profile", "Security", "Notifications", "Trading", "API Keys"]);
  await expect.element(tab("Profile")).toHaveAttribute("aria-selected", "true");
  await tab("API Keys").click();
  const keys = page.getByRole("link", { name: "Manage API Keys" });
  await expect.element(keys).toHaveAttribute("href", "/alpaca-keys");
  await query().toBe("?tab=keys");

  const asked = answer(preferencesApi.readTrading, TRADING);
  for (const address of ["/settings?tab=trading", "/settings?tab=keys"]) {
    show(address, ADMIN);
    await tabs().toEqual(["Profile", "Security", "Notifications"]);
    await expect.element(tab("Profile")).toHaveAttribute("aria-selected", "true");
  }
  await tab("Notifications").click();
  await expect.element(page.getByRole("switch", { name: "Weekly Summary" })).toBeVisible();
  expect(asked).toEqual([]);
});

test("preferences are asked for a tenth of a second after the person is known, once, whichever tab is open, and saved whole, as numbers", async () => {
  const asked = answer(preferencesApi.readTrading, TRADING);
  const askedToo = answer(preferencesApi.readNotifications, NOTIFICATIONS);
  vi.useFakeTimers();
  show();
  const isShown = () => tab("Trading").query() !== null;
  await passes(isShown, 1);
  await vi.advanceTimersByTimeAsync(80);
  expect([asked, askedToo], "not at once").toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(30);
  await expect.poll(() => [asked.length, askedToo.length]).toEqual([1, 1]);
  vi.useRealTimers();
  await expect.element(field("Bio")).toBeVisible();
  await tab("Trading").click();
  await expect.element(field("Max Positions")).toBeVisible();
  await tab("Notifications").click();
  await expect.element(page.getByRole("switch", { name: "Weekly Summary" })).toBeVisible();
  expect([asked.length, askedToo.length], "no tab asks a second time").toEqual([1, 1]);
  expect(headersTo(preferencesApi.readTrading)).toMatchObject({
    "cache-control": "no-cache",
    pragma: "no-cache",
    "content-type": "application/json",
    authorization: expect.stringMatching(/^Bearer \S+/),
  });

  show("/settings?tab=trading");
  await expect.element(field("Max Positions")).toBeVisible();
  const entered = {
    "Max Positions": "7",
    "Max Position Value ($)": "2500.5",
    "Default Order Size ($)": "1500",
    "Profit Target (%)": "7.5",
    "Stop Loss (%)": "0.1",
    "Check Interval (minutes)": "15",
  };
  for (const [label, value] of Object.entries(entered)) await field(label).fill(value);
  for (const [label, value] of [
    ["Strategy", "BREAKOUT"],
    ["Risk Tolerance", "high"],
    ["Risk Level", "LOW"],
  ] as const)
    await field(label).selectOptions(value);
  const saved = answer(preferencesApi.saveTrading, TRADING);
  const before = asked.length;
  await button("Save Preferences").click();
  await says("Trading preferences saved successfully!").toBeVisible();
  expect(saved).toEqual([
    {
      defaultOrderSize: 1500,
      riskTolerance: "high",
      paperTradingOnly: true,
      maxPositions: 7,
      maxPositionValue: 2500.5,
      profitTarget: 7.5,
      stopLoss: 0.1,
      checkInterval: 15,
      strategy: "BREAKOUT",
      riskLevel: "LOW",
      basedOn: TRADING,
    },
  ]);
  // Read again for verification only: what came back is not put into the fields.
  await expect.poll(() => asked.length).toBe(before + 1);
  for (const [label, value] of Object.entries(entered)) await expect.element(field(label)).toHaveValue(Number(value));
});

test("preferences that could not be read are asked for again when their tab opens", async () => {
  const failed = answer(preferencesApi.readTrading, refusal(409));
  const failedToo = answer(preferencesApi.readNotifications, refusal(409));
  show();
  await expect.poll(() => [failed.length, failedToo.length]).toEqual([1, 1]);
  answer(preferencesApi.readTrading, TRADING);
  answer(preferencesApi.readNotifications, NOTIFICATIONS);
  await tab("Trading").click();
  await expect.element(field("Max Positions")).toBeVisible();
  await tab("Notifications").click();
  await expect.element(page.getByRole("switch", { name: "Weekly Summary" })).toBeVisible();
});

test("trading preferences that another device changed show when they are read again; what is typed here stays", async () => {
  answer(preferencesApi.readTrading, TRADING);
  show("/settings?tab=trading");
  await field("Max Positions").fill("7");
  answer(preferencesApi.readTrading, { ...TRADING, stopLoss: 2.5, maxPositions: 9 });
  // A browser asks again when its window is looked at again.
  await expect
    .poll(() => {
      globalThis.dispatchEvent(new Event("visibilitychange"));
      return field("Stop Loss (%)").element();
    })
    .toHaveValue(2.5);
  await expect.element(field("Max Positions")).toHaveValue(7);
  const saved = answer(preferencesApi.saveTrading, TRADING);
  await button("Save Preferences").click();
  await says("Trading preferences saved successfully!").toBeVisible();
  expect(saved).toMatchObject([{ stopLoss: 2.5, maxPositions: 7 }]);
});

test("what another window set after a save here shows, though nothing was read in between", async () => {
  answer(preferencesApi.readTrading, { ...TRADING, paperTradingOnly: false });
  show("/settings?tab=trading");
  const paperOnly = page.getByRole("switch", { name: "Paper Trading Only" });
  await paperOnly.click();
  answer(preferencesApi.saveTrading, { ...TRADING, paperTradingOnly: true });
  // The reading that follows the save finds what the other window has set meanwhile, which is what was read before.
  const reads = answer(preferencesApi.readTrading, { ...TRADING, paperTradingOnly: false });
  await button("Save Preferences").click();
  await says("Trading preferences saved successfully!").toBeVisible();
  await expect.poll(() => reads.length).toBeGreaterThan(0);
  await expect.element(paperOnly).not.toBeChecked();
});

test("a save of outdated settings brings back nothing: the newer ones are loaded on request, and what was changed here stays", async () => {
  answer(preferencesApi.readTrading, { ...TRADING, paperTradingOnly: false });
  show("/settings?tab=trading");
  await field("Stop Loss (%)").fill("2");
  const message = "Nothing was saved, because these settings were changed elsewhere since they were read: X.";
  const issues = [{ path: "basedOn", message }];
  const refused = answer(preferencesApi.saveTrading, refusal(409, message, "conflict", issues));
  await button("Save Preferences").click();
  await says(`Failed to save trading settings: ${message}`).toBeVisible();
  expect(refused).toMatchObject([
    { paperTradingOnly: false, stopLoss: 2, basedOn: { paperTradingOnly: false, stopLoss: 3 } },
  ]);
  answer(preferencesApi.readTrading, TRADING);
  await button("Load the newer settings").click();
  await expect.element(page.getByRole("switch", { name: "Paper Trading Only" })).toBeChecked();
  await expect.element(field("Stop Loss (%)")).toHaveValue(2);
  const saved = answer(preferencesApi.saveTrading, TRADING);
  await button("Save Preferences").click();
  await says("Trading preferences saved successfully!").toBeVisible();
  expect(saved).toMatchObject([{ paperTradingOnly: true, stopLoss: 2, basedOn: { paperTradingOnly: true } }]);
});

test("a save of the notification settings shows what is stored, though they cannot be read again", async () => {
  show("/settings?tab=notifications");
  const weekly = page.getByRole("switch", { name: "Weekly Summary" });
  await expect.element(weekly).toBeChecked();
  await page.getByRole("switch", { name: "System Alerts" }).click();
  // A mail's link had turned the summary off meanwhile.
  const stored = { ...NOTIFICATIONS, systemAlerts: false, weeklySummary: false };
  answer(preferencesApi.saveNotifications, stored);
  answer(preferencesApi.readNotifications, refusal(503));
  await button("Save Preferences").click();
  await says("Notification preferences saved successfully!").toBeVisible();
  await expect.element(weekly).not.toBeChecked();
  const saved = answer(preferencesApi.saveNotifications, stored);
  await button("Save Preferences").click();
  await expect.poll(() => saved).toEqual([{ ...stored, basedOn: stored }]);
});

test("quiet hours that another window set show when they are read again, and no save here brings back those of before", async () => {
  const evening = { from: 22 * 60, to: 7 * 60, timeZone: "America/New_York" };
  answer(channelsApi.readQuietHours, { quietHours: evening });
  show("/settings?tab=notifications");
  await expect.element(field("From")).toHaveValue("22:00");
  await field("To").fill("08:30");
  answer(channelsApi.readQuietHours, { quietHours: { ...evening, from: 20 * 60 } });
  await expect
    .poll(() => {
      globalThis.dispatchEvent(new Event("visibilitychange"));
      return field("From").element();
    })
    .toHaveValue("20:00");
  await expect.element(field("To")).toHaveValue("08:30");
  const saved = answer(channelsApi.saveQuietHours, { quietHours: null });
  await button("Save quiet hours").click();
  await says("Quiet hours saved").toBeVisible();
  expect(saved).toEqual([{ quietHours: { ...evening, from: 20 * 60, to: 8 * 60 + 30 } }]);
});

test("quiet hours in force are not called off while a time is cleared, and no success stands beside a failure", async () => {
  const quietHours = { from: 22 * 60, to: 7 * 60, timeZone: "America/New_York" };
  answer(channelsApi.readQuietHours, { quietHours });
  answer(channelsApi.saveQuietHours, { quietHours });
  show("/settings?tab=notifications");
  await button("Save quiet hours").click();
  await says("Quiet hours saved").toBeVisible();
  answer(channelsApi.saveQuietHours, refusal(503, "Try again."));
  await button("Save quiet hours").click();
  await says("The quiet hours were not saved").toBeVisible();
  await says("Quiet hours saved").not.toBeInTheDocument();
  await field("From").fill("");
  await says("Off: emails and browser notifications arrive at any hour.").not.toBeInTheDocument();
});

test("on a phone, what a save came to is brought into view", async () => {
  await page.viewport(390, 844);
  show("/settings?tab=trading");
  answer(preferencesApi.saveTrading, TRADING);
  for (const said of ["Trading preferences saved successfully!", "Failed to save trading settings: Try again."]) {
    await button("Save Preferences").click();
    await expect.poll(() => isInView(page.getByText(said).query())).toBe(true);
    answer(preferencesApi.saveTrading, refusal(409, "Try again."));
  }
  await page.viewport(1280, 800);
});

test("the tab shows what was saved when it is left and opened again at once", async () => {
  show("/settings?tab=trading");
  await field("Max Positions").fill("7");
  answer(preferencesApi.saveTrading, TRADING);
  answer(preferencesApi.readTrading, { ...TRADING, maxPositions: 7 });
  await button("Save Preferences").click();
  await says("Trading preferences saved successfully!").toBeVisible();
  await tab("Profile").click();
  await expect.element(field("Bio")).toBeVisible();
  const shown: string[] = [];
  await tab("Trading").click();
  await expect
    .poll(() => {
      const value = (field("Max Positions").query() as HTMLInputElement | null)?.value;
      if (value !== undefined) shown.push(value);
      return value;
    })
    .toBe("7");
  expect(new Set(shown)).toEqual(new Set(["7"]));
});

for (const [what, accounts, isShown] of [
  ["a paused account", [{ ...ACCOUNT, status: "PAUSED" as const }], true],
  ["an account without keys", [{ ...ACCOUNT, hasKeys: false, alpacaKey: null }], true],
  [
    "one of two",
    [
      { ...ACCOUNT, status: "PAUSED" as const },
      { ...ACCOUNT, id: "another" },
    ],
    false,
  ],
  ["a failure, which is only logged", refusal(409, "The database is unavailable."), false],
] as const)
  test(`'Need Alpaca Keys' is ${isShown ? "shown" : "not shown"} with ${what}`, async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const asked = answer(accountsApi.list, "status" in accounts ? accounts : [...accounts]);
    show("/settings?tab=trading");
    await expect.element(field("Strategy")).toBeVisible();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    if (isShown) return says("Need Alpaca Keys").toBeVisible();
    await says("Need Alpaca Keys").not.toBeInTheDocument();
    if (!("status" in accounts)) return;
    await expect.poll(() => logged.mock.calls.map(([said]) => String(said))).toContain("accounts for the keys notice");
    const sentence = page.getByRole("main").getByText("The database is unavailable.");
    await expect.element(sentence).not.toBeInTheDocument();
  });

test("without an address the password is not changed", async () => {
  const sent = answer(authCalls.changePassword, refusal(409));
  show("/settings?tab=security", { ...TRADER, email: "" });
  for (const label of ["Current password", "New password", "Confirm new password"])
    await field(label).fill("Leeward-43-sails");
  await button("Update Password").click();
  await says("User email not found").toBeVisible();
  expect(sent).toEqual([]);
});

test("a browser that shows notifications names itself when the password is changed in it", async () => {
  const pushEndpoint = "https://push.example.com/own";
  const registration = { pushManager: { getSubscription: async () => ({ endpoint: pushEndpoint }) } };
  vi.spyOn(navigator.serviceWorker, "getRegistration").mockResolvedValue(registration as never);
  const sent = answer(authCalls.changePassword, refusal(409));
  show("/settings?tab=security");
  for (const label of ["Current password", "New password", "Confirm new password"])
    await field(label).fill("Leeward-43-sails");
  await button("Update Password").click();
  await expect.poll(() => sent).toMatchObject([{ pushEndpoint }]);
});

const PASSWORDS = { "Current password": "Old-word-1", "New password": "Abcdefg1", "Confirm new password": "Abcdefg1" };
const nested = (message: string) => bare(409, { success: false, data: null, error: { message }, code: "x" });

/** Tab, what is entered, the button, the call, what it sends, and what is said of each answer. */
const SAVES = [
  {
    of: "profile",
    enter: () => page.getByLabelText("Bio").fill("Sails."),
    press: "Save Profile",
    call: preferencesApi.saveProfile,
    sends: { displayName: "", bio: "Sails." },
    answers: [
      [refusal(409), "Failed to save profile settings: Unknown error"],
      [unreachable(), "Failed to save profile settings: Unknown error"],
      [
        refusal(409, "profile settings not yet implemented"),
        "Failed to save profile settings: profile settings not yet implemented",
      ],
    ],
  },
  {
    of: "notifications",
    enter: () => page.getByRole("switch", { name: "System Alerts" }).click(),
    press: "Save Preferences",
    call: preferencesApi.saveNotifications,
    sends: { ...NOTIFICATIONS, systemAlerts: false, basedOn: NOTIFICATIONS },
    answers: [
      [refusal(409, "The sea is rough."), "Failed to save notifications settings: The sea is rough."],
      [refusal(409), "Failed to save notifications settings: Failed to save notification preferences"],
      [unreachable(), "Failed to save notifications settings: Failed to save notification preferences"],
      [{ ...NOTIFICATIONS, systemAlerts: false }, "Notification preferences saved successfully!"],
    ],
  },
  {
    of: "trading",
    enter: () => field("Max Positions").fill(""),
    press: "Save Preferences",
    call: preferencesApi.saveTrading,
    // An empty field is no number.
    sends: { ...TRADING, maxPositions: null, basedOn: TRADING },
    answers: [
      [nested("Max Positions must be a number."), "Failed to save trading settings: Max Positions must be a number."],
      [refusal(409, "The sea is rough."), "Failed to save trading settings: The sea is rough."],
      [refusal(409), "Failed to save trading settings: Failed to save trading preferences"],
      [unreachable(), "Failed to save trading settings: Failed to save trading preferences"],
      [TRADING, "Trading preferences saved successfully!"],
    ],
  },
  {
    of: "security",
    enter: async () => {
      for (const [label, value] of Object.entries(PASSWORDS)) await field(label).fill(value);
    },
    press: "Update Password",
    call: authCalls.changePassword,
    sends: { email: TRADER.email, currentPassword: "Old-word-1", newPassword: "Abcdefg1" },
    answers: [
      [refusal(409, "Nope."), "Failed to save security settings: Nope."],
      [nested("Nested."), "Failed to save security settings: Nested."],
      [bare(409, { success: false, data: null }), "Failed to save security settings: Failed to change password"],
      [bare(200, ""), "Failed to save security settings: Empty response"],
      [unreachable(), "Failed to save security settings: Failed to change password"],
    ],
  },
] as const;

for (const { of, enter, press, call, sends, answers } of SAVES)
  test(`a save of the ${of} settings sends what it should once, rests meanwhile, and says how it ended in the specified words`, async () => {
    show(`/settings?tab=${of}`);
    await expect.element(button(press)).toBeEnabled();
    await enter();
    for (const [reply, sentence] of answers) {
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const sent = answer<Endpoint>(call as Call<Endpoint>, () => held.then(() => reply));
      await button(press).dblClick();
      await expect.element(button("Saving...")).toHaveAttribute("aria-disabled", "true");
      letGo();
      await says(sentence).toBeVisible();
      await expect.element(button(press)).not.toHaveAttribute("aria-disabled", "true");
      expect(sent).toEqual([sends]);
    }
  });
