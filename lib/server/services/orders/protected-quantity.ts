import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { least, money, ZERO, type Money } from "@/lib/domain/money.ts";
import type { Db, Prisma, Tx } from "../../db.ts";

/** Orders to sell that work at the broker, with what arms them. */
const RESTING = { side: "SELL", status: { in: [...WORKING_STATUSES] } } satisfies Prisma.OrderWhereInput;
const STOP = { type: { in: ["STOP", "STOP_LIMIT", "TRAILING_STOP"] } } satisfies Prisma.OrderWhereInput;
const WITH_PARENT = { parent: { select: { status: true, role: true } } } satisfies Prisma.OrderInclude;

type Resting = Prisma.OrderGetPayload<{ include: typeof WITH_PARENT }>;

/** A held leg sells only once its bracket's entry is filled, or beside the target of an OCO. */
const isArmed = ({ parent }: Resting) => parent === null || parent.status === "FILLED" || parent.role === "TARGET";

/** Shares of each symbol that a live stop at the broker would sell; stops that a person placed count too. */
export async function protectedQuantity(db: Db | Tx, accountId: string): Promise<Map<string, Money>> {
  const stops = await db.order.findMany({
    where: { accountId, ...RESTING, ...STOP, qty: { not: null } },
    include: WITH_PARENT,
  });
  const covered = new Map<string, Money>();
  for (const stop of stops.filter(isArmed)) {
    const open = money(stop.qty ?? 0).minus(money(stop.filledQty));
    covered.set(stop.symbol, (covered.get(stop.symbol) ?? ZERO).plus(open));
  }
  return covered;
}

export interface RestingLevels {
  /** USD; the lowest where there are more, null where no stop with a price of its own rests. */
  stop: Money | null;
  /** USD; the lowest, which is met first. */
  target: Money | null;
}

/**
 * The prices at which orders at the broker would sell, by symbol of each account. A level that is only intended, because
 * its order was refused or is yet to be sent, is none of them.
 */
export async function restingLevels(
  db: Db | Tx,
  accountIds: readonly string[],
): Promise<(accountId: string, symbol: string) => RestingLevels> {
  const orders = await db.order.findMany({
    where: { accountId: { in: [...accountIds] }, ...RESTING, OR: [STOP, { role: "TARGET" }] },
    include: WITH_PARENT,
  });
  const levels = new Map<string, RestingLevels>();
  const lower = (known: Money | null, price: Resting["stopPrice"]) =>
    price === null ? known : known === null ? money(price) : least(known, money(price));
  for (const order of orders.filter(isArmed)) {
    const key = `${order.accountId} ${order.symbol}`;
    const { stop, target } = levels.get(key) ?? { stop: null, target: null };
    levels.set(
      key,
      order.role === "TARGET"
        ? { stop, target: lower(target, order.limitPrice) }
        : { stop: lower(stop, order.stopPrice), target },
    );
  }
  return (accountId, symbol) => levels.get(`${accountId} ${symbol}`) ?? { stop: null, target: null };
}
