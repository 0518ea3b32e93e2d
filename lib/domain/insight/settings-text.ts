import type { Environment, RiskName } from "../enums.ts";
import { quantityText as number } from "../format.ts";
import { convictionLine } from "../gates/conviction.ts";
import type { Policy } from "../policy.ts";
import { MARKET_IS } from "./market-text.ts";

/** What the settings say of themselves, with the numbers of the policy in force. */

/** Risk Tolerance: how much per trade. */
export function toleranceText(tolerance: RiskName, { portfolio_limits: limits }: Policy): string {
  const scale = { LOW: limits.tolerance_low, MEDIUM: limits.tolerance_medium, HIGH: limits.tolerance_high }[tolerance];
  const size = scale === 1 ? "your Default Order Size" : `${number(scale)} times your Default Order Size`;
  return `How much per trade: an order aims at ${size}.`;
}

/** Risk Level: how choosy. */
export function levelText(riskLevel: RiskName, policy: Policy): string {
  const score = number(100 * convictionLine({ preferences: { riskLevel } }, policy));
  const calm = riskLevel === "LOW" ? `, and is bought only while the market is ${MARKET_IS.risk_on}` : "";
  return `How choosy: a stock needs a score of at least ${score} of 100${calm}.`;
}

/** Holds for every strategy, whatever its own exits. */
export const COMMON_EXITS =
  "With each strategy, a position is also sold at your Profit Target, and at your Stop Loss or the strategy's own stop, whichever is closer to the price paid.";

interface SizedAccount {
  environment: Environment;
  isOneOfSeveral: boolean;
}

/** "your practice account", "one of your paper accounts" */
export function accountLabel({ environment, isOneOfSeveral }: SizedAccount): string {
  const kind = environment === "LIVE" ? "live" : environment.toLowerCase();
  return isOneOfSeveral ? `one of your ${kind} accounts` : `your ${kind} account`;
}
