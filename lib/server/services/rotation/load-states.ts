import type { AccountState } from "@/lib/domain/engine/plan.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Context } from "../../context.ts";
import { asRecorded } from "../cycles/market-record.ts";
import { loadAccountState } from "../cycles/load-account-state.ts";
import type { Account } from "../../core/row-types.ts";

/** Accounts that are read from their brokers at a time. */
const AT_ONCE = 8;

interface LoadedStates {
  states: AccountState[];
  /** Accounts that could not be read; they take no part. */
  leftOut: { accountId: string; why: string }[];
}

/** The state of one account with balances fresh from its broker. */
export async function readState(
  context: Context,
  account: Account,
  at: Instant,
  policy: Policy,
): Promise<AccountState> {
  const { equity, lastEquity, cash, buyingPower } = await context.brokers.forAccount(account).account();
  const balances = { equity, lastEquity, cash, buyingPower };
  return asRecorded(await loadAccountState(context, account.id, balances, { at, policy }));
}

/** The states of these accounts; one that cannot be read is left out, with the reason, and keeps no other waiting. */
export async function loadStates(
  context: Context,
  accounts: readonly Account[],
  at: Instant,
  policy: Policy,
): Promise<LoadedStates> {
  const states: AccountState[] = [];
  const leftOut: LoadedStates["leftOut"] = [];
  const waiting = [...accounts];
  const work = async () => {
    for (let account = waiting.shift(); account !== undefined; account = waiting.shift()) {
      const accountId = account.id;
      try {
        if (account.reconciledAt === null) leftOut.push({ accountId, why: "its books have not been read yet" });
        else states.push(await readState(context, account, at, policy));
      } catch (error) {
        context.log.warn("rotation-account.skipped", { accountId, err: error });
        leftOut.push({ accountId, why: "its broker could not be read" });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const byId = <T extends { accountId: string }>(a: T, b: T) => byText(a.accountId, b.accountId);
  return { states: states.sort(byId), leftOut: leftOut.sort(byId) };
}
