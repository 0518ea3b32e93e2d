/** The exchange's own books and faults over its control API: nothing of the product is in between. */
import * as z from "zod";
import type { FaultInput } from "@/lib/exchange/faults/kinds.ts";

const orderIn = z.object({
  id: z.string(),
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.string(),
  type: z.string(),
  order_class: z.string(),
  qty: z.string().nullable(),
  filled_qty: z.string(),
  status: z.string(),
});
const truthIn = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      account_number: z.string(),
      cash: z.string(),
      positions: z.array(z.object({ symbol: z.string(), qty: z.string() })),
      orders: z.array(orderIn),
      fills: z.array(
        z.object({
          id: z.string(),
          order_id: z.string(),
          symbol: z.string(),
          side: z.string(),
          qty: z.string(),
          price: z.string(),
        }),
      ),
    }),
  ),
});
const arrivalsIn = z.object({
  arrivals: z.array(
    z.object({
      seq: z.number(),
      method: z.string(),
      path: z.string(),
      client_order_id: z.string().nullable(),
      served_status: z.number().nullable(),
      faults: z.array(z.object({ kind: z.string() })),
    }),
  ),
});
const faultsIn = z.object({ faults: z.array(z.object({ kind: z.string(), struck: z.number() })) });
const statusIn = z.object({ now: z.string(), isOpen: z.boolean(), isPaused: z.boolean() });

export type AccountTruth = z.output<typeof truthIn>["accounts"][number];

export type ExchangeControl = ReturnType<typeof exchangeControl>;

/** @param url the exchange's address @param token of its control API */
export function exchangeControl(url: string, token: string) {
  async function call<T>(method: string, path: string, answer: z.ZodType<T>, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/_control${path}`, {
      method,
      headers: { "content-type": "application/json", "x-control-token": token, connection: "close" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return answer.parse(JSON.parse(text));
  }
  const nothing = z.unknown();
  return {
    truth: async () => (await call("GET", "/truth", truthIn)).accounts,
    status: () => call("GET", "/status", statusIn),
    pause: (isPaused: boolean) => call("POST", "/clock", nothing, { paused: isPaused }),
    addFault: (fault: FaultInput) => call("POST", "/faults", nothing, fault),
    faults: async () => (await call("GET", "/faults", faultsIn)).faults,
    clearFaults: () => call("DELETE", "/faults", nothing),
    arrivals: async (after: number) => (await call("GET", `/arrivals?after=${after}`, arrivalsIn)).arrivals,
    placeOrder: (order: Record<string, unknown>) => call("POST", "/orders", nothing, order),
    cancelOrder: (id: string) => call("DELETE", `/orders/${id}`, nothing),
    bust: (executionId: string) => call("POST", "/executions/bust", nothing, { execution_id: executionId }),
    correct: (executionId: string, price: string) =>
      call("POST", "/executions/correct", nothing, { execution_id: executionId, price }),
  };
}
