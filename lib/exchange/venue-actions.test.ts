import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { exchanges, marketOrder, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

/** The actions of the venue over HTTP, as a test in another process asks for them. */

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let trader: PracticeTrader;
beforeAll(async () => {
  exchange = await running.open({ seed: 3, controlToken: "let-me" });
  trader = await openTrader(exchange);
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
});
afterAll(() => running.closeAll());

async function act(path: string, body: object, token = "let-me") {
  const init = { method: "POST", headers: { "x-control-token": token }, body: JSON.stringify(body) };
  const response = await fetch(`${exchange.url}/_control${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it("a symbol is halted and freed", async () => {
  expect(await act("/symbols", { symbol: "SPY", isHalted: true })).toMatchObject({
    status: 200,
    body: { isHalted: true, tradable: true },
  });
  expect(await act("/symbols", { symbol: "SPY", isHalted: false })).toMatchObject({
    status: 200,
    body: { isHalted: false },
  });
});

it("an account is blocked and freed, and keeps what is not named", async () => {
  const { account_number } = trader.account;
  const blocked = await act("/standing", { account_number, tradingBlocked: true });
  expect(blocked).toMatchObject({
    status: 200,
    body: { tradingBlocked: true, status: "ACTIVE", areKeysRevoked: false },
  });
  expect((await trader.refusal(marketOrder("SPY", "buy", "1"))).status).toBe(403);
  await act("/standing", { account_number, tradingBlocked: false });
  expect((await act("/standing", { account_number: "unknown", tradingBlocked: true })).status).toBe(404);
});

it("a dividend is paid, an execution is corrected and taken back", async () => {
  await act("/corporate-actions", { kind: "dividend", symbol: "SPY", amount: "0.5" });
  expect(trader.truth().activities.at(-1)).toMatchObject({ activity_type: "DIV", net_amount: "5" });
  const execution_id = trader.truth().fills[0]?.id;
  const corrected = await act("/executions/correct", { execution_id, price: "100" });
  expect(trader.truth()).toMatchObject({ cash: "99005", positions: [{ qty: "10", avg_entry_price: "100" }] });
  const busted = await act("/executions/bust", { execution_id: corrected.body.id });
  expect(busted).toMatchObject({ status: 200, body: { status: "canceled", filled_qty: "0" } });
  expect(trader.truth()).toMatchObject({ cash: "100005", positions: [] });
});

it.each([
  ["a field that there is not", "/symbols", { symbol: "SPY", halted: true }, 400],
  ["an action that there is not", "/corporate-actions", { kind: "wish", symbol: "SPY" }, 400],
  ["an execution that there is not", "/executions/bust", { execution_id: "nope" }, 404],
])("%s is refused", async (_, path, body, status) => {
  expect((await act(path, body)).status).toBe(status);
});

it("without the token nothing is done", async () => {
  expect((await act("/symbols", { symbol: "SPY", isHalted: true }, "guess")).status).toBe(401);
  expect(
    (await trader.send("POST", "/v2/orders", { ...marketOrder("SPY", "buy", "1"), client_order_id: "x" })).status,
  ).toBe(200);
  expect((await trader.order("x")).status).toBe("filled");
});
