import type { SeatKindName } from "../enums.ts";
import type { SessionDate } from "../time.ts";
import type { DoneSwap, RefusedSwap } from "./swap-seats.ts";

/** What one selection did with a symbol. */
export interface SymbolSelection {
  sessionDate: SessionDate;
  seat: { rank: number; kind: SeatKindName; tenureSessions: number } | null;
  /** Swaps that the symbol was part of, on either side. */
  swaps: readonly Pick<DoneSwap, "challenger" | "incumbent" | "margin">[];
  refusedSwaps: readonly RefusedSwap[];
  /** It lost its seat at once, without a challenger. */
  isForcedOut: boolean;
  quarantine: string | null;
}

export interface SeatEvent {
  sessionDate: SessionDate;
  kind: "seated" | "sticky" | "left" | "swap_refused";
  text: string;
}

const points = (margin: number) => `${margin.toFixed(1)} points`;

/** What happened to a symbol's seat from selection to selection, given oldest first; answered newest first. */
export function seatHistory(symbol: string, selections: readonly SymbolSelection[]): SeatEvent[] {
  const events: SeatEvent[] = [];
  for (const [i, selection] of selections.entries()) {
    const { sessionDate, seat, swaps, refusedSwaps } = selection;
    const note = (kind: SeatEvent["kind"], text: string) => events.push({ sessionDate, kind, text });
    const before = selections[i - 1];
    const wasSeated = before === undefined ? null : before.seat !== null;
    // Of the oldest selection nothing before is known: it took its seat there when it sits its first session.
    const isNew = seat !== null && (wasSeated === null ? seat.tenureSessions === 1 : !wasSeated);
    if (isNew) {
      const swap = swaps.find(({ challenger }) => challenger === symbol);
      const won = swap === undefined ? "" : `, took the seat of ${swap.incumbent} by ${points(swap.margin)}`;
      note("seated", `Seated at rank ${seat.rank}${won}`);
    } else if (seat?.kind === "sticky" && before?.seat?.kind === "fresh") {
      note("sticky", `Sticky after ${seat.tenureSessions} sessions in its seat`);
    }
    if (seat === null && wasSeated === true) note("left", leavingOf(symbol, selection));
    for (const { challenger, incumbent, why } of refusedSwaps) {
      if (challenger === symbol) note("swap_refused", `Not given the seat of ${incumbent}: ${why}`);
      else if (incumbent === symbol) note("swap_refused", `Kept its seat against ${challenger}: ${why}`);
    }
  }
  return events.reverse();
}

function leavingOf(symbol: string, { swaps, isForcedOut, quarantine }: SymbolSelection): string {
  const swap = swaps.find(({ incumbent }) => incumbent === symbol);
  if (swap !== undefined) return `Lost its seat to ${swap.challenger} by ${points(swap.margin)}`;
  if (quarantine !== null) return `Lost its seat: ${quarantine}`;
  if (isForcedOut) return "Lost its seat: no longer eligible, or no place left under the policy's seats and quotas";
  return "Lost its seat; the reason was not recorded";
}
