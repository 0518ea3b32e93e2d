import { text, type Money } from "@/lib/domain/money.ts";
import { pairOrder, stopOrder, type Protection } from "@/lib/domain/protection.ts";
import type { BarePosition } from "./bare-shares.ts";
import type { LegToSend } from "./record-intent.ts";

/** The order that protects these shares, or sells them where their stop would have. */
export function protectiveOrder(
  { symbol, strategy }: BarePosition["position"],
  qty: Money,
  protection: Exclude<Protection, { kind: "wait" }>,
  last: Money,
  reason: "trailing_stop" | "protect_position",
): LegToSend["order"] & { purpose: "PROTECT" | "EXIT" } {
  const common = {
    leg: 0,
    symbol,
    side: "SELL" as const,
    qty: text(qty),
    decisionPrice: text(last),
    strategy,
    confidence: null,
    gates: [],
    atr: null,
    limitPrice: null,
    stopPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
  };
  switch (protection.kind) {
    case "pair": {
      const pair = pairOrder(text(protection.stop), text(protection.target));
      return { ...common, ...pair, purpose: "PROTECT", reason };
    }
    case "stop":
      return { ...common, ...stopOrder(text(protection.stop)), purpose: "PROTECT", reason };
    case "sale": {
      const sale = { orderClass: "SIMPLE", type: "MARKET", timeInForce: "day" } as const;
      return { ...common, ...sale, purpose: "EXIT", reason: "protective_stop" };
    }
  }
}
