import { type ExchangeState, saveAccount } from "./state.ts";
import { forbidden } from "./refusal.ts";
import type { AccountState, AccountStatus } from "./types.ts";

/** Sets what the broker allows an account: blocks, its status, its keys. Revoked keys are unknown from the next request on, and what they have open is cut. */
export function changeAccountStatus(
  state: ExchangeState,
  accountState: AccountState,
  change: Partial<AccountStatus>,
): AccountStatus {
  const { account } = accountState;
  account.standing = { ...account.standing, ...change };
  if (account.standing.areKeysRevoked) {
    state.byKeyId.delete(account.keyId);
    state.onKeysRevoked?.(account.id);
  } else state.byKeyId.set(account.keyId, accountState);
  saveAccount(state, account);
  return account.standing;
}

/** Refuses new and changed orders of an account that may not trade; cancels are always taken. */
export function checkAccountStatus({ account }: AccountState): void {
  const { standing, configuration } = account;
  if (standing.accountBlocked) throw forbidden("account is blocked");
  if (standing.tradingBlocked || standing.status !== "ACTIVE") throw forbidden("account is not authorized to trade");
  if (configuration.suspend_trade) throw forbidden("trading is suspended by user");
}
