/**
 * The product's rows against the exchange's books, read by plain SQL and by the exchange's control API: nothing that the
 * product itself uses to reconcile is asked.
 */
import type pg from "pg";
import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import { cents, money, text } from "@/lib/domain/money.ts";
import { bareAtExchange } from "../bare-at-exchange.ts";
import type { AccountTruth } from "./exchange-control.ts";

interface AccountRow {
  id: string;
  brokerAccountId: string;
  haltReason: string | null;
  cash: string | null;
}
interface OrderRow {
  accountId: string;
  brokerOrderId: string;
  clientOrderId: string;
  brokerStatus: string;
  filledQty: string;
}
interface FillRow {
  accountId: string;
  brokerOrderId: string;
  symbol: string;
  side: string;
  qty: string;
  price: string;
}
interface HeldRow {
  accountId: string;
  symbol: string;
  qty: string;
  isOurs: boolean;
}
interface IntentRow {
  accountId: string;
  clientOrderId: string;
  symbol: string;
  status: string;
  gates: number;
}

export interface BooksOfProduct {
  accounts: AccountRow[];
  orders: OrderRow[];
  fills: FillRow[];
  held: HeldRow[];
  intents: IntentRow[];
}

export interface Comparison {
  /** One sentence for each thing that is not as it must be. */
  differences: string[];
  orders: number;
  fills: number;
  doubled: number;
  lost: number;
  /** Whole shares of ours without a live stop at the exchange, "VLO 12". */
  bare: string[];
}

/** Everything that is compared, in one snapshot of the database. */
export async function readProduct(db: pg.Client): Promise<BooksOfProduct> {
  await db.query("begin isolation level repeatable read read only");
  try {
    const rows = async <T>(sql: string) => (await db.query(sql)).rows as T[];
    return {
      accounts: await rows<AccountRow>(`
        select a."id", a."brokerAccountId", a."haltReason", f."cash"::text as "cash"
        from "Account" a left join "AccountFigures" f on f."accountId" = a."id" where a."deletedAt" is null order by a."id"`),
      orders: await rows<OrderRow>(`
        select "accountId", "brokerOrderId", "clientOrderId", "brokerStatus", "filledQty"::text as "filledQty" from "Order"`),
      fills: await rows<FillRow>(`
        select f."accountId", o."brokerOrderId", f."symbol", f."side"::text as "side", f."qty"::text as "qty", f."price"::text as "price"
        from "Fill" f join "Order" o on o."id" = f."orderId"`),
      held: await rows<HeldRow>(`
        select l."accountId", l."symbol", sum(l."qtyRemaining")::text as "qty", bool_or(p."strategy" is not null) as "isOurs"
        from "Lot" l left join "Position" p on p."accountId" = l."accountId" and p."symbol" = l."symbol"
        where l."qtyRemaining" > 0 group by 1, 2`),
      intents: await rows<IntentRow>(`
        select i."accountId", i."clientOrderId", i."symbol", i."status"::text as "status",
          (select count(distinct v."phase")::int from "GateVerdict" v where v."intentId" = i."id" and v."passed") as "gates"
        from "Intent" i`),
    };
  } finally {
    await db.query("rollback");
  }
}

/** Whole shares of positions of ours that nothing at the exchange would sell below a stop, by account. */
export function bareShares(product: BooksOfProduct, truth: AccountTruth[]): string[] {
  return product.accounts.flatMap(({ id, brokerAccountId }) => {
    const theirs = truth.find((account) => account.id === brokerAccountId);
    if (theirs === undefined) return [];
    const ours = new Set(
      product.held.filter(({ accountId, isOurs }) => accountId === id && isOurs).map(({ symbol }) => symbol),
    );
    return bareAtExchange(theirs)
      .filter(({ symbol }) => ours.has(symbol))
      .map(({ symbol, qty }) => `${symbol} ${text(qty)} of account ${brokerAccountId.slice(0, 8)}`);
  });
}

