import type { Given } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { type Money, money } from "@/lib/domain/money.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { Prisma, type Db } from "../../db.ts";
import { readLevels } from "./read-levels.ts";
import type { WholeTrade } from "./read-trade.ts";
import { idList } from "./trade-scope.ts";
import { relatedView } from "./trade-view.ts";

type Detail = Given<typeof tradesApi.read>;
type Order = WholeTrade["legs"][number];

/** Most protective orders of one entry that its page shows, the newest of them. */
const MOST_PROTECTIVE = 100;

const isProtective = ({ role }: Pick<Order, "role">) => role === "STOP" || role === "TARGET";

/**
 * What stands beside a trade: of an entry every order that protected its shares (the legs of its bracket and the pairs that
 * followed them), of a protective order the entry that it protects and the other half of its pair.
 */
export async function readProtection(
  db: Db,
  row: WholeTrade,
  trip: Pick<NonNullable<Detail["trip"]>, "openedAt" | "closedAt"> | null,
): Promise<Pick<Detail, "parent" | "legs">> {
  const { parent, legs } = row;
  if (isProtective(row)) {
    const pair = parent ? [...(isProtective(parent) ? [parent] : []), ...parent.legs] : legs;
    const entry = parent && !isProtective(parent) ? parent : await entryBefore(db, row);
    return {
      parent: entry && relatedView(entry),
      legs: pair.filter(({ id }) => id !== row.id).map((leg) => legView(leg, false)),
    };
  }
  const siblings = parent ? parent.legs.filter(({ id }) => id !== row.id) : legs;
  const others = row.side === "BUY" && trip !== null ? await protectiveWithin(db, row, trip) : [];
  const known = new Set(siblings.map(({ id }) => id));
  const all = [...siblings, ...others.filter(({ id }) => !known.has(id))];
  return { parent: parent && relatedView(parent), legs: inTimeOrder(all, await readLevels(db, all)) };
}

type Levels = Awaited<ReturnType<typeof readLevels>>;

/** Oldest first; a stop above every one before it was raised. */
function inTimeOrder(legs: readonly Order[], levelOf: Levels): Detail["legs"] {
  let highest: Money | null = null;
  const sorted = [...legs].sort((a, b) => a.submittedAt.getTime() - b.submittedAt.getTime() || byText(a.id, b.id));
  return sorted.map((leg) => {
    const level = leg.role === "STOP" && leg.stopPrice !== null ? levelOf(leg, money(leg.stopPrice)) : null;
    const isRaised = level !== null && highest !== null && level.gt(highest);
    if (level !== null && (highest === null || isRaised)) highest = level;
    return legView(leg, isRaised);
  });
}

const legView = (leg: Order, isRaised: boolean): Detail["legs"][number] => ({
  ...relatedView(leg),
  isRaised,
  submittedAt: leg.submittedAt,
});

/** The filled purchase that a protective order came after, sent with its symbol or an earlier one; null where nothing here knows one. */
async function entryBefore(db: Db, { accountId, symbol, submittedAt }: WholeTrade): Promise<Order | null> {
  return db.order.findFirst({
    where: {
      accountId,
      side: "BUY",
      filledQty: { gt: 0 },
      submittedAt: { lte: submittedAt },
      OR: [{ symbol }, { fills: { some: { accountId, symbol } } }],
    },
    orderBy: [{ submittedAt: "desc" }, { id: "desc" }],
  });
}

/** Along the index of protective orders, whose condition is spelled as the migration spells it. */
async function protectiveWithin(
  db: Db,
  { accountId, symbol, fills }: WholeTrade,
  { openedAt, closedAt }: Pick<NonNullable<Detail["trip"]>, "openedAt" | "closedAt">,
): Promise<Order[]> {
  // A stop that came after a change of the symbol has the new one, as the fills have.
  const symbols = [...new Set([symbol, ...fills.map((fill) => fill.symbol)])];
  const found = await db.$queryRaw<{ id: string }[]>`
    select "id" from "Order"
    where "accountId" = ${accountId}::uuid and "symbol" = any(${symbols}) and "role" in ('STOP', 'TARGET') and "parentId" is null
      and "submittedAt" >= ${openedAt} ${closedAt === null ? Prisma.empty : Prisma.sql`and "submittedAt" <= ${closedAt}`}
    order by "submittedAt" desc, "id" desc limit ${MOST_PROTECTIVE}`;
  const pairs = found.map(({ id }) => id);
  return db.order.findMany({ where: { OR: [{ id: { in: pairs } }, { parentId: { in: pairs } }] } });
}

/** Most pairs of protective orders that a row of the list shows, the newest of them. */
const MOST_PAIRS_OF_ROW = 6;

/** Every entry's protective orders, as its page has them, for the purchases of a list: its bracket and the pairs that followed. */
export async function protectionOfEach(
  db: Db,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, Detail["legs"]>> {
  if (entryIds.length === 0) return new Map();
  const pairs = await db.$queryRaw<{ entryId: string; id: string }[]>`
    with entry as (
      select e."id", e."accountId", e."symbol", f."symbol" as "held", f."at" from "Order" e
      cross join lateral (select "symbol", "at" from "Fill" where "orderId" = e."id" order by "at" limit 1) f
      where e."id" = any(${idList(entryIds)})
    )
    select e."id" as "entryId", p."id" from entry e
    cross join lateral (
      select t."openedAt", t."closedAt" from "RoundTrip" t
      where t."accountId" = e."accountId" and t."symbol" = e."held" and t."openedAt" <= e."at"
        and (t."closedAt" is null or t."closedAt" >= e."at")
      order by t."openedAt" desc limit 1
    ) t
    cross join lateral (
      select o."id" from "Order" o
      where o."accountId" = e."accountId" and o."symbol" in (e."symbol", e."held") and o."role" in ('STOP', 'TARGET') and o."parentId" is null
        and o."submittedAt" >= t."openedAt" and o."submittedAt" <= coalesce(t."closedAt", 'infinity'::timestamptz)
      order by o."submittedAt" desc, o."id" desc limit ${MOST_PAIRS_OF_ROW}
    ) p`;
  const pairIds = pairs.map(({ id }) => id);
  const orders = await db.order.findMany({
    where: { OR: [{ parentId: { in: [...entryIds, ...pairIds] } }, { id: { in: pairIds } }] },
  });
  const levelOf = await readLevels(db, orders);
  return new Map(
    entryIds.map((entryId) => {
      const own = new Set([entryId, ...pairs.filter((pair) => pair.entryId === entryId).map(({ id }) => id)]);
      const legs = orders.filter(
        (order) => isProtective(order) && (own.has(order.id) || own.has(order.parentId ?? "")),
      );
      return [entryId, inTimeOrder(legs, levelOf)];
    }),
  );
}
