import type { Consensus } from "@/lib/domain/consensus/consensus.ts";
import {
  type Disagreement,
  disagreementOf,
  disagreementText,
  standingText,
} from "@/lib/domain/consensus/source-text.ts";
import type { MarketName, PriceFigure } from "@/lib/domain/enums.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { type Instant, MINUTE_MS, type SessionDate } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { asJson, sourceValuesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { dateOf, sessionOf } from "../../rows.ts";

/** What the sources of one figure of a symbol said together. */
export interface Judged {
  symbol: string;
  figure: PriceFigure;
  verdict: Consensus;
}

interface Comparison {
  market: MarketName;
  session: SessionDate;
  /** Market time of the comparison. */
  at: Instant;
  policy: Policy;
  judged: readonly Judged[];
  /** An agreement on the close ends disagreements on prices of earlier sessions, too: it is newer than they are. */
  endsEarlierQuotes?: boolean;
}

type OpenRow = Awaited<ReturnType<typeof readOpen>>[number];

const readOpen = ({ db }: Pick<Context, "db">, market: MarketName) =>
  db.sourceDisagreement.findMany({ where: { market, clearedAt: null }, orderBy: { foundAt: "asc" } });

const textOf = (row: OpenRow) => standingText({ ...row, values: sourceValuesOf(row) }, row.foundAt.toISOString());

/**
 * Ends the disagreements on symbols that are no longer compared, because the market lists them no longer or has one source
 * alone. Answers the symbols of the others.
 */
export async function closeUnlisted(
  context: Context,
  { market, at, isListed }: { market: MarketName; at: Instant; isListed: (symbol: string) => boolean },
): Promise<string[]> {
  const open = await readOpen(context, market);
  await end(
    context,
    market,
    open.filter(({ symbol }) => !isListed(symbol)),
    at,
  );
  return open.flatMap(({ symbol }) => (isListed(symbol) ? [symbol] : []));
}

async function end({ db, log }: Context, market: MarketName, rows: readonly OpenRow[], at: Instant): Promise<void> {
  if (rows.length === 0) return;
  await db.sourceDisagreement.updateMany({
    where: { id: { in: rows.map(({ id }) => id) }, clearedAt: null },
    data: { clearedAt: new Date(at) },
  });
  log.info("sources.agreed-again", { market, count: rows.length, symbols: rows.map(({ symbol }) => symbol) });
}

/**
 * Keeps what a comparison found: new disagreements, those that are over, and how often each source agreed. Answers, by symbol, why it
 * is set aside: a disagreement that is seen now, or one that was seen before and has not ended.
 */
export async function settleComparison(context: Context, comparison: Comparison): Promise<Map<string, string>> {
  const { market, session, at, policy, judged, endsEarlierQuotes = false } = comparison;
  const open = await readOpen(context, market);
  const keyOf = ({ symbol, figure }: { symbol: string; figure: PriceFigure }) => `${figure} ${symbol}`;
  const agreed = new Set(
    judged.filter(({ verdict }) => verdict.kind === "agreed" && verdict.agreeing.length > 1).map((each) => keyOf(each)),
  );
  const isOver = (row: OpenRow) =>
    agreed.has(keyOf(row)) ||
    (endsEarlierQuotes && sessionOf(row.session) < session && agreed.has(keyOf({ ...row, figure: "CLOSE" })));
  await end(context, market, open.filter(isOver), at);
  const lasting = open.filter((row) => !isOver(row));
  const found = judged.flatMap(({ symbol, figure, verdict }) =>
    verdict.kind === "disagreement" ? [{ symbol, ...disagreementOf(figure, verdict, policy) }] : [],
  );
  const known = new Set(lasting.map(keyOf));
  await keepNew(
    context,
    { market, session, at },
    found.filter((each) => !known.has(keyOf(each))),
  );
  await countAgreement(context, market, judged);

  const seen = new Set(found.map(keyOf));
  const asked = new Set(judged.map(({ symbol }) => symbol));
  const unseen = lasting.filter((row) => asked.has(row.symbol) && !seen.has(keyOf(row)));
  return new Map([
    ...unseen.map((row) => [row.symbol, textOf(row)] as const),
    ...found.map((each) => [each.symbol, disagreementText(each)] as const),
  ]);
}

async function keepNew(
  { db, log }: Context,
  { market, session, at }: { market: MarketName; session: SessionDate; at: Instant },
  found: readonly (Disagreement & { symbol: string })[],
): Promise<void> {
  if (found.length === 0) return;
  await db.sourceDisagreement.createMany({
    data: found.map(({ symbol, figure, values, deviationBps, limitBps }) => ({
      market,
      symbol,
      session: dateOf(session),
      figure,
      values: asJson([...values]),
      deviationBps,
      limitBps,
      foundAt: new Date(at),
    })),
    // Another worker that looked at the same moment found the same.
    skipDuplicates: true,
  });
  const symbols = found.map((each) => `${each.symbol}: ${disagreementText(each)}`);
  log.warn("sources.disagreed", { market, count: found.length, symbols });
}

/** Ten minutes of wall time are counted together. */
const COUNTED_MS = 10 * MINUTE_MS;

/** Of each source that was heard beside another one: how often, and how often it was among those that agreed. */
async function countAgreement({ db, now }: Context, market: MarketName, judged: readonly Judged[]): Promise<void> {
  const counts = new Map<string, { provider: string; figure: PriceFigure; compared: number; agreed: number }>();
  for (const { figure, verdict } of judged) {
    if (verdict.kind === "too_few" || verdict.counted.length < 2) continue;
    for (const { source } of verdict.counted) {
      const key = `${figure} ${source}`;
      const count = counts.get(key) ?? { provider: source, figure, compared: 0, agreed: 0 };
      counts.set(key, count);
      count.compared += 1;
      if (verdict.kind === "agreed" && verdict.agreeing.includes(source)) count.agreed += 1;
    }
  }
  const rows = [...counts.values()].sort((a, b) => byText(`${a.provider}${a.figure}`, `${b.provider}${b.figure}`));
  if (rows.length === 0) return;
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  const at = new Date(Math.floor(now().getTime() / COUNTED_MS) * COUNTED_MS);
  await db.$executeRaw`
    insert into "SourceAgreement" ("provider", "market", "figure", "at", "compared", "agreed")
    select c."provider", ${market}::"Market", c."figure"::"PriceFigure", ${at}::timestamptz, c."compared", c."agreed"
    from unnest(${column("provider")}::text[], ${column("figure")}::text[], ${column("compared")}::int[], ${column("agreed")}::int[])
      as c("provider", "figure", "compared", "agreed")
    on conflict ("provider", "market", "figure", "at") do update set
      "compared" = "SourceAgreement"."compared" + excluded."compared",
      "agreed" = "SourceAgreement"."agreed" + excluded."agreed"`;
}
