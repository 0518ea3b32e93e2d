import { money, ZERO } from "@/lib/domain/money.ts";
import { fixtureTape } from "./market/fixture-tape.ts";
import type { AccountInput } from "@/lib/exchange/book/accounts.ts";
import type { NewAccount, Truth, TruthOrder } from "@/lib/exchange/control.ts";
import type { Exchange, ExchangeOptions } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

/** The fixture market, from 2018-10-01 to 2020-12-31. */
export const TAPE = fixtureTape();

type Json = Record<string, unknown>;

/** A client of the wire with one account's keys, for tests. */
export interface PracticeTrader {
  account: NewAccount;
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** Sends an order and returns what the broker answered: status and code, or the order's status. */
  refusal(body: unknown): Promise<{ status: number; code: unknown; message: unknown }>;
  /** The order of a client id as it is now, in the broker's format. */
  order(clientId: string): Promise<Json>;
  last(symbol: string): Promise<number>;
  truth(): Truth;
}

export async function openTrader(
  exchange: Exchange,
  cash = "100000",
  kind: Omit<AccountInput, "cash"> = {},
): Promise<PracticeTrader> {
  const account = await exchange.control.createAccount({ ...kind, cash });
  const headers = {
    "APCA-API-KEY-ID": account.key_id,
    "APCA-API-SECRET-KEY": account.secret,
    "content-type": "application/json",
  };
  async function send(method: string, target: string, body?: unknown) {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(exchange.url + target, init);
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Json };
  }
  return {
    account,
    send,
    async refusal(body) {
      const answer = await send("POST", "/v2/orders", body);
      return { status: answer.status, code: answer.body.code, message: answer.body.message };
    },
    order: async (clientId) => (await send("GET", `/v2/orders:by_client_order_id?client_order_id=${clientId}`)).body,
    async last(symbol) {
      const { body } = await send("GET", `/v2/stocks/${symbol}/trades/latest`);
      return (body.trade as { p: number }).p;
    },
    truth: () => exchange.control.truth(account.account_number)[0] as Truth,
  };
}

/** Opens exchanges with the clock at rest, and closes them all. */
export function exchanges() {
  let running: Exchange[] = [];
  return {
    async open(options: Partial<ExchangeOptions>): Promise<Exchange> {
      const exchange = await startTestExchange({ port: 0, paused: true, ...options });
      running.push(exchange);
      return exchange;
    },
    async closeAll(): Promise<void> {
      await Promise.all(running.map((exchange) => exchange.close()));
      running = [];
    },
  };
}

export const marketOrder = (symbol: string, side: string, qty: string) => ({
  symbol,
  side,
  qty,
  type: "market",
  time_in_force: "day",
});

export const limitOrder = (symbol: string, side: string, qty: string, limit_price: string) => ({
  ...marketOrder(symbol, side, qty),
  type: "limit",
  limit_price,
});

export function orderIn(truth: Truth, clientId: string): TruthOrder {
  const order = truth.orders.find((candidate) => candidate.client_order_id === clientId);
  if (order === undefined) throw new Error(`no order ${clientId}`);
  return order;
}

const SHARE_TYPES = new Set(["SPLIT", "SPIN", "MA", "NC"]);

/**
 * What cash and shares must be by the fills and activities: cash is what was paid in, less what was bought, plus
 * what was sold and paid; shares are what was bought, less what was sold, plus what corporate actions made.
 */
export function accountedFor(truth: Truth): { cash: string; positions: string[] } {
  let cash = ZERO;
  const shares = new Map<string, typeof ZERO>();
  const move = (symbol: string, qty: typeof ZERO) => shares.set(symbol, (shares.get(symbol) ?? ZERO).plus(qty));
  for (const fill of truth.fills) {
    const qty = money(fill.qty).times(fill.side === "buy" ? 1 : -1);
    cash = cash.minus(qty.times(fill.price));
    move(fill.symbol, qty);
  }
  for (const { activity_type: type = "", net_amount: amount = "0", symbol = "", qty = "0" } of truth.activities) {
    cash = cash.plus(amount);
    if (SHARE_TYPES.has(type)) move(symbol, money(qty));
  }
  const held = [...shares].filter(([, qty]) => !qty.isZero()).map(([symbol, qty]) => `${symbol} ${qty.toFixed()}`);
  return { cash: cash.toFixed(), positions: held.sort() };
}

/** The same as the exchange says it is. */
export function held(truth: Truth): { cash: string; positions: string[] } {
  return { cash: truth.cash, positions: truth.positions.map(({ symbol, qty }) => `${symbol} ${qty}`).sort() };
}

/** A symbol of the market beside SPY. */
export async function anotherSymbol(trader: PracticeTrader): Promise<string> {
  const { body } = await trader.send("GET", "/v2/assets?status=active");
  const other = (body as unknown as { symbol: string }[]).find(({ symbol }) => symbol !== "SPY");
  if (other === undefined) throw new Error("the market has one symbol only");
  return other.symbol;
}
