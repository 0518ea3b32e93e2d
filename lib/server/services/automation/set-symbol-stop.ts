import type { KillStateName, MarketName } from "@/lib/domain/enums.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import { inTransaction } from "../../core/transaction.ts";
import { refuseWithUnresolvedOrders } from "./unresolved-orders.ts";
import { logged, refuseOvertaken, type KillChange, type KillInput } from "./set-kill-state.ts";
import { reasonGiven, reasonNeeded, requireAdministrator } from "../../core/account-for-operator.ts";

/**
 * A symbol is stopped or it is not. Stopped, it is bought in no account of the market, by no rotation either, and what is
 * held is still sold and protected: REDUCE_ONLY. Under NO_NEW_ENTRIES a rotation's open purchases would stay
 * and could fill in what an administrator believes stopped; and FLATTEN would sell a company out of every owner's account at once, which
 * belongs to the accounts' own switches.
 */
type SymbolKillState = Extract<KillStateName, "NONE" | "REDUCE_ONLY">;

/** Stops a symbol in every account of a market, or lets it be bought again; the latter needs a reason, and is refused while the status of an order of the symbol is unknown. */
export async function setSymbolStop(
  context: Context,
  {
    market,
    symbol,
    killState,
    reason,
    from,
  }: Pick<KillInput, "reason" | "from"> & { market: MarketName; symbol: string; killState: SymbolKillState },
): Promise<KillChange> {
  requireAdministrator(context.actor);
  const isStop = killState !== "NONE";
  return inTransaction(context, async (tx) => {
    // A missing row cannot be locked: the system's row is locked instead, which orders share while they are marked for sending.
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for update`;
    const place = { market_symbol: { market, symbol } };
    const known = await tx.symbolStop.findUnique({ where: place });
    if ((known !== null) === isStop) return { killState, isChanged: false };
    if (!isStop) {
      refuseOvertaken("REDUCE_ONLY", from);
      requireStepUp(context);
      await refuseWithUnresolvedOrders(tx, { symbol, account: { market, deletedAt: null } });
    }
    const why = isStop ? reasonGiven(reason) : reasonNeeded(reason);
    const at = context.now();
    if (isStop) await tx.symbolStop.create({ data: { market, symbol, reason: why, setAt: at } });
    else await tx.symbolStop.delete({ where: place });
    const where = market === "PRACTICE" ? "on the practice market" : "in the US market";
    const message = `${symbol} is ${isStop ? "no longer bought" : "bought again"} ${where}${isStop ? "; what is held is still sold and protected" : ""}.${why === null ? "" : ` Reason: ${why}`}`;
    await recordEvent(context, tx, {
      level: isStop ? "warn" : "info",
      message,
      userId: null,
      alerts: [
        {
          to: "administrators",
          key: `kill-state:symbol:${market}:${symbol}:${at.toISOString()}`,
          isUrgent: true,
          subject: isStop ? `${symbol} is stopped` : `${symbol} may be bought again`,
        },
      ],
      at,
      audit: {
        eventType: "SYMBOL_KILL_STATE_SET",
        data: { market, symbol, from: known === null ? "NONE" : "REDUCE_ONLY", to: killState },
        personal: { reason: why },
      },
    });
    return { killState, isChanged: true };
  }).then((change) => logged(context, change, { symbol, reason: reasonGiven(reason) }));
}
