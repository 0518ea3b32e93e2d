import type { Given } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { accountLabel, COMMON_EXITS, levelText, toleranceText } from "@/lib/domain/insight/settings-text.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { sizedAccount } from "../../core/sized-account.ts";
import { historyView } from "./history-view.ts";

/** The settings in words, each strategy with its history. The policy in force gives the numbers, so that a changed one changes what is said. */
export async function explainPreferences(context: Context<"user">): Promise<Given<typeof preferencesApi.explain>> {
  const [policy, { market, account }] = await Promise.all([activePolicy(context), sizedAccount(context)]);
  const histories = await context.db.strategyHistory.findMany({ where: { market } });
  return {
    strategies: STRATEGY_NAMES.map((strategy) => {
      const { label, describe } = STRATEGIES[strategy];
      const row = histories.find((history) => history.strategy === strategy);
      return { strategy, label, ...describe(policy), ...historyView(row, market) };
    }),
    common: COMMON_EXITS,
    riskTolerance: {
      low: toleranceText("LOW", policy),
      medium: toleranceText("MEDIUM", policy),
      high: toleranceText("HIGH", policy),
    },
    riskLevel: {
      low: levelText("LOW", policy),
      medium: levelText("MEDIUM", policy),
      high: levelText("HIGH", policy),
    },
    account: account && { environment: account.environment, label: accountLabel(account), equity: account.equity },
  };
}
