import { expect, type Page } from "@playwright/test";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

/**
 * The tables of the settings: what is sent, what is said of each answer, when it is asked. Nothing is written: the
 * tests answer in the server's place.
 */

const says = (page: Page, text: string) => page.getByText(text, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const TRADING = {
  defaultOrderSize: 1000,
  riskTolerance: "medium",
  paperTradingOnly: true,
  maxPositions: 3,
  maxPositionValue: 1000,
  profitTarget: 5,
  stopLoss: 3,
  checkInterval: 5,
  strategy: "MOMENTUM",
  riskLevel: "MEDIUM",
};
const NOTIFICATIONS = {
  emailNotifications: true,
  orderNotifications: true,
  tradeNotifications: true,
  weeklySummary: true,
  systemAlerts: true,
};
const ACCOUNT = {
  id: "01a1fd31-0000-7000-8000-000000000001",
  name: "Main",
  accountType: "INDIVIDUAL",
  environment: "PAPER",
  broker: "PRACTICE",
  status: "ACTIVE",
  alpacaKey: "TPAAAAAA",
  access: "KEYS",
  hasKeys: true,
  haltReason: null,
  createdAt: "2026-11-21T07:38:37.004Z",
};

interface Answer {
  status?: number;
  json: object;
}

const data = (given: unknown): Answer => ({ json: { success: true, data: given, error: null } });
const refusal = (error: unknown): Answer => ({ status: 409, json: { success: false, data: null, error, code: "x" } });

/** What the server is asked and what it answers, by "METHOD /path"; an answer that waits is let go by the test. */
async function stage(page: Page, answers: Record<string, Answer>) {
  const sent: { call: string; body: unknown; headers: Record<string, string> }[] = [];
  let release = () => {};
  let isHolding = false;
  await page.route("**/api/v1/**", async (route) => {
    const request = route.request();
    const call = `${request.method()} ${new URL(request.url()).pathname.replace("/api/v1", "")}`;
    const answer = answers[call];
    if (answer === undefined) return route.fallback();
    sent.push({ call, body: request.postDataJSON() as unknown, headers: request.headers() });
    if (isHolding && request.method() !== "GET") await new Promise<void>((resolve) => (release = resolve));
    await route.fulfill(answer);
  });
  return {
    answers,
    of: (call: string) => sent.filter((each) => each.call === call),
    hold: () => void (isHolding = true),
    letGo: () => {
      isHolding = false;
      release();
    },
  };
}

const CALLS = {
  "GET /preferences/trading": data(TRADING),
  "GET /preferences/notifications": data(NOTIFICATIONS),
  "GET /preferences/profile": data({ displayName: null, bio: null }),
  "GET /accounts": data([ACCOUNT]),
};

test.beforeEach(async ({ page }) => {
  await signInAs(page, run().demo.trader);
});

test("trading preferences are asked for a tenth of a second after the person is known, and saved whole, as numbers", async ({
  page,
}) => {
  const server = await stage(page, { ...CALLS, "PUT /preferences/trading": data(TRADING) });
  await page.clock.install();
  await load(page, "/settings");
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole("tab", { name: "Trading", exact: true }).click();
  await expect(says(page, "Loading preferences...")).toBeVisible();
  await page.clock.runFor(90);
  expect(server.of("GET /preferences/trading"), "not at once").toEqual([]);
  await page.clock.runFor(30);
  await expect.poll(() => server.of("GET /preferences/trading").length).toBe(1);
  await page.clock.resume();
  expect(server.of("GET /preferences/trading")[0]?.headers).toMatchObject({
    "cache-control": "no-cache",
    pragma: "no-cache",
    "content-type": "application/json",
    authorization: expect.stringMatching(/^Bearer \S+$/),
  });

  const entered = {
    "Max Positions": "7",
    "Max Position Value ($)": "2500.5",
    "Default Order Size ($)": "1500",
    "Profit Target (%)": "7.5",
    "Stop Loss (%)": "0.1",
    "Check Interval (minutes)": "15",
  };
  for (const [label, value] of Object.entries(entered)) await page.getByLabel(label, { exact: true }).fill(value);
  for (const [label, value] of [
    ["Strategy", "BREAKOUT"],
    ["Risk Tolerance", "high"],
    ["Risk Level", "LOW"],
  ] as const) {
    await page.getByLabel(label, { exact: true }).selectOption(value);
  }
  await button(page, "Save Preferences").click();
  await expect(says(page, "Trading preferences saved successfully!")).toBeVisible();
  expect(server.of("PUT /preferences/trading").map(({ body }) => body)).toEqual([
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
    },
  ]);
  // Read again for verification only: what came back is not put into the fields.
  await expect.poll(() => server.of("GET /preferences/trading").length).toBe(2);
  for (const [label, value] of Object.entries(entered)) {
    await expect(page.getByLabel(label, { exact: true }), label).toHaveValue(value);
  }
});

