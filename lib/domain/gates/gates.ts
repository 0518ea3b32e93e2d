import type { GateResult } from "../engine/plan.ts";
import type { GateCode } from "../engine/reasons.ts";
import { accountStatus } from "./account-status.ts";
import { adv } from "./adv.ts";
import { automationOff } from "./automation-off.ts";
import { buyingPower } from "./buying-power.ts";
import { conviction } from "./conviction.ts";
import { cooldown } from "./cooldown.ts";
import { dailyLoss } from "./daily-loss.ts";
import { dataStale } from "./data-stale.ts";
import { dayTrades } from "./day-trades.ts";
import { drawdown } from "./drawdown.ts";
import { duplicate } from "./duplicate.ts";
import { earningsBlackout } from "./earnings-blackout.ts";
import type { Gate, GateInput } from "./gate.ts";
import { gross } from "./gross.ts";
import { keysMissing } from "./keys-missing.ts";
import { killState } from "./kill-state.ts";
import { liveNotAllowed } from "./live-not-allowed.ts";
import { marketHours } from "./market-hours.ts";
import { maxPositions } from "./max-positions.ts";
import { notTradable } from "./not-tradable.ts";
import { orderRate } from "./order-rate.ts";
import { positionValue } from "./position-value.ts";
import { priceCollar } from "./price-collar.ts";
import { providerDisagreement } from "./provider-disagreement.ts";
import { regime } from "./regime.ts";
import { sector } from "./sector.ts";
import { sizeGate } from "./size.ts";
import { stopGuard } from "./stop-guard.ts";
import { washSale } from "./wash-sale.ts";

/** One gate a code; the order in which they are asked is GATE_CODES, which this list follows. */
export const ENTRY_GATES: readonly (readonly [GateCode, Gate])[] = [
  ["automation_off", automationOff],
  ["kill_state", killState],
  ["account_status", accountStatus],
  ["keys_missing", keysMissing],
  ["live_not_allowed", liveNotAllowed],
  ["market_hours", marketHours],
  ["data_stale", dataStale],
  ["provider_disagreement", providerDisagreement],
  ["not_tradable", notTradable],
  ["duplicate", duplicate],
  ["earnings_blackout", earningsBlackout],
  ["regime", regime],
  ["conviction", conviction],
  ["max_positions", maxPositions],
  ["position_value", positionValue],
  ["sector", sector],
  ["gross", gross],
  ["adv", adv],
  ["price_collar", priceCollar],
  ["order_rate", orderRate],
  ["daily_loss", dailyLoss],
  ["drawdown", drawdown],
  ["cooldown", cooldown],
  ["stop_guard", stopGuard],
  ["buying_power", buyingPower],
  ["day_trades", dayTrades],
  ["wash_sale", washSale],
  ["size", sizeGate],
];

export function runEntryGates(input: GateInput): GateResult[] {
  return ENTRY_GATES.map(([, gate]) => gate(input));
}

/** What a gate reads: the session and policy alone; with them the seat and the user's risk level; the account; or this plan too. */
const READS: Partial<Record<GateCode, keyof KnownGates>> = {
  market_hours: "ofSession",
  data_stale: "ofMarket",
  provider_disagreement: "ofMarket",
  not_tradable: "ofMarket",
  earnings_blackout: "ofMarket",
  regime: "ofMarket",
  conviction: "ofMarket",
  price_collar: "ofMarket",
  automation_off: "ofAccount",
  account_status: "ofAccount",
  keys_missing: "ofAccount",
  live_not_allowed: "ofAccount",
  daily_loss: "ofAccount",
  drawdown: "ofAccount",
  stop_guard: "ofAccount",
  day_trades: "ofAccount",
};

/** Verdicts that are known already, by place in ENTRY_GATES. */
export interface KnownGates {
  /** For every seat and account. */
  ofSession: GateResult[];
  /** Of one seat, for every account of one risk level. */
  ofMarket: GateResult[];
  /** Of one account, for every seat. */
  ofAccount: GateResult[];
}

const PLACED_GATES = ENTRY_GATES.map(([code, gate]) => ({ gate, reads: READS[code] ?? null }));

/** As `runEntryGates`, taking from and adding to what is known. */
export function runKnownGates(input: GateInput, known: KnownGates): GateResult[] {
  const results: GateResult[] = [];
  for (let place = 0; place < PLACED_GATES.length; place++) {
    const { gate, reads } = PLACED_GATES[place]!;
    results.push(reads === null ? gate(input) : (known[reads][place] ??= gate(input)));
  }
  return results;
}

/** Codes of the gates that refuse; warnings do not. */
export function failingCodes(results: readonly GateResult[]): GateCode[] {
  const codes: GateCode[] = [];
  for (const { passed, isWarning, code } of results) if (!passed && !isWarning) codes.push(code);
  return codes;
}
