import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { ACCESS_TEXT, OTHER_ACCOUNT } from "@/lib/domain/account-access.ts";
import type { AccountTypeName } from "@/lib/domain/enums.ts";
import { countText, moneyText } from "@/lib/domain/format.ts";

export type Account = Answer<typeof accountsApi.list>[number];

/** What was done, above the list. */
export interface Note {
  kind: "success" | "warning";
  text: string;
}

export const TYPE_LABELS: Record<AccountTypeName, string> = {
  INDIVIDUAL: "Individual",
  JOINT: "Joint",
  TRUST: "Trust",
  CORPORATE: "Corporate",
};

export const labelOf = (account: Account) => (account.broker === "PRACTICE" ? "PRACTICE" : account.environment);

/** A LIVE account needs its owner's confirmation. */
export const needsConfirmation = (account: Account) => account.environment === "LIVE" && account.status === "INACTIVE";

const ACCESS_HALTS: readonly (string | null)[] = [
  ACCESS_TEXT.OAUTH.refused,
  ACCESS_TEXT.OAUTH.unopenable,
  OTHER_ACCOUNT,
];

/** Halted until its owner grants access at Alpaca anew. */
export const needsConnecting = ({ access, haltReason }: Account) =>
  access === "OAUTH" && ACCESS_HALTS.includes(haltReason);

/** What was done, and what keeps the account from trading all the same. */
export const withHold = (done: string, heldBy: string | null) => (heldBy === null ? done : `${done} ${heldBy}`);

/** What keeps the account from trading beside its status and Paper Trading Only, as far as this page knows; what prevents more first. */
export function holdText({ haltReason, isClosing, stop }: Account, isPaused: boolean): string | null {
  if (haltReason !== null) return "The account is halted: it trades once the halt is resolved and it is resumed.";
  if (isClosing) return "The account is being closed: its positions are sold, then it is deleted.";
  if (stop !== null)
    return `${stop.source === "ADMIN" ? "An administrator stopped the account." : "The account is stopped."} ${stop.text}`;
  return isPaused ? "Automation is paused: nothing is bought until you resume it, exits and stops keep working." : null;
}

/** "3 positions worth $2,912.40" */
export function positionsText({ positions: { count, value } }: Account): string {
  return `${countText(count)} ${count === 1 ? "position" : "positions"} worth ${moneyText(value)}`;
}
