import type { MarketName, Environment } from "@/lib/domain/enums.ts";
import { money, text } from "@/lib/domain/money.ts";
import type { Context } from "../context.ts";
import { accountsOfEnvironment } from "./accounts-of-environment.ts";
import { marketOf } from "./market-of.ts";

/** Whose equity settings are set beside: each account is traded by them alone, so that one account is meant, not their sum. */
export interface SizedAccount {
  environment: Environment;
  isOneOfSeveral: boolean;
  /** USD, more than nothing. */
  equity: string;
}

/** The caller's oldest account of the most real environment with money in it, and the market of that environment. */
export async function sizedAccount(
  context: Pick<Context<"user">, "actor" | "db">,
): Promise<{ market: MarketName; account: SizedAccount | null }> {
  const scope = await accountsOfEnvironment(context, undefined);
  const figures = await context.db.accountFigures.findMany({
    where: { accountId: { in: scope.accounts.map(({ id }) => id) } },
    select: { accountId: true, equity: true },
  });
  const equityOf = new Map(figures.map(({ accountId, equity }) => [accountId, money(equity)]));
  const funded = scope.accounts.find(({ id }) => equityOf.get(id)?.gt(0) === true);
  const equity = funded && equityOf.get(funded.id);
  const market = funded?.market ?? marketOf(scope);
  if (equity === undefined || scope.environment === null) return { market, account: null };
  return {
    market,
    account: { environment: scope.environment, isOneOfSeveral: scope.accounts.length > 1, equity: text(equity) },
  };
}
