import type { RegimeView } from "../engine/plan.ts";
import type { RegimeLabel } from "../enums.ts";
import { smaAt } from "../indicators/sma.ts";
import { type Money, money } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { SessionDate } from "../time.ts";

export interface RegimeInput {
  /** Closes of SPY before the session, ascending. Empty when the source is unavailable. */
  spyCloses: number[];
  /** Close of the session before; null when missing. */
  vix: number | null;
  /** Last close over the one before it − 1; null when missing. */
  spyDayReturn: number | null;
}

/** What one reading of the market comes to: a close with its averages, the day's change and the VIX. */
export interface RegimeFacts extends Pick<RegimeView, "vix" | "spyClose" | "spyMa20" | "spyMa50" | "spyMa200"> {
  spyDayReturn: number | null;
}

/** The machine's state; plain JSON. */
export interface RegimeMemory {
  sessionDate: SessionDate;
  label: RegimeLabel;
  /** Label that the last readings asked for, and how often running. */
  candidate: RegimeLabel;
  closes: number;
  /** Sessions after this one that the label must still stay. */
  dwellLeft: number;
  /** Sessions that a precaution without VIX still holds, this one included; absent in memories from before it was kept. */
  precautionLeft?: number;
  /** What was answered for `sessionDate`, given again when the same session is asked twice. */
  view: RegimeView;
  hasFlipped: boolean;
}

export interface RegimeReading {
  view: RegimeView;
  memory: RegimeMemory;
  hasFlipped: boolean;
}

function meanOfLast(values: number[], n: number): number | null {
  return values.length < n ? null : smaAt(values, values.length - 1, n);
}

/** The lines below and above an average within which SPY votes 0. Exact: a close on its line is on neither side of it. */
export function bandLines(average: number, band: number): [low: Money, high: Money] {
  const [mean, width] = [money(average), money(average).times(band)];
  return [mean.minus(width), mean.plus(width)];
}

const isKnown = (value: number | null | undefined): value is number => value != null && Number.isFinite(value);

function averageVote(close: number | null, average: number | null, band: number): number {
  if (!isKnown(close) || !isKnown(average)) return 0;
  const [low, high] = bandLines(average, band);
  if (high.lt(close)) return 1;
  return low.gt(close) ? -1 : 0;
}

/** A close over the one before it − 1: the nearest double to the exact value, so that a fall of 4 % is −0.04. Null where one is missing. */
export function dayReturn(close: number | null | undefined, before: number | null | undefined): number | null {
  return isKnown(close) && isKnown(before) && before !== 0 ? money(close).minus(before).over(before) : null;
}

/** −1, 0 or +1; a VIX that is missing votes 0. */
function vixVote(vix: number | null, policy: Policy): number {
  const { regime_vix_calm, regime_vix_fear } = policy.signals_confidence;
  if (vix === null) return 0;
  return vix < regime_vix_calm ? 1 : vix > regime_vix_fear ? -1 : 0;
}

export interface RegimeVotes {
  ma20: number;
  ma50: number;
  vix: number;
  isShock: boolean;
  isVixKnown: boolean;
}

/** How one reading votes. */
export function votesOf(
  { vix, spyClose, spyMa20, spyMa50, spyDayReturn }: Omit<RegimeFacts, "spyMa200">,
  policy: Policy,
): RegimeVotes {
  const rules = policy.signals_confidence;
  return {
    ma20: averageVote(spyClose, spyMa20, rules.regime_band),
    ma50: averageVote(spyClose, spyMa50, rules.regime_band),
    vix: vixVote(vix, policy),
    isShock:
      (vix !== null && vix >= rules.regime_vix_shock) ||
      (spyDayReturn !== null && spyDayReturn <= rules.regime_spy_shock),
    isVixKnown: vix !== null,
  };
}

/** The label that one reading asks for, before any memory (engine.md §5). */
export function labelOf({ ma20, ma50, vix, isShock, isVixKnown }: RegimeVotes, policy: Policy): RegimeLabel {
  const line = policy.signals_confidence.regime_vote_line;
  const votes = ma20 + ma50 + vix;
  if (isShock || votes <= -line) return "risk_off";
  return votes >= line && isVixKnown ? "risk_on" : "neutral";
}

/**
 * The market regime of a session from the closes before it. Entering a regime needs 2 closes and the dwell of the present
 * one to be over: a label is in force for 5 sessions at least, its first included; risk_off needs 1 close and waits for no dwell. It begins neutral. Without VIX there is no risk_on,
 * no way out of risk_off, and risk_off as a precaution where a VIX of fear would have made it so and for the dwell after; without SPY and its averages the answer is risk_off as a precaution, and the memory waits.
 */
