/**
 * How figures and times read, everywhere. Pure: locale and zone are fixed, so server and browser agree
 * to the letter. Inputs are the wire's JSON numbers and ISO instants; nothing here calculates.
 */
import { newYork, type Instant } from "./time.ts";

const NO_VALUE = "—";

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", signDisplay: "negative" });
const signedDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", signDisplay: "exceptZero" });
const shortDollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  signDisplay: "exceptZero",
  notation: "compact",
  maximumSignificantDigits: 3,
});
const prices = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 9 });
const percents = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});
const shares = new Intl.NumberFormat("en-US", { maximumFractionDigits: 9 });
const counts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const dayParts = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** USD with 2 decimals: "$1,234.50", "-$3.00". A value that is no finite number reads "$0.00", as the specification asks. */
export function moneyText(value: number | null | undefined): string {
  return dollars.format(typeof value === "number" && Number.isFinite(value) ? value : 0);
}

/** What a share cost, in USD, to its last digit and to the cent at least: "$137.50", "$0.1234". */
export function priceText(price: string): string {
  return prices.format(Number(price));
}

/** USD with 2 decimals and its sign: "+$1.00", "-$1.00", "$0.00". */
export function signedMoneyText(value: number | null | undefined): string {
  return signedDollars.format(typeof value === "number" && Number.isFinite(value) ? value : 0);
}

/** The same in seven characters, for places that take no more; from $100 on to three digits: "-$25.40", "+$205", "-$1.25K". */
export function shortMoneyText(value: number): string {
  return Math.abs(value) < 99.995 ? signedMoneyText(value) : shortDollars.format(value);
}

/** A value that already is a percentage (1.5 → "+1.50%"); undefined values read "—". */
export function signedPercentText(value: number | null | undefined): string {
  return typeof value === "number" && Number.isFinite(value) ? `${percents.format(value)}%` : NO_VALUE;
}

/** Shares, as many decimals as there are, at most 9: "12", "0.333". */
export function quantityText(value: number | null | undefined): string {
  return shares.format(typeof value === "number" && Number.isFinite(value) ? value : 0);
}

/** A quantity with its word: "1 share", "12 shares", "0.5 shares". */
export function sharesText(value: number | null | undefined): string {
  return `${quantityText(value)} ${value === 1 ? "share" : "shares"}`;
}

/** Whole numbers with thousands separators: "1,204". */
export function countText(value: number): string {
  return counts.format(value);
}

const fixedTo = (places: number) =>
  new Intl.NumberFormat("en-US", {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    useGrouping: false,
    signDisplay: "negative",
  });
const ratios = { 1: fixedTo(1), 2: fixedTo(2) };

/** A ratio with fixed places, and no sign where it rounds to zero: "1.43", "-0.2", "0.00". */
export function ratioText(value: number, places: 1 | 2): string {
  return ratios[places].format(value);
}

/** A share of a whole with one decimal: 0.625 → "62.5%". */
export function shareText(fraction: number): string {
  // Counted in tenths of a percent, where a half is exact: 29 of 400 are 7.25 %, and read "7.3%".
  return `${ratioText(Math.round(1000 * fraction) / 10, 1)}%`;
}

/** Won and lost trades as a percentage with one decimal: "62.5%"; "—" before the first decided trade. */
export function winRateText(winning: number, losing: number): string {
  const decided = winning + losing;
  return decided === 0 ? NO_VALUE : shareText(winning / decided);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const two = (value: number) => String(value).padStart(2, "0");

/** "Mon 3 Feb 2020" in America/New_York. */
export function easternDayText(instant: Instant | number): string {
  const parts: Record<string, string> = {};
  for (const { type, value } of dayParts.formatToParts(new Date(instant))) parts[type] = value;
  return `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}`;
}

/** A New York date as people write it: "2020-02-03" → "3 Feb 2020". */
export function dateText(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ""} ${year}`;
}

/** "Mon 3 Feb 2020 10:42 ET" in America/New_York. */
export function easternText(instant: Instant | number): string {
  const { hour, minute } = newYork(instant);
  return `${easternDayText(instant)} ${two(hour)}:${two(minute)} ET`;
}

/** "10:32:05 ET" in America/New_York. */
export function easternClockText(instant: Instant | number): string {
  const { hour, minute, second } = newYork(instant);
  return `${two(hour)}:${two(minute)}:${two(second)} ET`;
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** What is left of a wait, rounded up to the second and never negative: "04:05", from an hour on "1:15:00", from a day on "2 d 17:30:12". */
export function countdownText(waitMs: number): string {
  const seconds = Math.max(0, Math.ceil(waitMs / 1000));
  const minutes = `${two(Math.floor((seconds % HOUR_S) / 60))}:${two(seconds % 60)}`;
  if (seconds < HOUR_S) return minutes;
  const hours = `${Math.floor((seconds % DAY_S) / HOUR_S)}:${minutes}`;
  return seconds < DAY_S ? hours : `${Math.floor(seconds / DAY_S)} d ${hours}`;
}

/**
 * New York wall-clock time as seconds, as if it were UTC: for a chart that draws its axis in UTC, so that
 * days, months and years change where they change in New York.
 */
export function easternAxisSeconds(instant: Instant | number): number {
  const { date, hour, minute, second } = newYork(instant);
  return Date.parse(`${date}T00:00:00.000Z`) / 1000 + (hour * 60 + minute) * 60 + second;
}

/** A mark on such an axis: "2020", "Feb", "3 Feb", "10:42", or all of it: "3 Feb 2020 10:42 ET". */
export function easternAxisText(axisSeconds: number, kind: "year" | "month" | "day" | "time" | "all"): string {
  const at = new Date(axisSeconds * 1000);
  const year = String(at.getUTCFullYear());
  const month = MONTHS[at.getUTCMonth()] ?? "";
  const day = `${at.getUTCDate()} ${month}`;
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  return { year, month, day, time, all: `${day} ${year} ${time} ET` }[kind];
}
