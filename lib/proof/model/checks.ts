/** What must hold at every step: the first thing that does not is the sequence's violation. */
import type { IntentStatusName, OrderStatusName } from "@/lib/domain/enums.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { awaitsAnswer, mayBecome } from "@/lib/domain/protocol/intent-states.ts";
import { FRESH_MARK_MS, MOST_REQUESTS, SUBMIT_DEADLINE_MS } from "@/lib/domain/protocol/settings.ts";
import { heldAtBroker } from "./held-at-broker.ts";
import type { Switches } from "@/lib/server/services/orders/refusal-to-send.ts";
import type { ModelIntent, ModelOrder, Worker, World } from "./world.ts";

/** Only the first violation counts: what follows from it is noise. */
export function violate(world: World, message: string): void {
  if (world.violation !== null) return;
  world.violation = message;
  note(world, `VIOLATION: ${message}`);
}

export function note(world: World, message: string): void {
  world.trace?.push(message);
}

const ENDED: ReadonlySet<IntentStatusName> = new Set(["DENIED", "HALTED", "FILLED", "CANCELED", "EXPIRED", "REJECTED"]);

/** Every change of an intent goes through here: only along the edges of the table, and never out of a final status. */
export function setIntent(world: World, intent: ModelIntent, status: IntentStatusName): void {
  if (intent.status === status) return;
  if (world.trace !== null) note(world, `  intent ${intent.index}: ${intent.status} -> ${status}`);
  // A closed intent can be reopened in the services; here no order outlives its intent.
  if (!mayBecome(intent.status, status) || ENDED.has(intent.status))
    violate(world, `an intent went from ${intent.status} to ${status}`);
  intent.status = status;
  world.reached[status] += 1;
}

const RANK: Record<OrderStatusName, number> = {
  PENDING_NEW: 0,
  ACCEPTED: 1,
  NEW: 2,
  HELD: 2,
  PENDING_CANCEL: 2,
  PENDING_REPLACE: 2,
  DONE_FOR_DAY: 2,
  OTHER: 2,
  PARTIALLY_FILLED: 3,
  FILLED: 4,
  CANCELED: 4,
  EXPIRED: 4,
  REJECTED: 4,
  REPLACED: 4,
};

/** Written apart from the table that the services use: routed, filled in part, ended; a wish to cancel may be refused. */
export function setOrderRow(world: World, { row }: ModelOrder, status: OrderStatusName): void {
  if (row.isKnown && row.status !== status) {
    if (isTerminal(row.status)) violate(world, `a final order reopened: ${row.status} to ${status}`);
    else if (RANK[status] < RANK[row.status] && status !== "PENDING_CANCEL" && row.status !== "PENDING_CANCEL")
      violate(world, `an order went back from ${row.status} to ${status}`);
  }
  row.status = status;
}

/** Whether any of the four levels of the kill switch is on; the model's purchases are all stopped by each of its states. */
export function isBuyingStopped({ account, systemKillState, userKillState, isSymbolStopped }: Switches): boolean {
  return systemKillState !== "NONE" || userKillState !== "NONE" || account.killState !== "NONE" || isSymbolStopped;
}

/** Whether any level of the kill switch has everything sold. */
export function isFlattening({ account, systemKillState, userKillState }: Switches): boolean {
  return systemKillState === "FLATTEN" || userKillState === "FLATTEN" || account.killState === "FLATTEN";
}

/** A committed mark lets one request out. Everything that forbids one is looked at again, from the truth. */
export function grantTicket(world: World, worker: Worker, intent: ModelIntent): void {
  const { account } = world.switches;
  if (intent.side === "BUY" && isBuyingStopped(world.switches))
    violate(world, "an order that adds exposure was let out while killed");
  if (intent.purpose === "FLATTEN" && !isFlattening(world.switches))
    violate(world, "a sale of everything was let out although that had been taken back");
  // Bare shares are protected in halted and in unread accounts too.
  const isProtective = intent.purpose === "PROTECT";
  if (account.haltedAt !== null && !isProtective) violate(world, "an order was let out while the account is halted");
  if (worker.isDenied) violate(world, "an order was let out without a passed gate");
  if (!intent.hasPassedGate) violate(world, "an order was let out that no gate had passed");
  if (worker.epoch !== account.writerEpoch) violate(world, "a writer that was fenced off let an order out");
  if (!worker.sawReconciled && !isProtective) violate(world, "new work began before recovery");
  intent.tickets = 1;
}

/** Called as the request leaves. */
export function checkRequest(world: World, worker: Worker, intent: ModelIntent): void {
  if (intent.tickets < 1) violate(world, "a request left without a mark committed before it");
  intent.tickets = 0;
  if (worker.markDeadline !== null && world.now >= worker.markDeadline)
    violate(world, "a request left after its deadline");
  if (intent.side === "BUY" && world.killedAt !== null && world.now - world.killedAt >= SUBMIT_DEADLINE_MS)
    violate(world, "a request left long after the kill switch");
  const { killedAt } = world;
  if (intent.side === "BUY" && killedAt !== null && (worker.sendBeganAt ?? 0) - killedAt > FRESH_MARK_MS)
    violate(world, "a request left although a stop had been thrown before its turn came");
  if (worker.requests > MOST_REQUESTS) violate(world, "the broker asked to wait and got more requests");
  intent.posts += 1;
  world.requests += 1;
  if (intent.posts > 1) violate(world, "an order whose outcome is unknown was sent again");
  if (intent.side === "SELL") {
    if (worker.hasSentBuy && intent.purpose !== "PROTECT")
      violate(world, "a purchase went out before a sale of its plan");
    for (const order of worker.resting)
      if (!isTerminal(world.orders[order]!.status)) violate(world, "a sale was sent while a resting order could fill");
  } else {
    worker.hasSentBuy = true;
  }
}

