import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { consoleApi } from "@/lib/contracts/console.ts";
import { practiceMarketApi } from "@/lib/contracts/practice-market.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import {
  activity,
  type Metrics,
  METRICS,
  NO_PRACTICE_MARKET,
  READINESS,
  SUCCESS,
} from "@/lib/proof/screen/console-answers.ts";
import { colourOf, inTheme, passes, says } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AdminScreen } from "./admin-screen.tsx";

const show = () => showPage("/admin", ADMIN, <AdminScreen />);
const card = (name: string) => page.getByRole("region", { name });

beforeEach(() => {
  answer(consoleApi.metrics, METRICS);
  answer(consoleApi.tradingSuccessRate, SUCCESS);
  answer(consoleApi.recentActivity, { activities: [] });
  answer(consoleApi.readiness, READINESS);
  answer(practiceMarketApi.read, NO_PRACTICE_MARKET);
});

test("an administrator sees four events of those that came", async () => {
  answer(consoleApi.recentActivity, { activities: Array.from({ length: 9 }, (_, nth) => activity(nth)) });
  show();
  await expect.element(card("Recent Activity").getByRole("listitem")).toHaveLength(4);
});

for (const [systemStatus, colour] of [
  ["RUNNING", "green"],
  ["STOPPED", "red"],
  ["PAUSED", "yellow"],
  ["DEGRADED", "yellow"],
] as const)
  test(`an administrator sees a system that is ${systemStatus} in ${colour}`, async () => {
    answer(consoleApi.metrics, { ...METRICS, systemStatus });
    show();
    for (const theme of ["light", "dark"] as const) {
      inTheme(theme);
      const status = card("System Status").getByText(systemStatus, { exact: true });
      expect(await colourOf(status), theme).toBe(colour);
    }
  });

for (const [label, colour] of [
  ["risk_on", "green"],
  ["risk_off", "red"],
  ["neutral", "yellow"],
] as const)
  test(`an administrator sees the regime ${label} in ${colour}`, async () => {
    const regimeSignals = {
      regime_label: label,
      market: "PRACTICE",
      sessionDate: "2020-02-03",
      vix: 20,
      votes: 1,
    } as const;
    answer(consoleApi.metrics, { ...METRICS, regimeSignals });
    show();
    expect(await colourOf(card("Market Regime").getByText(label, { exact: true }))).toBe(colour);
  });

test("an administrator reads what could not be loaded, and asks again", async () => {
  answer(consoleApi.metrics, refusal(503, "The database is unavailable."));
  show();
  await says("Failed to load metrics").toBeVisible();
  await says("The database is unavailable.").toBeVisible();
  answer(consoleApi.metrics, METRICS);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(card("System Status")).toBeVisible();
  await says("Failed to load metrics").not.toBeInTheDocument();
});

const user = (id: string, lastName: string): Metrics["userHealth"][number] => ({
  id,
  firstName: "Uma",
  lastName,
  email: `${id}@tradewind.test`,
  role: "USER",
  createdAt: "2026-01-05T15:00:00.000Z",
  isDisabled: false,
  killState: "NONE",
  isPaused: false,
  accounts: [],
});
const FIRST: Metrics = {
  ...METRICS,
  userHealth: [user("u1", "Newest")],
  pagination: { nextCursor: "later", limit: 1 },
};
const LATER: Metrics = { ...METRICS, userHealth: [user("u2", "Oldest")], pagination: { nextCursor: null, limit: 1 } };
const users = card("User Health");

test("on a later page of users the figures of the overview and the page itself go on being read", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(consoleApi.metrics, ({ cursor }) => (cursor === undefined ? FIRST : LATER));
  show();
  await expect.element(users).toHaveTextContent("Uma Newest");
  await users.getByRole("button", { name: "Older" }).click();
  await expect.element(users).toHaveTextContent("Uma Oldest");
  await expect.element(users).toHaveTextContent("2–2 of 12 users");
  const stopped: Metrics = { ...FIRST, systemStatus: "STOPPED" };
  const disabled = { ...LATER, userHealth: [{ ...user("u2", "Oldest"), isDisabled: true }] };
  answer(consoleApi.metrics, ({ cursor }) => (cursor === undefined ? stopped : disabled));
  await passes(() => card("System Status").getByText("STOPPED", { exact: true }).elements().length > 0);
  await passes(() => users.getByText("Disabled").elements().length > 0);
});

test("figures of the overview that are no longer read are marked as stale on a later page of users too", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(consoleApi.metrics, ({ cursor }) => (cursor === undefined ? FIRST : LATER));
  show();
  await users.getByRole("button", { name: "Older" }).click();
  await expect.element(users).toHaveTextContent("Uma Oldest");
  answer(consoleApi.metrics, refusal(503, "The database is unavailable."));
  await passes(() => page.getByText("stale", { exact: true }).elements().length > 0);
  await expect.element(users).toHaveTextContent("Failed to load users");
  await expect.element(users).toHaveTextContent("Uma Oldest");
});

test("a later page of users that cannot be read leaves the figures, and the way back", async () => {
  answer(consoleApi.metrics, ({ cursor }) =>
    cursor === undefined ? FIRST : refusal(409, "The database is unavailable."),
  );
  show();
  await users.getByRole("button", { name: "Older" }).click();
  await expect.element(users).toHaveTextContent("Failed to load usersThe database is unavailable.");
  await expect.element(card("System Status")).toBeVisible();
  await says("Failed to load metrics").not.toBeInTheDocument();
  await users.getByRole("button", { name: "Newer" }).click();
  await expect.element(users).toHaveTextContent("Uma Newest");
});
