import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText, moneyText } from "@/lib/domain/format.ts";

export type Account = Answer<typeof accountsApi.list>[number];

/** What was done, above the list. */
export interface Note {
  kind: "success" | "warning";
  text: string;
}

export const nameOf = (account: Account) =>
  account.name ?? (account.broker === "PRACTICE" ? "Practice account" : "Alpaca account");

export const labelOf = (account: Account) => (account.broker === "PRACTICE" ? "PRACTICE" : account.environment);

/** A LIVE account waits for its owner's word. */
export const needsConfirmation = (account: Account) => account.environment === "LIVE" && account.status === "INACTIVE";

/** "3 positions worth $2,912.40" */
export function positionsText({ positions: { count, value } }: Account): string {
  return `${countText(count)} ${count === 1 ? "position" : "positions"} worth ${moneyText(value)}`;
}