test("'Need Alpaca Keys' shows without an active account with keys; a failed look at the accounts is only logged", async ({
  page,
}) => {
  const server = await stage(page, { ...CALLS });
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  const notice = says(page, "Need Alpaca Keys");
  for (const [what, answer, isShown] of [
    ["a paused account", data([{ ...ACCOUNT, status: "PAUSED" }]), true],
    ["an account without keys", data([{ ...ACCOUNT, hasKeys: false, alpacaKey: null }]), true],
    ["one of two", data([{ ...ACCOUNT, status: "PAUSED" }, ACCOUNT]), false],
    ["a failure", refusal("The database is away."), false],
  ] as const) {
    server.answers["GET /accounts"] = answer;
    const asked = page.waitForResponse((response) => response.url().endsWith("/api/v1/accounts"));
    await load(page, "/settings?tab=trading");
    await asked;
    await expect(page.getByLabel("Strategy", { exact: true }), what).toBeVisible();
    await expect(notice, what).toHaveCount(isShown ? 1 : 0);
  }
  await expect.poll(() => logged.join("\n")).toContain("accounts for the keys notice");
  await expect(page.getByRole("main").getByText("The database is away.")).toHaveCount(0);
});

const PASSWORDS = { "Current password": "Old-word-1", "New password": "Abcdefg1", "Confirm new password": "Abcdefg1" };

/** Tab, what is entered, the button, the call, what it sends, and what is said of each answer. */
const SAVES: {
  tab: string;
  enter: (page: Page) => Promise<void>;
  press: string;
  call: string;
  sends: object;
  answers: [Answer, string][];
}[] = [
  {
    tab: "profile",
    enter: (page) => page.getByLabel("Bio").fill("Sails."),
    press: "Save Profile",
    call: "PUT /preferences/profile",
    sends: { displayName: "", bio: "Sails." },
    answers: [
      [refusal(""), "Failed to save profile settings: Unknown error"],
      [
        refusal("profile settings not yet implemented"),
        "Failed to save profile settings: profile settings not yet implemented",
      ],
    ],
  },
  {
    tab: "notifications",
    enter: (page) => page.getByRole("switch", { name: "System Alerts" }).click(),
    press: "Save Preferences",
    call: "PUT /preferences/notifications",
    sends: { ...NOTIFICATIONS, systemAlerts: false },
    answers: [
      [refusal("The sea is rough."), "Failed to save notifications settings: The sea is rough."],
      [refusal(""), "Failed to save notifications settings: Failed to save notification preferences"],
      [data({ ...NOTIFICATIONS, systemAlerts: false }), "Notification preferences saved successfully!"],
    ],
  },
  {
    tab: "trading",
    enter: (page) => page.getByLabel("Max Positions", { exact: true }).fill(""),
    press: "Save Preferences",
    call: "PUT /preferences/trading",
    // An empty field is no number.
    sends: { ...TRADING, maxPositions: null },
    answers: [
      [
        refusal({ message: "Max Positions must be a number." }),
        "Failed to save trading settings: Max Positions must be a number.",
      ],
      [refusal(""), "Failed to save trading settings: Failed to save trading preferences"],
      [data(TRADING), "Trading preferences saved successfully!"],
    ],
  },
  {
    tab: "security",
    enter: async (page) => {
      for (const [label, value] of Object.entries(PASSWORDS)) {
        await page.getByLabel(label, { exact: true }).fill(value);
      }
    },
    press: "Update Password",
    call: "PUT /auth/change-password",
    sends: { currentPassword: "Old-word-1", newPassword: "Abcdefg1" },
    answers: [
      [refusal("Nope."), "Failed to save security settings: Nope."],
      [refusal({ message: "Nested." }), "Failed to save security settings: Nested."],
      [refusal(undefined), "Failed to save security settings: Failed to change password"],
    ],
  },
];

test("every save sends what it should once, rests meanwhile, and says how it ended in the specified words", async ({
  page,
}) => {
  const { email } = run().demo.trader;
  const server = await stage(page, { ...CALLS });
  // What a refused save leaves unsaved is asked about on the way to the next tab.
  page.on("dialog", (dialog) => void dialog.accept());
  for (const { tab, enter, press, call, sends, answers } of SAVES) {
    await load(page, `/settings?tab=${tab}`);
    await expect(button(page, press), tab).toBeEnabled();
    await enter(page);
    for (const [answer, sentence] of answers) {
      server.answers[call] = answer;
      const before = server.of(call).length;
      server.hold();
      await button(page, press).dblclick();
      await expect(button(page, "Saving..."), tab).toBeDisabled();
      server.letGo();
      await expect(says(page, sentence), sentence).toBeVisible();
      await expect(button(page, press), tab).toBeEnabled();
      expect(server.of(call).slice(before), `${tab}: once`).toHaveLength(1);
      expect(server.of(call).at(-1)?.body).toEqual(tab === "security" ? { email, ...sends } : sends);
    }
  }
});