/** Compares all accounts; `truth` and `product` are readings of one moment of a market at rest. */
export function compareBooks(product: BooksOfProduct, truth: AccountTruth[]): Comparison {
  const differences: string[] = [];
  let [doubled, lost, orders, fills] = [0, 0, 0, 0];
  for (const account of product.accounts) {
    const theirs = truth.find(({ id }) => id === account.brokerAccountId);
    if (theirs === undefined) {
      differences.push(`account ${account.brokerAccountId} is unknown at the exchange`);
      continue;
    }
    const say = (what: string) => differences.push(`account ${theirs.account_number}: ${what}`);
    orders += theirs.orders.length;
    fills += theirs.fills.length;
    if (account.haltReason !== null) say(`halted: ${account.haltReason}`);
    if (account.cash === null || !cents(money(account.cash)).eq(cents(money(theirs.cash))))
      say(`cash ${account.cash ?? "unknown"}, at the exchange ${theirs.cash}`);
    doubled += compareOrders(product, account.id, theirs, say);
    lost += compareFills(product, account.id, theirs, say);
    comparePositions(product, account.id, theirs, say);
  }
  return { differences, orders, fills, doubled, lost, bare: bareShares(product, truth) };
}

type Say = (what: string) => void;

/** Answers how many decisions have two orders at the exchange. */
function compareOrders(product: BooksOfProduct, accountId: string, theirs: AccountTruth, say: Say): number {
  const ours = new Map(
    product.orders.filter((row) => row.accountId === accountId).map((row) => [row.brokerOrderId, row]),
  );
  const intents = new Map(
    product.intents.filter((row) => row.accountId === accountId).map((row) => [row.clientOrderId, row]),
  );
  const ids = new Map<string, number>();
  for (const order of theirs.orders) {
    const row = ours.get(order.id);
    ours.delete(order.id);
    const name = `order ${order.side} ${order.symbol} ${order.client_order_id}`;
    if (row === undefined) say(`${name} is unknown here`);
    else if (row.brokerStatus !== order.status || !money(row.filledQty).eq(order.filled_qty))
      say(`${name} is ${row.brokerStatus} ${row.filledQty} here, ${order.status} ${order.filled_qty} at the exchange`);
    if (!isOurClientOrderId(order.client_order_id)) continue;
    ids.set(order.client_order_id, (ids.get(order.client_order_id) ?? 0) + 1);
    const intent = intents.get(order.client_order_id);
    if (intent === undefined) say(`${name} was never decided`);
    else if (intent.gates < 2) say(`${name} was sent with ${intent.gates} of 2 passed looks at the gates`);
  }
  for (const { clientOrderId } of ours.values()) say(`order ${clientOrderId} is unknown at the exchange`);
  for (const { clientOrderId, status } of intents.values())
    if (["PLANNED", "GATED", "SUBMITTING", "UNKNOWN"].includes(status))
      say(`intent ${clientOrderId} is ${status} at rest`);
  const doubled = [...ids.values()].filter((count) => count > 1).length;
  if (doubled > 0) say(`${doubled} client ids stand on two orders`);
  return doubled;
}

/** Answers how many executions of the exchange are not booked. */
function compareFills(product: BooksOfProduct, accountId: string, theirs: AccountTruth, say: Say): number {
  const name = (row: { symbol: string; side: string; qty: string; price: string }, order: string) =>
    `${order} ${row.side.toUpperCase()} ${text(row.qty)} ${row.symbol} at ${text(row.price)}`;
  const unbooked = theirs.fills.map((fill) => name(fill, fill.order_id));
  for (const fill of product.fills.filter((row) => row.accountId === accountId)) {
    const at = unbooked.indexOf(name(fill, fill.brokerOrderId));
    if (at === -1) say(`fill ${name(fill, fill.brokerOrderId)} is unknown at the exchange`);
    else unbooked.splice(at, 1);
  }
  for (const fill of unbooked) say(`fill ${fill} is not booked`);
  return unbooked.length;
}

function comparePositions(product: BooksOfProduct, accountId: string, theirs: AccountTruth, say: Say): void {
  const ours = new Map(product.held.filter((row) => row.accountId === accountId).map((row) => [row.symbol, row.qty]));
  const there = new Map(theirs.positions.map(({ symbol, qty }) => [symbol, qty]));
  for (const symbol of new Set([...ours.keys(), ...there.keys()])) {
    const [here, exchange] = [ours.get(symbol) ?? "0", there.get(symbol) ?? "0"];
    if (!money(here).eq(money(exchange))) say(`${symbol}: ${here} shares here, ${exchange} at the exchange`);
  }
}
