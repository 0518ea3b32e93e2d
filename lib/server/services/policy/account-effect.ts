import type { AccountState } from "@/lib/domain/engine/plan.ts";
import { cents, greatest, least, money, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { emptyShadowBook, shadowPnl, type ShadowBook } from "./shadow-book.ts";

interface Fall {
  peak: Money;
  /** Deepest fall from the peak, a fraction ≤ 0. */
  deepest: Money;
}

/** Money that was taken out of the account; market time. */
export interface Withdrawal {
  at: Instant;
  /** USD > 0 */
  amount: Money;
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
  /** What was taken out and has not lowered the mark yet, oldest first. */
  withdrawals: readonly Withdrawal[];
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

export function openAccount(withdrawals: readonly Withdrawal[]): AccountTrack {
  const fall = (): Fall => ({ peak: ZERO, deepest: ZERO });
  return {
    shadows: emptyShadowBook(),
    decisions: 0,
    meanEquity: ZERO,
    recorded: fall(),
    draft: fall(),
    highWaterMark: null,
    withdrawals,
  };
}

function fallTo(fall: Fall, equity: Money): Fall {
  const peak = greatest(fall.peak, equity);
  return { peak, deepest: peak.gt(0) ? least(fall.deepest, equity.div(peak).minus(1)) : fall.deepest };
}

/**
 * Money that is taken out lowers the mark when it is booked, and is no fall. A person who ends the stop after a drawdown lowers the mark
 * as well: that is no withdrawal, and what was lost stays lost.
 */
function takenOut(track: AccountTrack, mark: Money, at: Instant): Money {
  let left = greatest(ZERO, (track.highWaterMark ?? mark).minus(mark));
  let taken = ZERO;
  track.withdrawals = track.withdrawals.flatMap((withdrawal) => {
    const part = withdrawal.at <= at ? least(left, withdrawal.amount) : ZERO;
    left = left.minus(part);
    taken = taken.plus(part);
    const amount = withdrawal.amount.minus(part);
    return amount.gt(0) ? [{ ...withdrawal, amount }] : [];
  });
  return taken;
}

export function trackEquity(track: AccountTrack, state: AccountState, at: Instant): void {
  const equity = money(state.equity);
  const mark = money(state.highWaterMark);
  const taken = takenOut(track, mark, at);
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
