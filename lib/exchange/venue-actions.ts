import { bustExecution, correctExecution } from "./book/corrections.ts";
import type { ExchangeState } from "./book/state.ts";
import { orderWire } from "./book/order-wire.ts";
import { notFound } from "./book/refusal.ts";
import { applyCorporateAction, type CorporateAction } from "./book/reorganisations.ts";
import { changeAccountStatus } from "./book/account-status.ts";
import { setSymbolState } from "./book/symbols.ts";
import type { AccountStatus, SymbolState } from "./book/types.ts";

/** What the venue, the broker or a company does by itself: it is kept like everything else, until it is changed again. */
export function createVenueActions(state: ExchangeState) {
  async function kept<T>(result: T): Promise<T> {
    await state.journal.commit();
    return result;
  }
  return {
    /** Halts a symbol, takes it off the list, stops lending it out. */
    setSymbol: async (symbol: string, change: Partial<Omit<SymbolState, "symbol">>): Promise<SymbolState> =>
      kept(setSymbolState(state, symbol, change)),
    /** Blocks an account, closes it, revokes its keys. */
    async changeAccountStatus(accountNumber: string, change: Partial<AccountStatus>): Promise<AccountStatus> {
      for (const accountState of state.accounts.values())
        if (accountState.account.accountNumber === accountNumber)
          return kept(changeAccountStatus(state, accountState, change));
      throw notFound("no such account");
    },
    applyCorporateAction: async (action: CorporateAction): Promise<void> => kept(applyCorporateAction(state, action)),
    /** Takes an execution back; answers the order as it stands then. */
    bust: async (executionId: string): Promise<Record<string, unknown>> =>
      kept(orderWire(state, bustExecution(state, executionId), false)),
    /** Changes an execution; answers its new id. */
    correct: async (
      executionId: string,
      change: { qty?: string | undefined; price?: string | undefined },
    ): Promise<{ id: string }> => kept({ id: correctExecution(state, executionId, change).id }),
  };
}

export type VenueActions = ReturnType<typeof createVenueActions>;
