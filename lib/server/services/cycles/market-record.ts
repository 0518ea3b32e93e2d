import { createHash } from "node:crypto";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import type { MarketView, QuoteView, SourcesView, SymbolView } from "@/lib/domain/engine/plan.ts";
import type { Context } from "../../context.ts";
import { type Prisma } from "../../db.ts";

/**
 * A market view is stored in two content-addressed parts: what holds for the whole session (features,
 * seats, regime, calendar) once a session, and the moment (time, open or not, quotes) once a cycle.
 */
interface Moment {
  sessionPart: string;
  at: string;
  isOpen: boolean;
  quotes: Record<string, QuoteView | null>;
  /** What the sources said; absent where nothing was compared. */
  sources?: Record<string, SourcesView | null>;
}

type SessionPart = MarketView;

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** Of views that were decided on: the accounts of a cycle share one. */
const viewTexts = new WeakMap<MarketView, string>();

/**
 * The hash of what a decision was made from, as `hashOf` gives it: the view's text, which is the same for every account of a
 * cycle, is made once.
 *
 * @param state the canonical text of the account's state
 */
export function inputHashOf(
  state: string,
  market: MarketView,
  { policyVersion, engineVersion }: { policyVersion: string; engineVersion: string },
): string {
  const view = viewTexts.get(market) ?? canonicalJson(market);
  viewTexts.set(market, view);
  const [engine, policy] = [canonicalJson(engineVersion), canonicalJson(policyVersion)];
  return sha256(`{"engineVersion":${engine},"market":${view},"policyVersion":${policy},"state":${state}}`);
}

/**
 * The value as its record holds it: −0 is 0, fields without a value are gone. What is decided on this is
 * decided on exactly what can be read back; what has no canonical form stops the decision.
 */
export function asRecorded<T>(value: T): T {
  return JSON.parse(canonicalJson(value)) as T;
}

function withoutMoment(view: MarketView): SessionPart {
  return {
    ...view,
    at: view.session.opensAt,
    session: { ...view.session, isOpen: false },
    symbols: Object.fromEntries(
      Object.entries(view.symbols).map(([symbol, { sources: _, ...row }]) => [symbol, { ...row, quote: null }]),
    ),
  };
}

const comparedIn = ({ symbols }: MarketView) =>
  Object.entries(symbols).flatMap(([symbol, { sources }]) =>
    sources === undefined ? [] : [[symbol, sources] as const],
  );

/** Stores the view and answers the id of its moment. The same view is stored once. */
export async function storeMarketView({ db }: Pick<Context, "db">, view: MarketView): Promise<string> {
  const session = withoutMoment(view);
  const sessionPart = hashOf(session);
  const moment: Moment = {
    sessionPart,
    at: view.at,
    isOpen: view.session.isOpen,
    quotes: Object.fromEntries(Object.entries(view.symbols).map(([symbol, row]) => [symbol, row.quote])),
    ...(comparedIn(view).length > 0 && { sources: Object.fromEntries(comparedIn(view)) }),
  };
  const id = hashOf(moment);
  const row = (key: string, content: object) => ({
    id: key,
    market: view.market,
    asOf: new Date(view.at),
    content: content as Prisma.InputJsonObject,
  });
  await db.marketSnapshot.createMany({ data: [row(sessionPart, session), row(id, moment)], skipDuplicates: true });
  return id;
}

/** Parts of views that were read before: accounts of a cycle share both, cycles of a session share one. */
export type KnownParts = Map<string, unknown>;

/** The view that was stored under the id, whole again. Throws when a part is missing or does not match its address. */
export async function readMarketView(
  { db }: Pick<Context, "db">,
  id: string,
  known: KnownParts = new Map(),
): Promise<MarketView> {
  const moment = (await readPart(db, id, known)) as Moment;
  const session = (await readPart(db, moment.sessionPart, known)) as SessionPart;
  return {
    ...session,
    at: moment.at,
    session: { ...session.session, isOpen: moment.isOpen },
    symbols: Object.fromEntries(
      Object.entries(session.symbols).map(([symbol, row]) => [
        symbol,
        { ...row, quote: moment.quotes[symbol] ?? null, ...sourcesIn(moment, symbol) },
      ]),
    ),
  };
}

const sourcesIn = ({ sources = {} }: Moment, symbol: string): Pick<SymbolView, "sources"> =>
  Object.hasOwn(sources, symbol) ? { sources: sources[symbol]! } : {};

const MOST_KNOWN = 16;

async function readPart(db: Context["db"], id: string, known: KnownParts): Promise<unknown> {
  let content = known.get(id);
  if (content === undefined) {
    const row = await db.marketSnapshot.findUniqueOrThrow({ where: { id } });
    if (hashOf(row.content) !== id) throw new Error(`market snapshot ${id} does not match its address`);
    content = row.content;
  }
  // The part that was used longest ago goes first.
  known.delete(id);
  known.set(id, content);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return content;
}
