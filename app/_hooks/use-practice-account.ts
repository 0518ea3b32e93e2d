"use client";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { useAction } from "./use-action.ts";

/** One click opens an account on the practice market; everything that shows accounts is read again. */
export function usePracticeAccount() {
  return useAction(accountsApi.addPractice, {
    refreshes: [
      accountsApi.list,
      portfolioApi.summary,
      portfolioApi.equity,
      insightApi.today,
      insightApi.daily,
      automationApi.heartbeat,
      automationApi.market,
    ],
  });
}
