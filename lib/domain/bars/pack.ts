import type { BarSeries } from "../screening/features.ts";
import { DAY_MS, type SessionDate } from "../time.ts";

/**
 * Daily bars of one symbol in as few bytes as give back the very same numbers. A column whose values are all whole multiples of a
 * power of ten (prices in cents, volumes in shares) is kept as 32-bit integers and divided when read, which gives the nearest
 * double again, as reading the decimal text did; any other column is kept as doubles.
 *
 * Little-endian: MARK, count, first day, then one byte for each column (its decimals, or DOUBLES), padded to HEAD bytes; days since
 * the first one (uint16); the columns. Each part begins at a multiple of 8.
 */
const MARK = 0x314b5042;
const HEAD = 24;
const DOUBLES = 255;
/** Tried in this order. */
const DECIMALS = [0, 2, 4];
const COLUMNS = ["open", "high", "low", "close", "volume"] as const;

const LAST_INT = 2 ** 31 - 1;
const LAST_OFFSET = 2 ** 16 - 1;

const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;
const dayOf = (date: SessionDate) => Date.parse(`${date}T00:00:00.000Z`) / DAY_MS;

const dates = new Map<number, SessionDate>();
/** One text a day, however many symbols have a bar of it. */
function dateOf(day: number): SessionDate {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  dates.set(day, date);
  return date;
}

function isWhole(values: Float64Array, scale: number): boolean {
  return values.every((value) => {
    const whole = Math.round(value * scale);
    return Math.abs(whole) <= LAST_INT && whole / scale === value && !Object.is(value, -0);
  });
}

const decimalsOf = (values: Float64Array) => DECIMALS.find((decimals) => isWhole(values, 10 ** decimals)) ?? DOUBLES;
const widthOf = (decimals: number) => (decimals === DOUBLES ? 8 : 4);

/** @throws RangeError for bars further apart than 65,535 days */
export function packBars(bars: BarSeries): Uint8Array {
  const count = bars.dates.length;
  const days = bars.dates.map(dayOf);
  const first = days[0] ?? 0;
  if (count > 0 && days[count - 1]! - first > LAST_OFFSET) throw new RangeError("bars of more than 179 years");
  const decimals = COLUMNS.map((name) => decimalsOf(bars[name]));
  const size = decimals.reduce((sum, kind) => sum + padded(count * widthOf(kind)), HEAD + padded(count * 2));
  const buffer = new ArrayBuffer(size);
  new Int32Array(buffer, 0, 3).set([MARK, count, first]);
  new Uint8Array(buffer, 12, COLUMNS.length).set(decimals);
  new Uint16Array(buffer, HEAD, count).set(days.map((day) => day - first));
  let at = HEAD + padded(count * 2);
  COLUMNS.forEach((name, place) => {
    const kind = decimals[place]!;
    if (kind === DOUBLES) new Float64Array(buffer, at, count).set(bars[name]);
    else new Int32Array(buffer, at, count).set(bars[name].map((value) => Math.round(value * 10 ** kind)));
    at += padded(count * widthOf(kind));
  });
  return new Uint8Array(buffer);
}

/** Reads packs one after the other. */
export type Unpack = (symbol: string, bytes: Uint8Array) => BarSeries | null;

/**
 * A reader of packs that uses the same arrays again: the series it answers holds until the next one is read. Null for bytes that are
 * no whole pack.
 */
export function openUnpack(): Unpack {
  let aligned = new Uint8Array(new ArrayBuffer(32_768));
  let room = 0;
  let columns = COLUMNS.map(() => new Float64Array(0));
  let offsets = new Uint16Array(0);
  let known: { first: number; dates: SessionDate[] } = { first: 0, dates: [] };

  return (symbol, bytes) => {
    const size = bytes.byteLength;
    if (size < HEAD) return null;
    if (size > aligned.byteLength) aligned = new Uint8Array(new ArrayBuffer(size * 2));
    aligned.set(bytes);
    const { buffer } = aligned;
    const [mark, count = -1, first = 0] = new Int32Array(buffer, 0, 3);
    if (mark !== MARK || count < 0 || count > size) return null;
    const decimals = [...new Uint8Array(buffer, 12, COLUMNS.length)];
    if (decimals.some((kind) => kind !== DOUBLES && !DECIMALS.includes(kind))) return null;
    const expected = decimals.reduce((sum, kind) => sum + padded(count * widthOf(kind)), HEAD + padded(count * 2));
    if (size !== expected) return null;

    const own = new Uint16Array(buffer, HEAD, count);
    // Most symbols trade on the same days.
    if (known.first !== first || !isSame(own, offsets)) {
      if (!isAscending(own)) return null;
      offsets = own.slice();
      known = { first, dates: Array.from(own, (offset) => dateOf(first + offset)) };
    }
    if (count > room) {
      room = count * 2;
      columns = COLUMNS.map(() => new Float64Array(room));
    }
    let at = HEAD + padded(count * 2);
    const [open, high, low, close, volume] = columns.map((column, place) => {
      const kind = decimals[place]!;
      const values = column.subarray(0, count);
      fill(values, buffer, at, kind);
      at += padded(count * widthOf(kind));
      return values;
    });
    return { symbol, dates: known.dates, open: open!, high: high!, low: low!, close: close!, volume: volume! };
  };
}

function isSame(a: Uint16Array, b: Uint16Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** From 0 on. */
function isAscending(offsets: Uint16Array): boolean {
  for (let i = 1; i < offsets.length; i += 1) if (offsets[i]! <= offsets[i - 1]!) return false;
  return offsets.length === 0 || offsets[0] === 0;
}

function fill(values: Float64Array, buffer: ArrayBuffer, at: number, kind: number): void {
  if (kind === DOUBLES) return values.set(new Float64Array(buffer, at, values.length));
  const scale = 10 ** kind;
  const whole = new Int32Array(buffer, at, values.length);
  for (let i = 0; i < values.length; i += 1) values[i] = whole[i]! / scale;
}

/** The bars from a session to another one, in arrays of their own. */
export function barsBetween(bars: BarSeries, from: SessionDate, to: SessionDate): BarSeries {
  let first = 0;
  let end = bars.dates.length;
  while (first < end && bars.dates[first]! < from) first += 1;
  while (end > first && bars.dates[end - 1]! > to) end -= 1;
  const { symbol, open, high, low, close, volume } = bars;
  return {
    symbol,
    dates: bars.dates.slice(first, end),
    open: open.slice(first, end),
    high: high.slice(first, end),
    low: low.slice(first, end),
    close: close.slice(first, end),
    volume: volume.slice(first, end),
  };
}
