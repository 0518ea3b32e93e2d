import { TITLE_FIELDS } from "@/lib/domain/account-title.ts";
import { money, text } from "@/lib/domain/money.ts";
import { isCursorTime, noSuchPage, UUID } from "../../cursor.ts";
import { Prisma, type Db } from "../../db.ts";
import { idList, tradeConditions, type TradeFilter, type TradeScope } from "./trade-scope.ts";

export interface TradeOrder {
  sort: "date" | "symbol" | "quantity" | "price" | "total";
  direction: "asc" | "desc";
}

export const TRADE_WITH_ACCOUNT = {
  account: {
    select: {
      ...TITLE_FIELDS,
      environment: true,
      user: { select: { id: true, firstName: true, lastName: true, email: true } },
    },
  },
} as const;

export type TradeRow = Prisma.OrderGetPayload<{ include: typeof TRADE_WITH_ACCOUNT }>;

/** Each has indexes of its own (the migration). A price that does not exist is shown, and stands, as zero. */
const KEYS = {
  date: Prisma.sql`"tradedAt"`,
  symbol: Prisma.sql`"symbol"`,
  quantity: Prisma.sql`"filledQty"`,
  price: Prisma.sql`coalesce("filledAvgPrice", 0)`,
  total: Prisma.sql`"filledValue"`,
} as const;

/**
 * One page of trades behind `cursor`, found along the index of its order: the last page costs what the first one does.
 * Every account is read on its own and the results are merged, because one index cannot be walked for several at once.
 */
export async function findTrades(
  db: Db,
  scope: TradeScope,
  filter: TradeFilter,
  { sort, direction, cursor, limit }: TradeOrder & { cursor: string | undefined; limit: number },
): Promise<{ rows: TradeRow[]; nextCursor: string | null }> {
  const order = { sort, direction };
  const conditions = [
    ...tradeConditions(filter),
    ...(cursor === undefined ? [] : [behind(order, readTradeCursor(cursor, order))]),
  ];
  const key = KEYS[sort];
  const way = Prisma.raw(direction);
  const where = Prisma.join(conditions, " and ");
  // Those that are not filled are few and stand together at one end of most orders: they are gathered first.
  const fence = Prisma.raw(
    filter.status !== undefined && filter.status !== "FILLED" && sort !== "date" ? "offset 0" : "",
  );
  const found =
    scope === "all-users"
      ? await db.$queryRaw<{ id: string }[]>`
          select "id" from (select "id", ${key} as "key" from "Order" where ${where} ${fence}) t
          order by "key" ${way}, "id" ${way} limit ${limit + 1}`
      : await db.$queryRaw<{ id: string }[]>`
          select t."id" from unnest(${idList(scope.accountIds)}) as a("id") cross join lateral (
            select ${key} as "key", "id" from "Order" where "accountId" = a."id" and ${where}
            order by ${key} ${way}, "id" ${way} limit ${limit + 1}
          ) t order by t."key" ${way}, t."id" ${way} limit ${limit + 1}`;
  const ids = found.slice(0, limit).map(({ id }) => id);
  const byId = new Map(
    (await db.order.findMany({ where: { id: { in: ids } }, include: TRADE_WITH_ACCOUNT })).map((row) => [row.id, row]),
  );
  // A row may have gone between the two readings.
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last ? writeTradeCursor(order, last) : null };
}

interface Place {
  key: string;
  id: string;
}

/** The key goes as text and is read as what its column is: exact for decimals and milliseconds. */
const TYPES = { date: "timestamptz", symbol: "text", quantity: "numeric", price: "numeric", total: "numeric" } as const;

function behind({ sort, direction }: TradeOrder, { key, id }: Place): Prisma.Sql {
  const sign = Prisma.raw(direction === "desc" ? "<" : ">");
  return Prisma.sql`(${KEYS[sort]}, "id") ${sign} (${key}::text::${Prisma.raw(TYPES[sort])}, ${id}::uuid)`;
}

const KEY_OF: Record<TradeOrder["sort"], (row: TradeRow) => string> = {
  date: (row) => row.tradedAt.toISOString(),
  symbol: (row) => row.symbol,
  quantity: (row) => text(money(row.filledQty)),
  price: (row) => text(money(row.filledAvgPrice ?? 0)),
  total: (row) => text(money(row.filledValue)),
};

/** A place in a list of this order, which is a part of it: no other order takes it. */
function writeTradeCursor({ sort, direction }: TradeOrder, row: TradeRow): string {
  return Buffer.from([sort, direction, row.id, KEY_OF[sort](row)].join("|")).toString("base64url");
}

const DECIMAL = /^\d{1,15}(\.\d{1,9})?$/;

const IS_KEY: Record<TradeOrder["sort"], (key: string) => boolean> = {
  date: isCursorTime,
  symbol: (key) => /^[\x21-\x7e]{1,40}$/.test(key),
  quantity: (key) => DECIMAL.test(key),
  price: (key) => DECIMAL.test(key),
  total: (key) => DECIMAL.test(key),
};

/** Throws `invalid_input` on text that no list of this order gave. */
function readTradeCursor(cursor: string, { sort, direction }: TradeOrder): Place {
  const [of, way, id = "", ...rest] = Buffer.from(cursor, "base64url").toString().split("|");
  const key = rest.join("|");
  if (of !== sort || way !== direction || !UUID.test(id) || !IS_KEY[sort](key)) throw noSuchPage();
  return { key, id };
}
