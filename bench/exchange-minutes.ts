import { type Exchange, startExchange } from "../lib/exchange/start.ts";

/** CPU milliseconds that the exchange's one thread is held by each minute of market time, over a whole session. */
export interface Minutes {
  openOrders: number;
  minuteMs: { p50: number; p99: number; max: number };
  /** The opening, and the last minute with the close. */
  openMs: number;
  closeMs: number;
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function furnish(exchange: Exchange, accountCount: number): Promise<number> {
  const first = await exchange.control.createAccount({ cash: "1000000" });
  const keys = { "APCA-API-KEY-ID": first.key_id, "APCA-API-SECRET-KEY": first.secret };
  const listed = (await (await fetch(`${exchange.url}/v2/assets`, { headers: keys })).json()) as { symbol: string }[];
  let openOrders = 0;
  for (let i = 0; i < accountCount; i += 1) {
    const { account_number } = await exchange.control.createAccount({ cash: "1000000" });
    for (let j = 0; j < 5; j += 1) {
      const { symbol } = listed[(i * 5 + j) % listed.length]!;
      const order = { symbol, side: "buy", qty: "5", type: "market", time_in_force: "gtc" };
      const exits = { take_profit: { limit_price: "90000.00" }, stop_loss: { stop_price: "0.50" } };
      // Three brackets, whose two exits rest, and two plain positions with a limit order below the market.
      await exchange.control.manualActions.placeOrder(
        account_number,
        j < 3 ? { ...order, order_class: "bracket", ...exits } : order,
      );
      openOrders += 2;
      if (j < 3) continue;
      const limit = { ...order, type: "limit", limit_price: "0.60" };
      await exchange.control.manualActions.placeOrder(account_number, limit);
      openOrders -= 1;
    }
  }
  return openOrders;
}

export async function benchMinutes(
  accountCount: number,
  tape: string | undefined,
  databaseUrl: string | null,
): Promise<Minutes> {
  const exchange = await startExchange({ port: 0, paused: true, tape, databaseUrl });
  const openOrders = await furnish(exchange, accountCount);
  const times: number[] = [];
  for (let minute = 0; minute < 390; minute += 1) {
    const before = cpuMs();
    await exchange.control.clock({ advanceMinutes: 1 });
    times.push(cpuMs() - before);
  }
  const closeMs = times.pop()!;
  const before = cpuMs();
  await exchange.control.clock({ advanceMinutes: 1 });
  const openMs = cpuMs() - before;
  await exchange.close();
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!;
  return { openOrders, minuteMs: { p50: at(0.5), p99: at(0.99), max: sorted.at(-1)! }, openMs, closeMs };
}
