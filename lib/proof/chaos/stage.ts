/** The account of an episode and what is decided for it. */
import { randomOf } from "@/lib/exchange/market/seeded.ts";
import { cents, money, text } from "@/lib/domain/money.ts";
import type { PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { IN_FLIGHT_INTENTS } from "@/lib/domain/orders.ts";
import type { Context } from "@/lib/server/context.ts";
import { allPass, CONTROL_TOKEN, decide, openAccount, plannedOrder } from "@/lib/proof/fixtures/orders.ts";
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import type { Episode } from "./episode.ts";

export type Account = Awaited<ReturnType<typeof openAccount>>;

export const SYMBOLS_AT_PLAY = 8;
const CASH = "2000000";

/** Last prices of the symbols, by the exchange's own data. */
export async function readPrices(exchangeUrl: string, symbols: string[]): Promise<Map<string, string>> {
  const headers = { "APCA-API-KEY-ID": "TPDATA", "APCA-API-SECRET-KEY": CONTROL_TOKEN };
  const answer = await fetch(`${exchangeUrl}/v2/stocks/snapshots?symbols=${symbols.join(",")}`, { headers });
  const snapshots = (await answer.json()) as Record<string, { latestTrade: { p: number } | null } | null>;
  const prices = symbols.map((symbol) => [symbol, snapshots[symbol]?.latestTrade?.p] as const);
  return new Map(prices.flatMap(([symbol, price]) => (price === undefined ? [] : [[symbol, String(price)] as const])));
}

/** Symbols that trade, for orders to be made of. */
export async function readSymbols(exchangeUrl: string, keys: { key_id: string; secret: string }): Promise<string[]> {
  const headers = { "APCA-API-KEY-ID": keys.key_id, "APCA-API-SECRET-KEY": keys.secret };
  const answer = await fetch(`${exchangeUrl}/v2/assets?status=active`, { headers });
  const assets = (await answer.json()) as { symbol: string }[];
  return assets.map(({ symbol }) => symbol).slice(0, 60);
}

type Draft = Partial<PlannedOrder> & Pick<PlannedOrder, "symbol">;

const at = (price: string, factor: string) => text(cents(money(price).times(factor)));

const bracket = (symbol: string, price: string, qty: string): Draft => ({
  symbol,
  qty,
  orderClass: "BRACKET",
  takeProfitPrice: at(price, "1.4"),
  stopLossPrice: at(price, "0.6"),
  timeInForce: "gtc",
});
const limit = (symbol: string, price: string, qty: string, factor: string): Draft => ({
  symbol,
  qty,
  type: "LIMIT",
  limitPrice: at(price, factor),
  timeInForce: "gtc",
});
const sale = (symbol: string, qty: string): Draft => ({ symbol, qty, side: "SELL" });

const numbered = (drafts: Draft[]) => drafts.map((draft, leg) => plannedOrder({ ...draft, leg }));

export interface Cast {
  symbols: string[];
  prices: Map<string, string>;
}

/** An account as the episode finds it; where it holds shares, they were bought in peace. */
export async function openStage(
  context: Context,
  episode: Episode,
  cast: Cast,
  letMinutesPass: (minutes: number) => Promise<void>,
): Promise<Account> {
  // In one account of two the broker would open a short position with a sale that comes too late.
  const account = await openAccount(context, CASH, undefined, { isMargin: episode.seed % 2 === 1 });
  await reconcileAccount(context, account.id);
  if (!episode.isHolding) return account;
  const [one, two, three] = rowsOf(cast);
  if (!one || !two || !three) throw new Error("the exchange has too few symbols");
  const decisionId = await decide(
    context,
    account,
    numbered([
      { symbol: one.symbol, qty: "6" },
      bracket(two.symbol, two.price, "10"),
      limit(three.symbol, three.price, "4", "0.5"),
    ]),
  );
  await submitPlan(context, { decisionId, epoch: account.writerEpoch, regate: allPass });
  await letMinutesPass(1);
  await reconcileAccount(context, account.id);
  return account;
}

const rowsOf = ({ symbols, prices }: Cast) =>
  symbols.flatMap((symbol) => {
    const price = prices.get(symbol);
    return price === undefined ? [] : [{ symbol, price }];
  });

/** The decision of the first turn: exits of what is held, and entries of every kind. */
export async function decideFirst(context: Context, account: Account, episode: Episode, cast: Cast): Promise<string> {
  const [one, two, three, four, five, six] = rowsOf(cast);
  if (!one || !two || !three || !four || !five || !six) throw new Error("the exchange has too few symbols");
  const random = randomOf(episode.seed + 1);
  const shares = () =>
    episode.isLarge ? String(100 + Math.floor(random() * 2_000)) : String(1 + Math.floor(random() * 9));
  const exits = episode.isHolding ? [sale(one.symbol, random() < 0.5 ? "6" : "2"), sale(two.symbol, "10")] : [];
  const waiting = await context.db.order.findMany({
    where: { accountId: account.id, symbol: three.symbol, status: "NEW" },
    select: { clientOrderId: true },
  });
  const entries = [
    { symbol: four.symbol, qty: shares() },
    bracket(five.symbol, five.price, shares()),
    limit(six.symbol, six.price, shares(), random() < 0.5 ? "1.05" : "0.9"),
  ];
  const orders = numbered([...exits, ...(episode.isHolding ? entries.slice(0, 2) : entries)]);
  return decide(
    context,
    account,
    orders,
    waiting.map(({ clientOrderId }) => clientOrderId),
  );
}

/** A later decision: sells what has come to be held, buys what is not held, as the gates would have it. */
export async function decideAnew(context: Context, account: Account, cast: Cast): Promise<string> {
  const accountId = account.id;
  const inFlight = await context.db.intent.findMany({
    where: { accountId, status: { in: [...IN_FLIGHT_INTENTS] } },
    select: { symbol: true, side: true, clientOrderId: true, status: true },
  });
  const held = await context.db.position.findMany({ where: { accountId } });
  const isFree = (symbol: string, side: string) =>
    !inFlight.some((intent) => intent.symbol === symbol && intent.side === side);
  const exits = held
    .filter(({ symbol }) => isFree(symbol, "SELL"))
    .slice(0, 2)
    .map(({ symbol, qty }) => sale(symbol, text(qty)));
  const fresh = rowsOf(cast).filter(
    ({ symbol }) => isFree(symbol, "BUY") && isFree(symbol, "SELL") && !held.some((row) => row.symbol === symbol),
  );
  const entries = fresh.slice(-2).map(({ symbol }) => ({ symbol, qty: "3" }));
  const cancels = inFlight.filter(({ status, side }) => status === "LIVE" && side === "BUY").slice(0, 1);
  return decide(
    context,
    account,
    numbered([...exits, ...entries]),
    cancels.map(({ clientOrderId }) => clientOrderId),
  );
}
