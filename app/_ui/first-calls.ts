import { addressOfRead } from "@/lib/client/api.ts";
import { accessTokensApi } from "@/lib/contracts/access-tokens.ts";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { consoleApi } from "@/lib/contracts/console.ts";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { systemApi } from "@/lib/contracts/system.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import type { RoleName } from "@/lib/domain/enums.ts";
import { PAGE_ROWS } from "./page-rows.ts";

/**
 * The first reads of each page, path → addresses, for the role: what its screen asks for as soon as it is there. They are
 * few, because they share the line with the page's code; one that no screen asks for would be a wasted call
 * (e2e/first-calls.spec.ts).
 */
export function firstCallsOf(role: RoleName): Record<string, string[]> {
  const me = addressOfRead(authCalls.me, {});
  const market = addressOfRead(automationApi.market, {});
  const accounts = addressOfRead(accountsApi.list, {});
  const daily = addressOfRead(logsApi.dailyReview, {});
  const lines = addressOfRead(logsApi.tail, { limit: PAGE_ROWS.logLines });
  const decisions = addressOfRead(decisionsApi.list, { limit: PAGE_ROWS.decisions });
  const security = [securityApi.read, securityApi.signIns, accessTokensApi.list].map((each) => addressOfRead(each, {}));
  const newest = { sort: "date", direction: "desc", limit: PAGE_ROWS.trades } as const;
  const notifications = addressOfRead(notificationsApi.list, { limit: PAGE_ROWS.notifications });
  if (role === "ADMIN") {
    return {
      "/dashboard": [me, market, addressOfRead(consoleApi.metrics, { limit: 1 })],
      "/admin": [me, market, addressOfRead(consoleApi.metrics, { limit: PAGE_ROWS.userHealth })],
      "/admin/system": [me, market, addressOfRead(systemApi.read, {})],
      "/trade-history": [me, market, addressOfRead(tradesApi.listAll, newest)],
      "/decisions": [me, market, decisions],
      "/logs": [me, market, daily, lines],
      "/performance": [me, market, addressOfRead(performanceApi.read, {})],
      "/backtest": [me, market, addressOfRead(backtestsApi.list, { limit: PAGE_ROWS.backtests })],
      "/settings": [me, market],
      "/notifications": [me, market, notifications],
      "/security": [me, market, ...security],
    };
  }
  return {
    "/dashboard": [
      me,
      market,
      accounts,
      addressOfRead(portfolioApi.summary, {}),
      addressOfRead(portfolioApi.positions, {}),
      addressOfRead(automationApi.heartbeat, {}),
      addressOfRead(insightApi.today, {}),
    ],
    "/alpaca-keys": [me, market, accounts, addressOfRead(flagsApi.read, {})],
    "/trade-history": [me, market, addressOfRead(tradesApi.list, newest)],
    "/decisions": [me, market, decisions],
    "/logs": [me, market, daily, lines],
    "/performance": [me, market, addressOfRead(performanceApi.read, {})],
    "/backtest": [me, market, addressOfRead(backtestsApi.list, { limit: PAGE_ROWS.backtests })],
    "/settings": [me, market, accounts],
    "/notifications": [me, market, accounts, notifications],
    "/security": [me, market, accounts, ...security],
  };
}
