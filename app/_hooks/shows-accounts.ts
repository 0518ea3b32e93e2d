import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";

/** What is read again when a person has an account more or less. */
export const SHOWS_ACCOUNTS = [
  accountsApi.list,
  portfolioApi.summary,
  portfolioApi.positions,
  portfolioApi.equity,
  insightApi.today,
  insightApi.daily,
  automationApi.heartbeat,
  automationApi.market,
];
