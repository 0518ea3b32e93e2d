import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "@/lib/domain/failures.ts";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Context } from "../../context.ts";
import type { CompanyFilings } from "../../providers/edgar.ts";
import { edgarSource } from "../../providers/market-data-registry.ts";

/** Sectors change seldom, results come each quarter: a week old is new enough. */
const FRESH_MS = 7 * DAY_MS;
/** At most eight requests a second: the SEC blocks an address beyond ten. */
const REQUEST_EVERY_MS = 125;
/** About two minutes of requests; the next turn continues where this one ended. */
const MOST_COMPANIES = 1_000;
/** A look at the whole list that found nothing to read is enough for this long: the list itself costs requests. */
const REST_MS = 6 * HOUR_MS;
/** As many companies in a row that cannot be read mean that the SEC does not answer. */
const MOST_FAILURES = 5;

/** Wall time, ms. */
let restsUntil = 0;
/** Companies that could not be read, by key, and until when they are left out: others wait behind them. Wall time, ms. */
const leftOut = new Map<number, number>();

interface Options {
  most?: number;
  requestEveryMs?: number;
}

/**
 * Reads what the SEC says of the tickers of the US market: those that were never read first, then the oldest. Each company is kept as soon as
 * it is read, so a worker that stops in the middle loses nothing.
 */
export async function refreshCompanies(
  context: Context,
  { most = MOST_COMPANIES, requestEveryMs = REQUEST_EVERY_MS }: Options = {},
): Promise<void> {
  const source = edgarSource();
  if (source === null || context.now().getTime() < restsUntil) return;
  const stale = await staleSymbols(context);
  if (stale.length === 0) {
    restsUntil = context.now().getTime() + REST_MS;
    return;
  }
  const keys = await source.tickers();
  // Share classes of one company are one request.
  const read = new Map<number, CompanyFilings | null>();
  let failures = 0;
  let stored = 0;
  const atMs = context.now().getTime();
  const isLeftOut = (cik: number | undefined) => cik !== undefined && (leftOut.get(cik) ?? 0) > atMs;
  const turn = stale.filter((symbol) => !isLeftOut(keys.get(symbol))).slice(0, most);
  if (turn.length === 0) {
    restsUntil = atMs + REST_MS;
    return;
  }
  for (const symbol of turn) {
    const cik = keys.get(symbol) ?? null;
    // It failed for another of its tickers in this turn.
    if (cik !== null && isLeftOut(cik)) continue;
    try {
      if (cik !== null && !read.has(cik)) {
        const [filings] = await Promise.all([filingsOf(source, cik), delay(requestEveryMs)]);
        read.set(cik, filings);
      }
      failures = 0;
    } catch (error) {
      failures += 1;
      if (cik !== null) leftOut.set(cik, atMs + REST_MS);
      context.log.warn("company.read-failed", { symbol, err: error });
      if (failures >= MOST_FAILURES) break;
      continue;
    }
    await storeCompany(context, symbol, cik, cik === null ? null : read.get(cik)!);
    stored += 1;
  }
  context.log.info("companies.read", { count: stored, waiting: stale.length - stored });
}

/** A key without filings is a company of which nothing is known: null. */
async function filingsOf(
  source: NonNullable<ReturnType<typeof edgarSource>>,
  cik: number,
): Promise<CompanyFilings | null> {
  try {
    return await source.company(cik);
  } catch (error) {
    const cause = error instanceof Failure ? (error.cause as { status?: unknown } | undefined) : undefined;
    if (cause?.status === 404) return null;
    throw error;
  }
}

async function staleSymbols({ db, now, marketData }: Context): Promise<string[]> {
  const assets = await marketData("US").assets();
  const known = await db.company.findMany({ select: { symbol: true, readAt: true } });
  const readAt = new Map(known.map((row) => [row.symbol, row.readAt.getTime()]));
  const before = now().getTime() - FRESH_MS;
  return assets
    .filter((asset) => asset.isTradable)
    .map(({ symbol }) => ({ symbol, at: readAt.get(symbol) ?? 0 }))
    .filter(({ at }) => at < before)
    .sort((a, b) => a.at - b.at || byText(a.symbol, b.symbol))
    .map(({ symbol }) => symbol);
}

/** What files without an industry is a fund (company-sectors.ts): without filings there is no key, either. */
async function storeCompany({ db, now }: Context, symbol: string, cik: number | null, filings: CompanyFilings | null) {
  const known = filings === null ? { cik: null, sic: null, announcedAt: [] } : { cik, ...filings };
  const content = { ...known, readAt: now() };
  await db.company.upsert({ where: { symbol }, create: { symbol, ...content }, update: content });
}
