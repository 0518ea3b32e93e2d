import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Instant } from "@/lib/domain/time.ts";
import type { BrokerAccount, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import type { Prisma, Tx } from "../../db.ts";

type Position = Prisma.PositionGetPayload<object>;

export interface Mark {
  accountId: string;
  symbol: string;
  currentPrice: DecimalText;
  marketValue: DecimalText;
  gain: DecimalText;
  percent: DecimalText | null;
}

/** What is held at the broker's prices. Cost is that of our own lots: the broker may keep another average, and a row has only one. */
export function marksOf(
  held: readonly Pick<Position, "accountId" | "symbol" | "qty" | "avgEntryPrice">[],
  positions: readonly BrokerPosition[],
): Mark[] {
  const bySymbol = new Map(held.map((row) => [row.symbol, row]));
  return positions.flatMap(({ symbol, currentPrice, marketValue }) => {
    const row = bySymbol.get(symbol);
    if (!row) return [];
    const cost = money(row.qty).times(money(row.avgEntryPrice));
    const gain = money(marketValue).minus(cost);
    const percent = cost.isZero() ? null : text(gain.div(cost).toDecimalPlaces(9));
    const { accountId } = row;
    return [{ accountId, symbol, currentPrice, marketValue, gain: text(gain.toDecimalPlaces(9)), percent }];
  });
}

/** The caller holds the accounts' locks. */
export async function storeMarks(tx: Tx, marks: readonly Mark[], now: Date): Promise<void> {
  if (marks.length === 0) return;
  const column = <K extends keyof Mark>(key: K) => marks.map((mark) => mark[key]);
  await tx.$executeRaw`
    update "Position" p
    set "currentPrice" = m."price", "marketValue" = m."value", "unrealizedPnl" = m."gain", "unrealizedPnlPercent" = m."percent",
      "updatedAt" = ${now}::timestamptz
    from unnest(${column("accountId")}::uuid[], ${column("symbol")}::text[], ${column("currentPrice")}::numeric[],
      ${column("marketValue")}::numeric[], ${column("gain")}::numeric[], ${column("percent")}::numeric[])
      m("accountId", "symbol", "price", "value", "gain", "percent")
    where p."accountId" = m."accountId" and p."symbol" = m."symbol"`;
}

/** What the broker of an account says of it, where our books say the same. */
export interface MarkedBalances {
  accountId: string;
  /** Of the figures, as they were when the books were compared. */
  version: number;
  balances: BrokerAccount;
  positions: BrokerPosition[];
  held: Position[];
}

/**
 * Stores the brokers' marks and balances of several accounts as they stood at `at`, in four statements, and that their books agree.
 * An account that is being written, or was since it was compared, keeps what its writer stores.
 */
export async function postMarks(context: Context, marked: readonly MarkedBalances[], at: Instant): Promise<void> {
  if (marked.length === 0) return;
  const column = (of: (one: MarkedBalances) => string) => marked.map(of);
  const balance = (key: "equity" | "buyingPower" | "longMarketValue" | "lastEquity") =>
    column(({ balances }) => text(money(balances[key]).toDecimalPlaces(9)));
  await inTransaction(context, async (tx) => {
    // Waits for none, so that no two pages wait for each other.
    const locked = await tx.$queryRaw<{ id: string }[]>`
      select "id"::text as "id" from "Account" where "id" = any(${column(({ accountId }) => accountId)}::uuid[])
      for no key update skip locked`;
    const isLocked = new Set(locked.map(({ id }) => id));
    const stored = await tx.$queryRaw<{ accountId: string }[]>`
      update "AccountFigures" f
      set "equity" = w."equity", "buyingPower" = w."buyingPower", "longMarketValue" = w."longMarketValue",
        "lastEquity" = w."lastEquity", "highWaterMark" = greatest(f."highWaterMark", w."equity" - greatest(f."unbookedCash", 0)),
        "asOf" = ${new Date(at)}::timestamptz, "version" = f."version" + 1
      from unnest(${column(({ accountId }) => accountId)}::uuid[], ${marked.map(({ version }) => version)}::int[],
        ${balance("equity")}::numeric[], ${balance("buyingPower")}::numeric[], ${balance("longMarketValue")}::numeric[],
        ${balance("lastEquity")}::numeric[]) w("id", "version", "equity", "buyingPower", "longMarketValue", "lastEquity")
      where f."accountId" = w."id" and f."version" = w."version" and f."accountId" = any(${[...isLocked]}::uuid[])
      returning f."accountId"::text as "accountId"`;
    const isStored = new Set(stored.map(({ accountId }) => accountId));
    const marks = marked.flatMap(({ accountId, held, positions }) =>
      isStored.has(accountId) ? marksOf(held, positions) : [],
    );
    const now = context.now();
    await storeMarks(tx, marks, now);
    // Books that a failed recovery left unread meanwhile stay unread.
    await tx.account.updateMany({
      where: { id: { in: [...isStored] }, reconciledAt: { not: null } },
      data: { reconciledAt: now },
    });
  });
}
