import type { MarketName } from "@/lib/domain/enums.ts";
import { type Money, money, ZERO } from "@/lib/domain/money.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Tx } from "../../db.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import type { Resized } from "./rescale-book.ts";

/** A broker books a split on its day, or a few days later. */
const BOOKED_WITHIN_DAYS = 7;
/** Less than that of a share is how a ratio is written, no rounding. */
const NOISE = money("0.000001");

/** `ratio`: new shares per old. `exDate`: its day. */
export interface AnnouncedSplit {
  ratio: Money;
  exDate: SessionDate;
}

/** The latest split of a symbol until a date, as the market announced it; null where none is known. */
export async function announcedSplit(
  tx: Pick<Tx, "marketEvent">,
  market: MarketName,
  symbol: string,
  date: SessionDate,
): Promise<AnnouncedSplit | null> {
  const events = await tx.marketEvent.findMany({
    where: {
      market,
      symbol,
      kind: "split",
      exDate: { gte: dateOf(addDays(date, -BOOKED_WITHIN_DAYS)), lte: dateOf(date) },
    },
    orderBy: { exDate: "desc" },
  });
  const [last] = events;
  if (last === undefined) return null;
  const latest = events.filter(({ exDate }) => exDate.getTime() === last.exDate.getTime());
  const ratio = latest.reduce((product, { value }) => product * value, 1);
  return ratio > 0 ? { ratio: money(ratio.toFixed(15)), exDate: sessionOf(last.exDate) } : null;
}

/** The same of a split that the account's books do not have yet. */
export async function unbookedSplit(
  db: Pick<Tx, "marketEvent" | "appliedCorporateAction">,
  { id: accountId, market }: { id: string; market: MarketName },
  symbol: string,
  date: SessionDate,
): Promise<AnnouncedSplit | null> {
  const exDate = { gte: dateOf(addDays(date, -BOOKED_WITHIN_DAYS)) };
  const booked = await db.appliedCorporateAction.count({
    where: { accountId, symbol, exDate, ratio: { not: 1 } },
  });
  return booked > 0 ? null : announcedSplit(db, market, symbol, date);
}

interface Rounded extends Resized {
  /** The part of a share that the broker took and pays for apart. */
  fraction: Money;
}

/**
 * What a split made of what was held, where the broker may have rounded it to whole shares. Prices change by the ratio that was
 * announced, never by that of the rounded shares: a stop would stand above the market, and the position would be sold. A fraction
 * that was rounded off is a part of the total, and goes after it; one that was added to make a whole share cost nothing. Where no
 * ratio is known, or the broker's shares are no rounding of it, theirs count.
 */
export function roundedSplit(held: Money, added: Money, announced: Money | null): Rounded {
  const total = held.plus(added);
  const booked = { total, fraction: ZERO };
  if (announced === null || total.isNegative() || !total.isInteger()) return booked;
  const exact = held.times(announced).toDecimalPlaces(9);
  const fraction = exact.minus(total);
  if (fraction.abs().lt(NOISE) || fraction.abs().gte(1)) return booked;
  return fraction.isNegative() ? { ...booked, ofPrices: announced } : { total: exact, ofPrices: announced, fraction };
}
