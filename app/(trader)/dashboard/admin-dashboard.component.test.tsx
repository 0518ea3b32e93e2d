import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { consoleApi } from "@/lib/contracts/console.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { METRICS } from "@/lib/proof/screen/console-answers.ts";
import { expectStaleLegible, passes, says } from "@/lib/proof/screen/look.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { NO_TRADES } from "@/lib/proof/screen/trade-answers.ts";
import { DashboardScreen } from "./dashboard-screen.tsx";

const show = () => showPage("/dashboard", ADMIN, <DashboardScreen />);
const card = (name: string) => expect.element(page.getByRole("region", { name }));

beforeEach(() => {
  answer(tradesApi.listAll, NO_TRADES);
});

test("an administrator has a dashboard that is made of the metrics", async () => {
  const portfolioSummary = { ...METRICS.portfolioSummary, totalValue: 110_000, pnlTotal: 10_000, cash: 5.5 };
  answer(consoleApi.metrics, { ...METRICS, systemStatus: "PAUSED", portfolioSummary });
  show();
  await card("Total Portfolio").toHaveTextContent("$110,000.00");
  await card("P&L").toHaveTextContent("+$10,000.00");
  await card("P&L").toHaveTextContent("+10.00%");
  await card("Cash").toHaveTextContent("$5.50");
  await card("System").toHaveTextContent("PAUSED");
  await card("Active Positions").not.toBeInTheDocument();
});

test("an administrator's dashboard says that the metrics could not be read, and shows zeros below", async () => {
  answer(consoleApi.metrics, refusal(503, "The database is unavailable."));
  show();
  await says("Failed to load dashboard data").toBeVisible();
  await card("Total Portfolio").toHaveTextContent("$0.00");
  await card("System").toHaveTextContent("The state of the system could not be read.");
});

test("an administrator's dashboard asks for no account and offers no start of trading", async () => {
  answer(consoleApi.metrics, METRICS);
  const accounts = answer(accountsApi.list, []);
  show();
  await card("Trade stats").toHaveTextContent("Total Trades");
  for (const name of ["Total Portfolio", "P&L", "Cash", "Buying Power"]) await card(name).toHaveTextContent("$");
  await card("Active Positions").not.toBeInTheDocument();
  await card("Ready to Start Trading?").not.toBeInTheDocument();
  expect(accounts).toEqual([]);
});

test("an administrator's stale figures keep their contrast in both themes", async () => {
  vi.useFakeTimers();
  answer(consoleApi.metrics, METRICS);
  show();
  await passes(() => page.getByRole("region", { name: "Trade stats" }).elements().length > 0, 100);
  await expectStaleLegible("the administrator's dashboard");
});

test("trades of another environment than the metrics are waited for, and never stand as zero", async () => {
  const summary = { ...NO_TRADES.summary, totalTrades: 12 };
  answer(consoleApi.metrics, { ...METRICS, environment: "PAPER", environments: ["PAPER", "PRACTICE"] });
  answer(tradesApi.listAll, { ...NO_TRADES, environment: "PRACTICE", summary });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show();
  await card("Trade stats").toBeVisible();
  await card("System").toHaveTextContent("Total Users");
  await card("Trade stats").not.toHaveTextContent("Total Trades");
  answer(tradesApi.listAll, { ...NO_TRADES, environment: "PAPER", summary });
  await passes(() => page.getByText("Total Trades", { exact: true }).elements().length > 0);
  await card("Trade stats").toHaveTextContent("Total Trades12");
});
