import type { Given } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { accountWords, COMMON_EXITS, levelWords, toleranceWords } from "@/lib/domain/insight/settings-words.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { sizedAccount } from "../../core/sized-account.ts";

/** The settings in words. The policy in force gives the numbers, so that a changed one changes what is said. */
export async function explainPreferences(context: Context<"user">): Promise<Given<typeof preferencesApi.explain>> {
  const [policy, { account }] = await Promise.all([activePolicy(context), sizedAccount(context)]);
  return {
    strategies: STRATEGY_NAMES.map((strategy) => {
      const { label, words } = STRATEGIES[strategy];
      return { strategy, label, ...words(policy) };
    }),
    common: COMMON_EXITS,
    riskTolerance: {
      low: toleranceWords("LOW", policy),
      medium: toleranceWords("MEDIUM", policy),
      high: toleranceWords("HIGH", policy),
    },
    riskLevel: {
      low: levelWords("LOW", policy),
      medium: levelWords("MEDIUM", policy),
      high: levelWords("HIGH", policy),
    },
    account: account && { environment: account.environment, words: accountWords(account), equity: account.equity },
  };
}
