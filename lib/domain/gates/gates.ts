import type { GateResult } from "../engine/plan.ts";
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
import type { Answer, Gate, GateInput, Scope } from "./gate.ts";
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

/** Every gate, in the order in which they are asked (engine.md §9). */
export const ENTRY_GATES = [
  automationOff,
  killState,
  accountStatus,
  keysMissing,
  liveNotAllowed,
  marketHours,
  dataStale,
  providerDisagreement,
  notTradable,
  duplicate,
  earningsBlackout,
  regime,
  conviction,
  maxPositions,
  positionValue,
  sector,
  gross,
  adv,
  priceCollar,
  orderRate,
  dailyLoss,
  drawdown,
  cooldown,
  stopGuard,
  buyingPower,
  dayTrades,
  washSale,
  sizeGate,
] as const satisfies readonly Gate[];

export type GateCode = (typeof ENTRY_GATES)[number]["code"];
export const GATE_CODES: readonly GateCode[] = ENTRY_GATES.map(({ code }) => code);

export const GATE_OF = Object.fromEntries(ENTRY_GATES.map((gate): [string, Gate] => [gate.code, gate])) as Record<
  GateCode,
  Gate
>;

/** What is asked of each gate, in objects of one shape: every candidate of every account goes through them. */
interface Asked {
  code: GateCode;
  scope: Scope;
  check: (input: GateInput) => Answer;
}
const ASKED: readonly Asked[] = ENTRY_GATES.map(({ code, scope, check }) => ({ code, scope, check }));

/** What a gate answered. */
export type Judgement = Answer & { code: GateCode };

function ask({ code, check }: Asked, input: GateInput): Judgement {
  const { passed, isWarning, margin, detail } = check(input);
  return { code, passed, isWarning, margin, detail };
}

/** The same judgements in words: each is put in words once, however many accounts it is read in. */
export function worded(judgements: Judgement[]): GateResult[] {
  for (const judgement of judgements) if (typeof judgement.detail === "function") judgement.detail = judgement.detail();
  return judgements as GateResult[];
}

/** What was answered already within each scope, by place in ENTRY_GATES. */
export type Known = Record<Exclude<Scope, "order">, Judgement[]>;

/** Warnings refuse nothing. */
const refuses = ({ passed, isWarning }: Pick<GateResult, "passed" | "isWarning">) => !passed && !isWarning;

/**
 * Asks the gates in their order, taking from and adding to what is known. All of them where a ledger is kept; else until one
 * refuses, which is then the last of the answer.
 */
export function askGates(input: GateInput, known: Known, keepsLedger: boolean): Judgement[] {
  const judgements: Judgement[] = [];
  for (let place = 0; place < ASKED.length; place++) {
    const gate = ASKED[place]!;
    const { scope } = gate;
    const judgement = scope === "order" ? ask(gate, input) : (known[scope][place] ??= ask(gate, input));
    judgements.push(judgement);
    if (!keepsLedger && refuses(judgement)) break;
  }
  return judgements;
}

export function runEntryGates(input: GateInput): GateResult[] {
  return worded(askGates(input, { session: [], seat: [], account: [] }, true));
}

/** Codes of the gates that refuse. */
export function failingCodes(results: readonly Pick<GateResult, "passed" | "isWarning" | "code">[]): GateCode[] {
  const codes: GateCode[] = [];
  for (const result of results) if (refuses(result)) codes.push(result.code);
  return codes;
}
