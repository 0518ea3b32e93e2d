import type { NewAccount, Truth } from "./control.ts";
import type { Exchange } from "./start.ts";

/** A client of the wire with one account's keys, for tests. */
export interface PracticeTrader {
  account: NewAccount;
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  truth(): Truth;
}

export async function openTrader(exchange: Exchange, cash = "100000"): Promise<PracticeTrader> {
  const account = await exchange.control.createAccount({ cash });
  const headers = {
    "APCA-API-KEY-ID": account.key_id,
    "APCA-API-SECRET-KEY": account.secret,
    "content-type": "application/json",
  };
  return {
    account,
    async send(method, path, body) {
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await fetch(exchange.url + path, init);
      const text = await response.text();
      return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> };
    },
    truth: () => exchange.control.truth(account.account_number)[0] as Truth,
  };
}
