import { createHash } from "node:crypto";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import type { MarketView, QuoteView } from "@/lib/domain/engine/plan.ts";
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
}

type SessionPart = MarketView;

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

function withoutMoment(view: MarketView): SessionPart {
  return {
    ...view,
    at: view.session.opensAt,
    session: { ...view.session, isOpen: false },
    symbols: Object.fromEntries(Object.entries(view.symbols).map(([symbol, row]) => [symbol, { ...row, quote: null }])),
  };
}

/** Stores the view and answers the id of its moment. The same view is stored once. */
export async function storeMarketView({ db }: Pick<Context, "db">, view: MarketView): Promise<string> {
  const session = withoutMoment(view);
  const sessionPart = hashOf(session);
  const moment: Moment = {
    sessionPart,
    at: view.at,
    isOpen: view.session.isOpen,
    quotes: Object.fromEntries(Object.entries(view.symbols).map(([symbol, row]) => [symbol, row.quote])),
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

/** The view that was stored under the id, whole again. Throws when a part is missing or does not match its address. */
export async function readMarketView({ db }: Pick<Context, "db">, id: string): Promise<MarketView> {
  const moment = (await readPart(db, id)) as Moment;
  const session = (await readPart(db, moment.sessionPart)) as SessionPart;
  return {
    ...session,
    at: moment.at,
    session: { ...session.session, isOpen: moment.isOpen },
    symbols: Object.fromEntries(
      Object.entries(session.symbols).map(([symbol, row]) => [
        symbol,
        { ...row, quote: moment.quotes[symbol] ?? null },
      ]),
    ),
  };
}

async function readPart(db: Context["db"], id: string): Promise<unknown> {
  const row = await db.marketSnapshot.findUniqueOrThrow({ where: { id } });
  if (hashOf(row.content) !== id) throw new Error(`market snapshot ${id} does not match its address`);
  return row.content;
}
