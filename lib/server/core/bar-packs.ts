import { crc32 } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { barsBetween, openUnpack, packBars } from "@/lib/domain/bars/pack.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { BarSeries } from "@/lib/domain/screening/features.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { Prisma, type Tx } from "../db.ts";
import { env } from "../env.ts";

/** A whole market takes a second or two; on a busy machine more. */
const READ_WITHIN_MS = 60_000;

/** A row of bars as it is read: valid until the next one is asked for. */
export interface StoredPack {
  symbol: string;
  /** Null where the row is no pack of this market and symbol: truncated, changed, or another one's. */
  bars: BarSeries | null;
  /** The session up to which the source was asked. */
  through: SessionDate;
}

/** The sum tells a pack of another market or symbol from this one's. */
const sumOf = (market: MarketName, symbol: string, pack: Uint8Array) => crc32(pack, crc32(`${market} ${symbol}`));

function seal(market: MarketName, bars: BarSeries): Buffer<ArrayBuffer> {
  const pack = packBars(bars);
  const sealed = Buffer.alloc(4 + pack.length);
  sealed.writeUInt32LE(sumOf(market, bars.symbol, pack));
  sealed.set(pack, 4);
  return sealed;
}

/** Writes whole histories: what stood there for the symbol is replaced. `through` is the session up to which the source was asked. */
export async function writePacks(
  db: Pick<Tx, "$executeRaw">,
  market: MarketName,
  through: SessionDate,
  all: readonly BarSeries[],
): Promise<void> {
  if (all.length === 0) return;
  const rows = all.map((bars) => {
    const [first, last] = [bars.dates[0] ?? null, bars.dates.at(-1) ?? null];
    return Prisma.sql`(${market}::"Market", ${bars.symbol}, ${first}::date, ${last}::date, ${bars.dates.length}::int, ${through}::date, ${seal(market, bars)}::bytea)`;
  });
  await db.$executeRaw`
    insert into "BarPack" ("market", "symbol", "firstSession", "lastSession", "bars", "through", "columns")
    values ${Prisma.join(rows)}
    on conflict ("market", "symbol") do update set
      "firstSession" = excluded."firstSession", "lastSession" = excluded."lastSession", "bars" = excluded."bars",
      "through" = excluded."through", "columns" = excluded."columns"`;
}

/**
 * The bars of a market, or of some of its symbols, one row after the other over a connection of its own. Postgres sends the bytes
 * themselves (COPY in binary form): a query would answer twice as many, as text. Nothing but the current row is held.
 */
export async function* readPacks(market: MarketName, symbols?: readonly string[]): AsyncGenerator<StoredPack> {
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    connectionTimeoutMillis: 5_000,
    statement_timeout: READ_WITHIN_MS,
    application_name: "bar-packs",
  });
  // What goes wrong on the way is thrown by the stream.
  client.on("error", () => undefined);
  await client.connect();
  try {
    // COPY takes no parameters.
    const some = symbols && `and "symbol" in (${symbols.map((symbol) => client.escapeLiteral(symbol)).join(",")})`;
    if (symbols?.length === 0) return;
    const stream = client.query(
      copyTo(
        `copy (select "symbol", "columns", to_char("through", 'YYYY-MM-DD') from "BarPack" where "market" = ${client.escapeLiteral(market)} ${some ?? ""})
         to stdout (format binary)`,
        { highWaterMark: 1_048_576 },
      ),
    );
    const unpack = openUnpack();
    for await (const [name, sealed, through] of rowsOf(stream)) {
      const symbol = name!.toString();
      const pack = sealed!.subarray(4);
      const isOwn = sealed!.length > 4 && sealed!.readUInt32LE() === sumOf(market, symbol, pack);
      yield { symbol, bars: isOwn ? unpack(symbol, pack) : null, through: through!.toString() };
    }
  } finally {
    // Where the reader stopped early the rest is not waited for.
    await client.end().catch(() => undefined);
  }
}

/** Signature, flags and the length of an extension that there is none of. */
const COPY_HEAD = 19;

/** The rows of a COPY in binary form: a number of fields, then each field behind its length; -1 fields are the end. */
async function* rowsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  let head = COPY_HEAD;
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const skipped = Math.min(head, rest.length);
    head -= skipped;
    let at = skipped;
    for (let row = rowAt(rest, at); row !== null; row = rowAt(rest, at)) {
      at = row.end;
      yield row.fields;
    }
    rest = rest.subarray(at);
  }
}

/** The row that begins there; null where it has not arrived whole. */
function rowAt(bytes: Buffer, from: number): { fields: Buffer[]; end: number } | null {
  if (bytes.length < from + 2) return null;
  const fields: Buffer[] = [];
  let at = from + 2;
  for (let left = bytes.readInt16BE(from); left > 0; left -= 1) {
    if (bytes.length < at + 4) return null;
    const end = at + 4 + Math.max(0, bytes.readInt32BE(at));
    if (bytes.length < end) return null;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields.length === 0 ? null : { fields, end: at };
}

/**
 * Stored bars of a market between two sessions, both included, by symbol; all symbols of which there are bars, or those asked for.
 * What cannot be read is left out: the next load reads it anew (load-bars.ts).
 */
export async function readStoredBars(
  market: MarketName,
  { from, to, symbols }: { from: SessionDate; to: SessionDate; symbols?: readonly string[] },
): Promise<Map<string, BarSeries>> {
  const found = new Map<string, BarSeries>();
  for await (const { symbol, bars } of readPacks(market, symbols)) {
    const some = bars && barsBetween(bars, from, to);
    if (some && some.dates.length > 0) found.set(symbol, some);
  }
  return found;
}
