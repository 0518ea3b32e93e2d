import { randomUUID } from "node:crypto";
import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { AccountTypeName, KillStateName, RoleName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import { accessOf } from "../../broker/alpaca-credentials.ts";
import type { BrokerAccount } from "../../broker/broker.ts";
import type { BrokerKeys, BrokerTarget, Context } from "../../context.ts";
import { isUniqueViolation, type Tx } from "../../db.ts";
import { sealKeys } from "../../secrets/seal.ts";
import { logUserEvents, type UserEvent } from "../../core/log-user-events.ts";
import type { Account } from "../../core/row-types.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import { accountColumns, accountView } from "./account-view.ts";
import { eraseKeptKeys } from "./erase-keys.ts";

export interface NewAccount {
  userId: string;
  name: string | null;
  accountType: AccountTypeName;
  target: BrokerTarget;
  keys: BrokerKeys;
  /** What the broker answered to these keys. */
  found: BrokerAccount;
}

/**
 * Stores an account whose keys, or granted access, the broker has accepted, with its figures and its audit row. `refuse` runs
 * inside the transaction. What an administrator stopped stays stopped when it is deleted and added again.
 */
export async function storeAccount(
  context: Context,
  { userId, name, accountType, target, keys, found }: NewAccount,
  refuse: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<Given<typeof accountsApi.add>> {
  const { actor, db, now, request } = context;
  const at = now();
  // Known before the row is written: the sealed keys are bound to it.
  const id = randomUUID();
  const { cash, equity, lastEquity, buyingPower, longMarketValue } = found;
  try {
    const account = await db.$transaction(async (tx) => {
      await refuse(tx);
      await refuseGone(tx, userId);
      // The same account, removed before and followed since: from now on it is followed with these keys.
      const removed = { userId, ...target, brokerAccountId: found.id };
      const stop = await administratorsStop(tx, userId, target, found.id);
      await eraseKeptKeys(context, tx, removed, "the account is connected again.");
      const created = await tx.account.create({
        data: {
          id,
          userId,
          name,
          accountType,
          ...target,
          market: target.broker === "PRACTICE" ? "PRACTICE" : "US",
          // Real money waits for its owner's confirmation (confirm-live.ts).
          status: target.environment === "LIVE" ? "INACTIVE" : "ACTIVE",
          brokerAccountId: found.id,
          accountNumberEnd: found.accountNumber.slice(-4) || null,
          access: accessOf(keys),
          keyPrefix: "keyId" in keys ? keys.keyId.slice(0, 8) : null,
          sealedKeys: sealKeys(keys, { userId, accountId: id, environment: target.environment }),
          createdAt: at,
          ...stop,
          figures: { create: { cash, equity, lastEquity, buyingPower, longMarketValue, highWaterMark: equity } },
        },
        select: accountColumns,
      });
      if (stop) await logUserEvents(tx, [stillStopped(stop, { userId, accountId: id })]);
      await recordAudit(tx, {
        at,
        eventType: "ACCOUNT_ADDED",
        ...callFacts({ actor, request }),
        subjectUserId: userId,
        data: {
          ...{ accountId: id, ...target, accountType, access: accessOf(keys) },
          ...(stop ? { keptKillState: stop.killState } : {}),
        },
      });
      return created;
    });
    return accountView(account);
  } catch (error) {
    if (isUniqueViolation(error)) throw new Failure("conflict", "This brokerage account is already connected.");
    throw error;
  }
}

/** A user who was disabled or erased while the broker was asked gets no account, and an administrator owns none. */
async function refuseGone(tx: Tx, userId: string): Promise<void> {
  const [owner] = await tx.$queryRaw<{ role: RoleName }[]>`
    select "role" from "User" where "id" = ${userId}::uuid and "disabledAt" is null for share`;
  if (!owner) throw new Failure("unauthenticated", "Please sign in.");
  if (owner.role === "ADMIN")
    throw new Failure("conflict", "An administrator cannot own brokerage accounts: use another user for them.");
}

interface KeptStop {
  killState: KillStateName;
  killReason: string | null;
  killSource: "ADMIN";
  killSetAt: Date | null;
}

type LastStop = Pick<
  Account,
  "userId" | keyof KeptStop | "closingAt" | "keptKillState" | "keptKillSource" | "keptKillReason" | "keptKillSetAt"
>;

/**
 * The stop of the same brokerage account as it was last connected, by whichever person, where it is an administrator's. The row
 * is locked: a stop or a deletion that is under way is waited for.
 */
async function administratorsStop(
  tx: Tx,
  userId: string,
  target: BrokerTarget,
  brokerAccountId: string,
): Promise<KeptStop | null> {
  const [last] = await tx.$queryRaw<LastStop[]>`
    select "userId", "killState", "killReason", "killSource", "killSetAt", "closingAt",
      "keptKillState", "keptKillSource", "keptKillReason", "keptKillSetAt"
    from "Account"
    where "broker" = ${target.broker}::"BrokerKind" and "environment" = ${target.environment}::"Environment"
      and "brokerAccountId" = ${brokerAccountId}
    order by "createdAt" desc, "id" desc limit 1 for no key update`;
  const stop = last === undefined ? null : administratorsStopOf(last);
  // What was written about another person is not shown to this one.
  return stop && { ...stop, killReason: last?.userId === userId ? stop.killReason : null };
}

/** A stop by which its positions are sold at its closing ends with the account. */
function administratorsStopOf(last: LastStop): KeptStop | null {
  const { killState, killReason, killSource, killSetAt, closingAt, keptKillState, keptKillSource } = last;
  if (closingAt === null) return killSource === "ADMIN" ? { killState, killReason, killSource, killSetAt } : null;
  // The one after a drawdown is measured anew. Rows of before kept an administrator's alone.
  return keptKillState === null || keptKillSource === "DRAWDOWN"
    ? null
    : {
        killState: keptKillState,
        killReason: last.keptKillReason,
        killSource: "ADMIN",
        killSetAt: last.keptKillSetAt,
      };
}

function stillStopped({ killState, killReason }: KeptStop, whose: Pick<UserEvent, "userId" | "accountId">): UserEvent {
  const because = killReason === null ? "" : ` Reason: ${killReason}`;
  const message = `An administrator stopped this brokerage account before it was deleted here, and the stop still holds. ${KILL_STATE_TEXT[killState]}${because}`;
  return { ...whose, level: "warn", message, marketAt: null };
}
