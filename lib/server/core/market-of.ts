import type { MarketName } from "@/lib/domain/enums.ts";
import { hasMarket } from "../providers/market-data-registry.ts";
import type { Scope } from "./accounts-of-environment.ts";

/** The market that the accounts of an environment trade on; without one the practice market where there is one. */
export function marketOf({ accounts }: Pick<Scope, "accounts">): MarketName {
  return accounts[0]?.market ?? (hasMarket("PRACTICE") ? "PRACTICE" : "US");
}
