/** A reading of the broker that fails after an order was sent decides nothing, and is in the log: without it nobody could tell why. */
import { beforeEach, expect, it } from "vitest";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  passedGate,
  plannedOrder,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { raiseStop } from "./raise-stop.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));

const UNREACHABLE = new Error("no connection");
const unreachable = () => Promise.reject(UNREACHABLE);
let warned: [string, object][] = [];
beforeEach(() => (warned = []));

/** At this broker, with what is warned of kept. */
function at(part: Partial<Broker>): Context {
  const warn = (event: string, fields: object) => void warned.push([event, fields]);
  const log = { ...context.log, warn } as unknown as Context["log"];
  return { ...withBroker(context, { ...hastyBroker(account, 5_000), ...part }), log };
}

it("the order that took its client id before cannot be read: its outcome stays open", async () => {
  const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "1" })]);
  const taken = at({ submit: () => Promise.resolve({ kind: "duplicate" }), orderByClientId: unreachable });
  expect(await submitPlan(taken, { decisionId, epoch: 0, regate: allPass })).toMatchObject([{ status: "UNKNOWN" }]);
  const { clientOrderId } = await context.db.intent.findFirstOrThrow({ where: { decisionId } });
  expect(warned).toContainEqual(["order.not-read", { accountId: account.id, clientOrderId, err: UNREACHABLE }]);
});

it("the stop that was to be raised cannot be read: it counts as where it rested", async () => {
  await buyBracket(exchange, context, account);
  const stop = await context.db.order.findFirstOrThrow({ where: { accountId: account.id, role: "STOP" } });
  const lost = at({ replace: () => Promise.resolve({ kind: "unknown", cause: "no answer" }), order: unreachable });
  const { writerEpoch: epoch } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
  const raise = { stop, stopPrice: "1.01", epoch, gates: [passedGate] };
  const broker = lost.brokers.forAccount(account);
  expect(await raiseStop(lost, account, broker, raise)).toEqual({ kind: "kept", reason: "no answer" });
  expect(warned).toEqual([
    ["order.not-read", { accountId: account.id, clientOrderId: stop.clientOrderId, err: UNREACHABLE }],
  ]);
});
