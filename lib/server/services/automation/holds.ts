import type { Prisma } from "../../db.ts";
import type { Account } from "../../core/row-types.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";

/** A kill state that is in force. */
export interface Restriction {
  /** What it lets through, for people. */
  meaning: string;
  reason: string | null;
}

type Stop = Pick<Account, "killState" | "killReason">;

/** What `holdsOfAll` reads of a person. */
export const HOLDING_USER = {
  automationPausedAt: true,
  pausedReason: true,
  killState: true,
  killReason: true,
} as const satisfies Prisma.UserSelect;

type HoldingUser = Prisma.UserGetPayload<{ select: typeof HOLDING_USER }>;

/** What keeps purchases back in all accounts of a person. */
export interface HoldsOfAll {
  /** The person's own pause. */
  pause: { reason: string | null } | null;
  /** Set for everyone; set for this person. */
  system: Restriction | null;
  user: Restriction | null;
  isQueuePaused: boolean;
  /** By the flag automation_enabled. */
  isSwitchedOff: boolean;
}

const restrictionOf = ({ killState, killReason }: Stop): Restriction | null =>
  killState === "NONE" ? null : { meaning: KILL_STATE_TEXT[killState], reason: killReason };

export function holdsOfAll(
  user: HoldingUser,
  system: Stop & { isQueueActive: boolean },
  isAutomationEnabled: boolean,
): HoldsOfAll {
  return {
    pause: user.automationPausedAt === null ? null : { reason: user.pausedReason },
    system: restrictionOf(system),
    user: restrictionOf(user),
    isQueuePaused: !system.isQueueActive,
    isSwitchedOff: !isAutomationEnabled,
  };
}

/** What keeps purchases back in one account. */
export interface HoldsOfAccount {
  halt: { reason: string | null } | null;
  restriction: Restriction | null;
  isPaused: boolean;
}

export function holdsOfAccount(account: Stop & Pick<Account, "haltedAt" | "haltReason" | "status">): HoldsOfAccount {
  return {
    halt: account.haltedAt === null ? null : { reason: account.haltReason },
    restriction: restrictionOf(account),
    isPaused: account.status === "PAUSED",
  };
}