/** Called as the broker takes an order of ours. */
export function checkAccepted(world: World, intent: ModelIntent, order: ModelOrder): void {
  intent.accepted += 1;
  for (let i = 0; i < world.intentCount; i += 1) {
    const other = world.intents[i]!;
    if (other.plan !== intent.plan || other.leg !== intent.leg) continue;
    if (other.accepted > 1 || (other !== intent && other.accepted > 0)) violate(world, "an order was doubled");
  }
  for (let i = 0; i < world.orderCount; i += 1) {
    const other = world.orders[i]!;
    if (other === order || !other.isOurs || other.parent >= 0 || isTerminal(other.status)) continue;
    // A stop stands beside a late sale only where the broker has shares free for both.
    if (other.isStop !== order.isStop) continue;
    if (other.symbol === order.symbol && other.side === order.side)
      violate(world, "two orders of one symbol and side are open");
  }
}

/** Called as an unresolved intent is closed: not before its time, however the clock and the broker's lists stand. */
export function checkGivenUp(world: World, intent: ModelIntent, settleWindowMs: number): void {
  if (awaitsAnswer(intent.status) && world.now - intent.submittedAt < settleWindowMs)
    violate(world, "an intent was closed inside the settle window");
}

/** Called when a worker has recovered the account. */
export function checkRecovered(world: World, worker: Worker): void {
  if (worker.epoch !== world.switches.account.writerEpoch) return;
  for (let i = 0; i < world.intentCount; i += 1) {
    const { status, submitEpoch } = world.intents[i]!;
    if (status === "SUBMITTING" && submitEpoch !== worker.epoch)
      violate(world, "recovery left the order of a sender that is gone");
  }
}

/** Called when a person resumes. */
export function checkResumed(world: World): void {
  for (let i = 0; i < world.intentCount; i += 1) {
    const { status, nextAskAt } = world.intents[i]!;
    if (awaitsAnswer(status)) violate(world, "the account was resumed with an order in the air");
    if (status === "PARKED" && nextAskAt === null) violate(world, "the account was resumed over a person's question");
  }
}

/** Called before a stop is cancelled. */
export function checkOwed(world: World, index: number): void {
  const { isStop, symbol, status } = world.orders[index]!;
  if (isStop && !isTerminal(status) && !world.owed.has(symbol)) violate(world, "a stop was cancelled and is not owed");
}

const SELLS: ReadonlySet<OrderStatusName> = new Set([
  "PENDING_NEW",
  "ACCEPTED",
  "NEW",
  "PARTIALLY_FILLED",
  "PENDING_CANCEL",
]);

/** Shares that the broker holds and neither sells below a stop nor is about to sell, by its own books. */
export function bareAtBroker(world: World, symbol: string): number {
  let bare = heldAtBroker(world, symbol);
  for (let i = 0; i < world.orderCount && bare > 0; i += 1) {
    const { side, symbol: of, status, units, filled } = world.orders[i]!;
    if (of === symbol && side === "SELL" && SELLS.has(status)) bare -= units - filled;
  }
  return bare;
}

/** An open sale of ours, or one without an answer yet, stands before a protective order. */
function hasSale(world: World, symbol: string): boolean {
  for (let i = 0; i < world.intentCount; i += 1) {
    const { symbol: of, side, status, purpose } = world.intents[i]!;
    if (of !== symbol || side !== "SELL") continue;
    if (awaitsAnswer(status) || (status === "LIVE" && purpose !== "PROTECT")) return true;
  }
  return false;
}

/** An entry that fills gets some time for its rest. */
function hasFillingEntry(world: World, symbol: string): boolean {
  for (let i = 0; i < world.orderCount; i += 1) {
    const { symbol: of, side, filled, status, isOurs } = world.orders[i]!;
    if (of === symbol && side === "BUY" && isOurs && filled > 0 && !isTerminal(status)) return true;
  }
  return false;
}

/** Called when what was owed should be paid: where nothing came in between, the shares have their stop again. */
export function checkPaid(world: World, worker: Worker, symbol: string): void {
  if (world.isFull || worker.calmSince !== world.disturbances) return;
  if (worker.epoch !== world.switches.account.writerEpoch) return;
  if (bareAtBroker(world, symbol) < 1 || (world.positions.get(symbol) ?? 0) !== heldAtBroker(world, symbol)) return;
  for (let i = 0; i < world.orderCount; i += 1) {
    const { symbol: of, row, status } = world.orders[i]!;
    if (of === symbol && (!row.isKnown || row.status !== status)) return;
  }
  if (!hasSale(world, symbol) && !hasFillingEntry(world, symbol)) violate(world, "an owed stop was not paid");
}

/** Called as a lost sale is parked to protect its shares: where our books are right about all else, it must not be open. */
export function checkParkedSale(world: World, intent: ModelIntent): void {
  if ((world.positions.get(intent.symbol) ?? 0) !== heldAtBroker(world, intent.symbol)) return;
  let isAtWork = false;
  for (let i = 0; i < world.orderCount; i += 1) {
    const { symbol, row, status, filled, client, isOurs } = world.orders[i]!;
    if (symbol !== intent.symbol) continue;
    if (isOurs && client === intent.index) isAtWork ||= SELLS.has(status);
    else if (!row.isKnown || row.status !== status || row.filled !== filled) return;
  }
  if (isAtWork) violate(world, "a sale was closed that works at the broker");
}

/** Called at rest: shares that are held have a live stop, or an open order sells them. */
export function checkProtected(world: World, symbol: string): void {
  if (!world.isFull && bareAtBroker(world, symbol) >= 1) violate(world, "shares are held without a live stop");
}
