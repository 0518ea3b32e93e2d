import type { Environment, MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment, type Scope } from "../../core/accounts-of-environment.ts";
import { marketScope } from "../selectors/market-scope.ts";

/** The caller's accounts of one environment, those that were removed with them, and the market that they trade on. */
export async function symbolScope(
  context: Context<"user">,
  wanted: Environment | undefined,
): Promise<Scope & { market: MarketName }> {
  const scope = await accountsOfEnvironment(context, wanted, { hasRemoved: true });
  return { ...scope, market: await marketOf(context, scope.environment) };
}

async function marketOf(context: Context<"user">, environment: Environment | null): Promise<MarketName> {
  if (environment === null) return (await marketScope(context, undefined)).market;
  return environment === "PRACTICE" ? "PRACTICE" : "US";
}