export function readRegime(
  input: RegimeInput,
  memory: RegimeMemory | null,
  sessionDate: SessionDate,
  policy: Policy,
): RegimeReading {
  return regimeOf(
    {
      vix: input.vix,
      spyClose: input.spyCloses.at(-1) ?? null,
      spyMa20: meanOfLast(input.spyCloses, 20),
      spyMa50: meanOfLast(input.spyCloses, 50),
      spyMa200: meanOfLast(input.spyCloses, 200),
      spyDayReturn: input.spyDayReturn,
    },
    memory,
    sessionDate,
    policy,
  );
}

/** The same from a reading whose averages are worked out. */
export function regimeOf(
  { spyDayReturn, ...reading }: RegimeFacts,
  memory: RegimeMemory | null,
  sessionDate: SessionDate,
  policy: Policy,
): RegimeReading {
  if (memory !== null && memory.sessionDate === sessionDate)
    return { view: memory.view, memory, hasFlipped: memory.hasFlipped };
  const { spyClose, spyMa50 } = reading;
  const votes = votesOf({ spyDayReturn, ...reading }, policy);
  const facts = { ...reading, votes: votes.ma20 + votes.ma50 + votes.vix };
  const before: Pick<RegimeMemory, "label" | "candidate" | "closes" | "dwellLeft"> = memory ?? {
    label: "neutral",
    candidate: "neutral",
    closes: 0,
    dwellLeft: 0,
  };
  if (spyMa50 === null || spyClose === null) {
    const view: RegimeView = { label: "risk_off", ...facts };
    const { label, candidate, closes, dwellLeft } = before;
    const waiting = { label, candidate, closes, dwellLeft, precautionLeft: memory?.precautionLeft ?? 0 };
    const hasFlipped = isOtherThan(memory, view.label);
    return { view, hasFlipped, memory: { sessionDate, ...waiting, view, hasFlipped } };
  }
  const next = step(before, labelOf(votes, policy), votes, policy);
  const precautionLeft = votes.isVixKnown ? 0 : precaution(memory?.precautionLeft ?? 0, votes, policy);
  const label = votes.isVixKnown
    ? next.label
    : precautionLeft > 0 || next.label === "risk_off"
      ? "risk_off"
      : "neutral";
  const view: RegimeView = { label, ...facts };
  const hasFlipped = isOtherThan(memory, label);
  return { view, hasFlipped, memory: { sessionDate, ...next, precautionLeft, view, hasFlipped } };
}

/** Whether a label is another than the one that was in force before: at first that is neutral. */
const isOtherThan = (memory: RegimeMemory | null, label: RegimeLabel) => label !== (memory?.view.label ?? "neutral");

/**
 * Where the fear of a VIX that is missing would have made risk_off, it is risk_off as a precaution (engine.md §1), and for as long as that label
 * would have been in force: the sessions of the dwell, from the last such reading on. The memory keeps what the other votes say.
 */
function precaution(left: number, votes: RegimeVotes, policy: Policy): number {
  if (labelOf({ ...votes, vix: -1 }, policy) === "risk_off")
    return Math.max(1, policy.signals_confidence.regime_dwell_sessions);
  return Math.max(0, left - 1);
}

function step(
  before: Pick<RegimeMemory, "label" | "candidate" | "closes" | "dwellLeft">,
  asked: RegimeLabel,
  { isShock, isVixKnown }: Pick<RegimeVotes, "isShock" | "isVixKnown">,
  policy: Policy,
): Pick<RegimeMemory, "label" | "candidate" | "closes" | "dwellLeft"> {
  const { regime_closes, regime_risk_off_closes, regime_dwell_sessions } = policy.signals_confidence;
  const closes = asked === before.candidate ? before.closes + 1 : 1;
  const dwellLeft = Math.max(0, before.dwellLeft - 1);
  const stay = { label: before.label, candidate: asked, closes, dwellLeft };
  if (asked === before.label) return stay;
  const isDown = asked === "risk_off";
  if (before.label === "risk_off" && !isVixKnown) return { ...stay, closes: 0 };
  // A shock needs no second close.
  const isConfirmed = isShock || closes >= (isDown ? regime_risk_off_closes : regime_closes);
  const mayLeave = isDown || before.dwellLeft === 0;
  if (!isConfirmed || !mayLeave) return stay;
  // This session is the first in which the label is in force.
  return { label: asked, candidate: asked, closes, dwellLeft: Math.max(0, regime_dwell_sessions - 1) };
}
