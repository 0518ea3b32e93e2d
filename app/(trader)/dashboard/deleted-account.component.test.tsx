import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { answerDashboard, BEAT, NOTHING, TODAY } from "@/lib/proof/screen/dashboard-answers.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

const NONE = { environment: null, environments: [] };
const card = (name: string) => expect.element(page.getByRole("region", { name, exact: true }));

beforeEach(() => {
  answerDashboard();
  answer(flagsApi.read, { practice_market: true });
  answer(portfolioApi.summary, NOTHING);
  answer(accountsApi.list, []);
  answer(insightApi.today, { ...TODAY, ...NONE, session: null, asOf: null, timeline: [] });
  answer(insightApi.daily, { ...NONE, isOn: true, brief: null });
});

const beat = (hasDecided: boolean) =>
  answer(automationApi.heartbeat, {
    ...BEAT,
    ...NONE,
    marketScreening: { status: "IDLE", lastRunAt: null, nextRunAt: null },
    orderStatusUpdate: { status: "IDLE", lastRunAt: null },
    lastDecision: null,
    hasDecided,
  });

test("without an account, no card denies what was done for the one that was deleted", async () => {
  beat(true);
  showPage("/dashboard", TRADER, <DashboardScreen />);
  await card("Automation").toHaveTextContent("Last run—");
  await card("Automation").toHaveTextContent("No account is looked at now.");
  await card("Timeline").toHaveTextContent("No account is connected.");
  await page.getByRole("region", { name: "Insight of the day" }).getByRole("button", { name: "Show" }).click();
  await card("Insight of the day").toHaveTextContent("No account is connected.");
});

test("a look at the market from before the account is not told as one of its own", async () => {
  answerDashboard();
  const NOTE = "of the market; yours comes next";
  answer(automationApi.heartbeat, { ...BEAT, lastDecision: null, hasDecided: false });
  showPage("/dashboard", TRADER, <DashboardScreen />);
  await card("Automation").toHaveTextContent(`10:40 ET${NOTE}`);
  answer(automationApi.heartbeat, BEAT);
  showPage("/dashboard", TRADER, <DashboardScreen />);
  await card("Automation").toHaveTextContent("502 looked at");
  await card("Automation").not.toHaveTextContent(NOTE);
});

test("who never had an account was never looked at", async () => {
  beat(false);
  showPage("/dashboard", TRADER, <DashboardScreen />);
  await card("Automation").toHaveTextContent("Last runNever");
  await card("Automation").toHaveTextContent("No look at the market yet.");
});
