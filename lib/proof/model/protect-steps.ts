/**
 * Shares without a stop get one: what `protect-positions.ts` does after a sale that cancelled stops, in recovery, after every
 * reading of the orders, and in rounds of its own.
 */
import type { OrderStatusName } from "@/lib/domain/enums.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { money, type Money } from "@/lib/domain/money.ts";
import { mayReserveUnknown } from "@/lib/domain/protocol/protecting.ts";
import { PARKED_ASK_MS } from "@/lib/domain/protocol/settings.ts";
import { sellable } from "./broker.ts";
import { heldAtBroker } from "./held-at-broker.ts";
import { checkPaid, checkParkedSale, note, setIntent } from "./checks.ts";
import { fails } from "./cycle-steps.ts";
import { commit } from "./database.ts";
import { SYMBOLS, type Worker, type WorkerStep, type World } from "./world.ts";

const WORKING: ReadonlySet<OrderStatusName> = new Set(WORKING_STATUSES);
const UNITS: Money[] = Array.from({ length: 128 }, (_, units) => money(units));
const inMoney = (units: number): Money => UNITS[units] ?? money(units);

/** Protects these symbols, then continues with `next`. */
export function beginProtecting(world: World, worker: Worker, symbols: Iterable<string>, next: WorkerStep): void {
  worker.toProtect.length = worker.wasAsked.length = 0;
  for (const symbol of symbols) {
    worker.toProtect.push(symbol);
    worker.wasAsked.push(symbol);
  }
  worker.isProtecting = true;
  worker.afterProtecting = next;
  worker.calmSince = world.disturbances;
  worker.at = "protect_next";
}

/** A round of the worker over all symbols, beside its other jobs. */
export function protectAll(world: World, worker: Worker): void {
  beginProtecting(world, worker, SYMBOLS, "unlock");
}

/** Whatever became of the sale: stops that were cancelled for it are owed for shares that it did not sell, and are sent now. */
export function payAfterSale(world: World, worker: Worker): void {
  const symbol = worker.leg?.symbol ?? "";
  const isPaying = world.rules.paysAfterSale && world.owed.has(symbol);
  beginProtecting(world, worker, isPaying ? [symbol] : [], "next_leg");
  if (!isPaying && world.owed.has(symbol)) worker.wasAsked.push(symbol);
}

/** Stops that the last process cancelled and did not replace. */
export function payInRecovery(world: World, worker: Worker): void {
  beginProtecting(world, worker, world.rules.paysInRecovery ? [...world.owed] : [], "unlock");
  if (!world.rules.paysInRecovery) worker.wasAsked.push(...world.owed);
}

/** By our books: shares held, less live stops, less orders that sell. */
function bareShares(world: World, symbol: string): number {
  const held = world.positions.get(symbol) ?? 0;
  if (held < 1) return 0;
  let stopped = 0;
  let selling = 0;
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row, side, symbol: of, units, isStop, parent } = world.orders[i]!;
    if (!row.isKnown || side !== "SELL" || of !== symbol || !WORKING.has(row.status)) continue;
    const open = units - row.filled;
    // A held leg sells only once its entry is filled.
    if (isStop) stopped += parent < 0 || world.rules.isArmed(world.orders[parent]!.row.status) ? open : 0;
    else selling += open;
  }
  const shares = { held: inMoney(held), stopped: inMoney(stopped), selling: inMoney(selling) };
  return world.rules.coverageOf(shares).bare.toNumber();
}

export function protectNext(world: World, worker: Worker): void {
  const symbol = worker.toProtect.pop();
  if (symbol === undefined) {
    for (const asked of worker.wasAsked) {
      checkPaid(world, worker, asked);
      if (bareShares(world, asked) < 1 && commit(world) !== "lost") world.owed.delete(asked);
    }
    worker.isProtecting = false;
    worker.at = worker.afterProtecting;
    return;
  }
  const bare = bareShares(world, symbol);
  if (bare < 1) {
    if (commit(world) !== "lost") world.owed.delete(symbol);
    return;
  }
  if (commit(world) === "committed") world.owed.add(symbol);
  if (fails(world)) return;
  const free = Math.max(0, sellable(world, symbol));
  const covered = (world.positions.get(symbol) ?? 0) - bare;
  const mayBeThere = mayReserveUnknown(heldAtBroker(world, symbol) - free, covered);
  const step = findBlocker(world, symbol, mayBeThere);
  if (world.trace !== null) note(world, `  ${bare} of ${symbol} are bare, ${free} free at the broker: ${step}`);
  if (step === "wait") return;
  beginLeg(worker, symbol);
  worker.units = world.rules.sharesToProtect(inMoney(bare), inMoney(free)).toNumber();
  worker.at = step === "release" ? "release" : worker.units < 1 ? "protect_next" : "record";
}

/** The quantity after a release: what is bare by now, and never more than the broker has free. */
export function sizeProtection(world: World, worker: Worker): void {
  const { symbol } = worker.cover;
  const free = Math.max(0, sellable(world, symbol));
  worker.units = world.rules.sharesToProtect(inMoney(bareShares(world, symbol)), inMoney(free)).toNumber();
  worker.at = worker.units < 1 ? "protect_next" : "record";
}

function beginLeg(worker: Worker, symbol: string): void {
  worker.cover.symbol = symbol;
  worker.leg = worker.cover;
  worker.resting.length = 0;
  worker.isDenied = false;
  worker.sendBeganAt = null;
  worker.hasLookedAgain = false;
  worker.requests = worker.recordsTried = 0;
}

function findBlocker(world: World, symbol: string, mayBeThere: boolean): "nothing" | "release" | "wait" {
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row, side, symbol: of } = world.orders[i]!;
    if (of !== symbol || side !== "BUY" || row.origin !== "OURS" || !row.isKnown) continue;
    if (row.status === "PARTIALLY_FILLED") return world.rules.fillingStep(true, world.now - row.filledAt);
  }
  for (let i = 0; i < world.intentCount; i += 1) {
    const intent = world.intents[i]!;
    if (intent.symbol !== symbol || intent.side !== "SELL") continue;
    const step = world.rules.protectingStep({
      status: intent.status,
      isProtective: intent.purpose === "PROTECT",
      waitedMs: world.now - intent.submittedAt,
      mayBeThere,
    });
    if (step === "release" || step === "wait") return step;
    if (step === "nothing" || commit(world) === "lost") continue;
    if (step === "park") checkParkedSale(world, intent);
    setIntent(world, intent, step === "halt" ? "HALTED" : "PARKED");
    intent.nextAskAt = step === "park" ? world.now + PARKED_ASK_MS : null;
  }
  return "nothing";
}
