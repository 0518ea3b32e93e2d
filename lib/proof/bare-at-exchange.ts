/** I26 by the exchange's own books: what the product recorded is not asked. */
import { greatest, money, sum, wholeShares, ZERO, type Money } from "@/lib/domain/money.ts";

interface OrderAtExchange {
  symbol: string;
  side: string;
  type: string;
  order_class: string;
  qty: string | null;
  filled_qty: string;
  status: string;
}

interface Books {
  positions: readonly { symbol: string; qty: string }[];
  orders: readonly OrderAtExchange[];
}

/** Statuses in which an order at the exchange sells. A leg that waits for its entry is `held`. */
const LIVE = new Set(["new", "accepted", "partially_filled", "pending_replace", "pending_cancel"]);
const STOPS = new Set(["stop", "stop_limit", "trailing_stop"]);

/** The exchange's books leave the class of a simple order empty, as the broker's API does. */
const SIMPLE = new Set(["simple", ""]);

const open = ({ qty, filled_qty }: OrderAtExchange): Money => greatest(ZERO, money(qty ?? "0").minus(filled_qty));

/**
 * Whole shares that nothing at the exchange sells below a stop, by symbol. Shares on their way out by a single order, ours or a
 * person's, cannot be under a stop as well and are subtracted; the target of a pair shares its shares with the stop.
 */
export function bareAtExchange({ positions, orders }: Books): { symbol: string; qty: Money }[] {
  return positions.flatMap(({ symbol, qty }) => {
    const sells = orders.filter((order) => order.symbol === symbol && order.side === "sell" && LIVE.has(order.status));
    const stopped = sum(sells.filter(({ type }) => STOPS.has(type)).map(open));
    const leaving = sum(sells.filter(({ type, order_class }) => !STOPS.has(type) && SIMPLE.has(order_class)).map(open));
    const bare = wholeShares(greatest(ZERO, money(qty).minus(stopped).minus(leaving)));
    return bare.gte(1) ? [{ symbol, qty: bare }] : [];
  });
}
