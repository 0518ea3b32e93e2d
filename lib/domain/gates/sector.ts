import { placesIn } from "../risk/book.ts";
import { sectorRoom } from "../risk/limits.ts";
import { knownSector } from "../sectors.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { byMargin, byRoom, type Gate, type GateInput, missing } from "./gate.ts";
import { counted } from "../counted.ts";
import { dollars, moreDollars } from "./texts.ts";

/** How a detail begins that counts positions; others count USD. */
const PLACES = /^\d+ of \d+ [a-z-]+ positions in /;

/** The strategy's positions in the sector, where it has a limit of its own; those without a sector count in every one. */
function placesOf({ policy, book, view, strategy }: GateInput): { open: number; most: number } {
  const open = placesIn(book.counts.get(strategy) ?? new Map(), knownSector(view?.sector));
  return { open, most: STRATEGIES[strategy].most?.(policy).inSector ?? Number.POSITIVE_INFINITY };
}

/** True when the strategy holds as many positions in the sector as it may: what adds to a holding takes no new place. */
function isFull(input: GateInput): boolean {
  const { open, most } = placesOf(input);
  return open >= most && !input.book.held.has(input.symbol);
}

/** Largest part of equity in one sector; mean reversion holds two a sector. Margin in USD. */
export const sector = {
  code: "sector",
  label: "sector",
  explanation: "One sector may not take more than its share.",
  scope: "order",
  // A recorded verdict says what it counted in its detail alone.
  unit: (margin, { detail }) => (PLACES.test(detail) ? counted(margin, "position") : dollars(margin)),
  flip: (lacking, input) =>
    lacking === null || isFull(input) ? "a free sector place" : `${moreDollars(lacking)} of sector`,
  check: (input) => {
    if (input.order === null) return missing("no price");
    const name = knownSector(input.view?.sector);
    if (isFull(input)) {
      const { open, most } = placesOf(input);
      return byMargin(
        most - open - 1,
        () => `${open} of ${most} ${STRATEGIES[input.strategy].adjective} positions in ${name ?? "no sector"}`,
      );
    }
    return byRoom(sectorRoom(input), input.order, () => `${name ?? "sector not known"}: `);
  },
} as const satisfies Gate;
