import type { AccountState } from "@/lib/domain/engine/plan.ts";
import { cents, greatest, least, money, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import { emptyShadowBook, shadowPnl, type ShadowBook } from "./shadow-book.ts";

interface Fall {
  peak: Money;
  /** Deepest fall from the peak, a fraction ≤ 0. */
  deepest: Money;
}

/** One account along its recorded decisions, as it was and as the draft would have had it. */
export interface AccountTrack {
  shadows: ShadowBook;
  decisions: number;
  meanEquity: Money;
  recorded: Fall;
  draft: Fall;
  /** Of the last decision; null before the first. */
  highWaterMark: Money | null;
}

export interface AccountEffect {
  accountId: string;
  decisions: number;
  /** Estimated change of the account's result by the last recorded decision, USD. */
  pnlEffect: DecimalText;
  /** Deepest fall of equity from its peak, fractions ≤ 0, at the recorded looks. */
  drawdownRecorded: number;
  drawdownDraft: number;
}

export function openAccount(): AccountTrack {
  const fall = (): Fall => ({ peak: ZERO, deepest: ZERO });
  return {
    shadows: emptyShadowBook(),
    decisions: 0,
    meanEquity: ZERO,
    recorded: fall(),
    draft: fall(),
    highWaterMark: null,
  };
}

function fallTo(fall: Fall, equity: Money): Fall {
  const peak = greatest(fall.peak, equity);
  return { peak, deepest: peak.gt(0) ? least(fall.deepest, equity.div(peak).minus(1)) : fall.deepest };
}

export function trackEquity(track: AccountTrack, state: AccountState): void {
  const equity = money(state.equity);
  // Money that is taken out lowers the mark, and is no fall.
  const mark = money(state.highWaterMark);
  const taken = greatest(ZERO, (track.highWaterMark ?? mark).minus(mark));
  for (const fall of [track.recorded, track.draft]) fall.peak = greatest(ZERO, fall.peak.minus(taken));
  track.highWaterMark = mark;
  track.decisions += 1;
  track.meanEquity = track.meanEquity.plus(equity.minus(track.meanEquity).div(track.decisions));
  track.recorded = fallTo(track.recorded, equity);
  track.draft = fallTo(track.draft, equity.plus(shadowPnl(track.shadows)));
}

export function accountEffect(accountId: string, track: AccountTrack): AccountEffect {
  return {
    accountId,
    decisions: track.decisions,
    pnlEffect: text(cents(shadowPnl(track.shadows))),
    drawdownRecorded: track.recorded.deepest.toNumber(),
    drawdownDraft: track.draft.deepest.toNumber(),
  };
}
