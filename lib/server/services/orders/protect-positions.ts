import { randomUUID } from "node:crypto";
import { AWAITING_ANSWER, UNSENT } from "@/lib/domain/protocol/intent-states.ts";
import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import { protectionOf } from "@/lib/domain/exits.ts";
import { greatest, money, type Money, text, ZERO } from "@/lib/domain/money.ts";
import { mayBeOtherShares, splitBetween } from "@/lib/domain/protocol/other-shares.ts";
import { fillingStep, mayReserveUnknown, protectingStep } from "@/lib/domain/protocol/protecting.ts";
import { FILLING_MS, PARKED_ASK_MS, SUBMIT_DEADLINE_MS } from "@/lib/domain/protocol/settings.ts";
import { asPair, protectionFor, protectionGates, sharesToProtect } from "@/lib/domain/protection.ts";
import { newYork } from "@/lib/domain/time.ts";
import { isDue, latestOf, sinceMs } from "@/lib/domain/wall-clock.ts";
import { INTERRUPTED_BEFORE_SENDING } from "./unsent.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerPosition, MarketClock } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { unbookedSplit } from "../ledger/split-rounding.ts";
import { AWAITS_OPENING, bareShares, type BarePosition, TRY_AGAIN_MOST_MS, WHILE_CLOSED_MS } from "./bare-shares.ts";
import { changeIntents } from "./change-intents.ts";
import { firstAttempt } from "./record-intent.ts";
import { protectiveOrder } from "./protective-order.ts";
import { hasPurchaseOfOwner } from "./purchase-of-owner.ts";
import { cancelRestingOrders } from "./cancel-resting-orders.ts";
import { isAtBroker, sendLeg, type SubmittedLeg } from "./send-leg.ts";

/** What could not be protected is tried again after this, twice as long each time, and each minute in the end. */
const TRY_AGAIN_MS = 2_000;
/** A broker that could not be asked is asked again after this, each time: its outage says nothing about the shares. */
const ASK_AGAIN_MS = 5_000;
/** Books that differ from the broker's are read every few seconds, and followed by the stream. */
const BOOKS_AGAIN_MS = 2_000;
/** The broker's refusal of a parameter: a stop that the price has passed is one. */
const BAD_PARAMETER = "42210000";

type Owed = Prisma.OwedStopGetPayload<object>;

/** `againMs`: nothing failed, and nothing can be done before that time has passed. */
type Attempt = SubmittedLeg & { againMs?: number };

interface Protecting {
  context: Context;
  account: Account;
  broker: Broker;
  clock: MarketClock;
  epoch: number;
  policyVersion: string;
  preferences: { stopLoss: string; profitTarget: string };
}

/**
 * Places a stop for every whole share of ours that has none, or sells it where the price is through the stop already. The
 * one place where owed stops are sent; the caller is the account's only writer. Works in halted, paused, killed and
 * unreconciled accounts, for shares alone that the broker says are held and free. `symbols`: these, at once; otherwise
 * every symbol whose next attempt is due.
 */
export async function protectPositions(
  context: Context,
  accountId: string,
  epoch: number,
  { symbols = null }: { symbols?: string[] | null } = {},
): Promise<SubmittedLeg[]> {
  const { db } = context;
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId } });
  if (account.deletedAt !== null || account.sealedKeys === null) return [];
  const isAsked = (symbol: string) => symbols === null || symbols.includes(symbol);
  const bare = (await bareShares(db, accountId)).filter(({ position }) => isAsked(position.symbol));
  await closePaidStops(context, accountId, bare, symbols);
  if (bare.length === 0) return [];
  try {
    return await protectBare(context, account, epoch, bare, symbols);
  } catch (error) {
    if (symbols === null) await recordFailure(context, accountId, bare, error);
    throw error;
  }
}

async function protectBare(
  context: Context,
  account: Account,
  epoch: number,
  bare: BarePosition[],
  symbols: string[] | null,
): Promise<SubmittedLeg[]> {
  const { db } = context;
  const { id: accountId } = account;
  const broker = context.brokers.forAccount(account);
  const [clock, held, policy, chosen] = await Promise.all([
    broker.clock(),
    broker.positions(),
    activePolicy(context),
    db.tradingPreferences.findUnique({ where: { userId: account.userId } }),
  ]);
  const { stopLoss, profitTarget } = chosen ?? DEFAULT_PREFERENCES;
  const preferences = { stopLoss: text(stopLoss.toString()), profitTarget: text(profitTarget.toString()) };
  const protecting = { context, account, broker, clock, epoch, policyVersion: policy.version, preferences };
  const sent: SubmittedLeg[] = [];
  for (const one of bare) {
    const { symbol } = one.position;
    const owed = await openOwedStop(context, accountId, one, clock);
    if (symbols === null && owed.nextTryAt !== null && !isDue(TRY_AGAIN_MOST_MS, owed.nextTryAt, context.now()))
      continue;
    const found = held.find((position) => position.symbol === symbol) ?? null;
    const leg = await protectOne(protecting, one, owed, found);
    if (leg.status !== "SKIPPED") sent.push(leg);
    await recordAttempt(protecting, owed, leg);
  }
  await closePaidStops(context, accountId, await bareShares(db, accountId), symbols);
  return sent;
}

async function protectOne(
  protecting: Protecting,
  { position, bare }: BarePosition,
  owed: Owed,
  found: BrokerPosition | null,
): Promise<Attempt> {
  const { context, account, broker, clock, preferences } = protecting;
  const { symbol } = position;
  const skipped = (reason: string): Attempt => ({ leg: 0, symbol, status: "SKIPPED", reason });
  if (found === null) return skipped("the broker does not hold the shares");
  const reserved = money(found.qty).minus(found.qtyAvailable);
  const mayBeThere = mayReserveUnknown(reserved.toNumber(), money(position.qty).minus(bare).toNumber());
  const inTheWay = await findBlocker(protecting, symbol, mayBeThere);
  if (inTheWay.kind === "wait") return { ...skipped(inTheWay.reason), againMs: inTheWay.forMs };
  const priceOf = (...prices: ({ toString(): string } | null)[]) => {
    const known = prices.find((price) => price !== null);
    return known == null ? null : text(known.toString());
  };
  const levels = protectionOf(
    {
      avgEntryPrice: text(position.avgEntryPrice),
      stopPrice: priceOf(position.stopPrice, owed.stopPrice),
      targetPrice: priceOf(position.targetPrice, owed.targetPrice),
    },
    preferences,
  );
  const split = await splitAtBroker(protecting, position, found);
  const inTheirShares = (level: Money) => (split === null ? level : level.div(split));
  const [stop, target] = [inTheirShares(levels.stop), inTheirShares(levels.target)];
  const last = money(found.currentPrice);
  const { isOpen } = clock;
  const protection = protectionFor({ stop, target, last, isOpen });
  if (protection.kind === "wait") return { ...skipped(AWAITS_OPENING), againMs: WHILE_CLOSED_MS };
  const isSale = protection.kind === "sale";
  // Before anything is released: the stop that rests may be the right one of the other shares.
  const mayBeOthers = (isForSale: boolean) =>
    mayBeOtherShares({
      ...{ ours: position, theirs: found, split },
      ...{ bareMs: bareMsOf(owed, context.now()), isSale: isForSale },
    });
  // Of shares that became fewer the books count some as bare though the broker's orders cover all that there are.
  const isCovered = split !== null && money(found.qtyAvailable).lt(1);
  if (isCovered || mayBeOthers(isSale)) return { ...skipped(DIFFERENT_QUANTITY), againMs: BOOKS_AGAIN_MS };
  // All of the new shares, not as many as there were old ones: the books would count the rest as covered.
  const inNewShares = (shares: Money) => (split === null ? shares : shares.times(split));
  let qty = sharesToProtect(inNewShares(bare), money(found.qtyAvailable));
  if (inTheWay.kind === "release") {
    const owedFor = { reason: owed.reason, planId: owed.planId };
    const released = await cancelRestingOrders(context, account, broker, symbol, owedFor);
    if (released === null) return skipped("resting orders did not become final in time");
    const now = (await bareShares(context.db, account.id)).find((one) => one.position.symbol === symbol);
    qty = sharesToProtect(inNewShares(now?.bare ?? ZERO), released.free);
  }
  if (qty.lt(1)) return skipped("the broker has no shares free");
  const reason = owed.reason === "trailing_stop" ? "trailing_stop" : "protect_position";
  const isBesidePurchase = protection.kind !== "pair" && (await hasPurchaseOfOwner(context.db, account.id, symbol));
  const profit = last.times(money(preferences.profitTarget).div(100).plus(1));
  const taken = isBesidePurchase ? asPair(protection, { last, target: greatest(target, profit) }) : protection;
  const leg = await send(protecting, protectiveOrder(position, qty, taken, last, reason));
  const isThrough = leg.status === "REJECTED" && leg.reason?.startsWith(BAD_PARAMETER) === true;
  if (!isThrough || isSale || !isOpen) return leg;
  if (mayBeOthers(true)) return leg;
  // The price fell through the stop since it was read: the shares are sold, as the stop would have.
  return send(protecting, protectiveOrder(position, qty, { kind: "sale" }, last, reason));
}

/** The split that is in the broker's shares and not in ours, new shares per old; null where nothing says that there is one. */
async function splitAtBroker(
  { context: { db }, account, clock }: Protecting,
  position: BarePosition["position"],
  found: BrokerPosition,
): Promise<Money | null> {
  if (money(position.qty).eq(money(found.qty))) return null;
  const announced = await unbookedSplit(db, account, position.symbol, newYork(clock.now).date);
  return splitBetween(position, found, announced?.ratio ?? null);
}

const DIFFERENT_QUANTITY = "the broker holds another number of shares than the books: they are read first";

/** For how long the shares have been bare while they could be sold. */
const bareMsOf = ({ bareSince, createdAt }: Owed, now: Date): number => sinceMs(bareSince ?? createdAt, now);

/** `forMs`: until what is in the way ends, is cancelled or may be asked about again. */
type Blocker = { kind: "nothing" } | { kind: "release" } | { kind: "wait"; reason: string; forMs: number };

/** Orders and decisions of the symbol that a new protective order would meet; what can be settled about them is. */
async function findBlocker(
  { context, account, clock }: Protecting,
  symbol: string,
  mayBeThere: boolean,
): Promise<Blocker> {
  const { db, now } = context;
  const accountId = account.id;
  const entry = await db.order.findFirst({
    where: { accountId, symbol, origin: "OURS", role: "ENTRY", status: "PARTIALLY_FILLED" },
    include: { fills: { orderBy: { createdAt: "asc" }, take: 1 } },
  });
  if (entry !== null) {
    // Its stop waits for the whole order: the first share that it filled has been without one for the longest.
    const filledMs = sinceMs(entry.fills[0]?.createdAt ?? entry.updatedAt, now());
    return fillingStep(clock.isOpen, filledMs) === "wait"
      ? { kind: "wait", reason: "its entry is filling", forMs: FILLING_MS - filledMs }
      : { kind: "release" };
  }
  const sales = await db.intent.findMany({
    where: { accountId, symbol, side: "SELL", status: { in: [...UNSENT, ...AWAITING_ANSWER, "LIVE"] } },
  });
  for (const { id, status, purpose, submittedAt, createdAt } of sales) {
    const waitedMs = sinceMs(submittedAt ?? createdAt, now());
    const step = protectingStep({ status, isProtective: purpose === "PROTECT", waitedMs, mayBeThere });
    switch (step) {
      case "release":
        return { kind: "release" };
      case "wait": {
        const isLive = status === "LIVE";
        const forMs = Math.max(TRY_AGAIN_MS, (isLive ? FILLING_MS : SUBMIT_DEADLINE_MS) - waitedMs);
        return { kind: "wait", reason: `a sale of the symbol ${isLive ? "is open" : "has no answer yet"}`, forMs };
      }
      case "halt": {
        // Its sender was fenced off by this writer: it was never sent, and is refused at the mark.
        const data = { lastError: INTERRUPTED_BEFORE_SENDING };
        await changeIntents(db, { id }, { from: [status], to: "HALTED", data });
        break;
      }
      case "park": {
        const lastError = "no answer, and the broker reserves no shares for it";
        const data = { lastError, nextAskAt: new Date(now().getTime() + PARKED_ASK_MS) };
        await changeIntents(db, { id }, { from: [status], to: "PARKED", data });
        break;
      }
      case "nothing":
    }
  }
  return { kind: "nothing" };
}

async function send(
  { context, account, broker, clock, epoch, policyVersion }: Protecting,
  { purpose, ...order }: ReturnType<typeof protectiveOrder>,
): Promise<SubmittedLeg> {
  const gates = protectionGates(account.sealedKeys !== null, clock.isOpen, purpose === "EXIT");
  const leg = firstAttempt({
    planId: randomUUID(),
    decisionId: null,
    policyVersion,
    decidedAt: clock.now,
    purpose,
    order: { ...order, gates },
  });
  const sent = await sendLeg(context, account, broker, leg, {
    epoch,
    isProtective: true,
    halted: null,
    regate: () => gates,
  });
  context.log.warn("protection.submitted", { accountId: account.id, ...sent, purpose });
  return sent;
}

/** Rows of symbols that had none open. */
async function openRows({ db }: Context, accountId: string, bare: BarePosition[]): Promise<void> {
  const data = bare.map(({ position: { symbol, stopPrice, targetPrice }, bare: shares }) => ({
    accountId,
    symbol,
    qty: text(shares),
    stopPrice,
    targetPrice,
    reason: "no live stop was found",
  }));
  await db.owedStop.createMany({ data, skipDuplicates: true });
}

/** The symbol's open row, made where there is none. `bareSince` is set only while the market is open. */
async function openOwedStop(context: Context, accountId: string, one: BarePosition, clock: MarketClock): Promise<Owed> {
  const { db, now } = context;
  const { symbol } = one.position;
  await openRows(context, accountId, [one]);
  const owed = await db.owedStop.findFirstOrThrow({ where: { accountId, symbol, paidAt: null } });
  if ((owed.bareSince !== null) === clock.isOpen) return owed;
  return db.owedStop.update({ where: { id: owed.id }, data: { bareSince: clock.isOpen ? now() : null } });
}

/** An attempt that ended before its outcome could be recorded: what it left due waits. */
async function recordFailure(context: Context, accountId: string, bare: BarePosition[], error: unknown): Promise<void> {
  await openRows(context, accountId, bare);
  const at = context.now();
  await context.db.owedStop.updateMany({
    where: {
      accountId,
      paidAt: null,
      symbol: { in: bare.map(({ position }) => position.symbol) },
      OR: [{ nextTryAt: null }, { nextTryAt: { lte: at } }, { nextTryAt: { gt: latestOf(TRY_AGAIN_MOST_MS, at) } }],
    },
    data: {
      nextTryAt: new Date(at.getTime() + ASK_AGAIN_MS),
      lastError: (error instanceof Error ? error.message : String(error)).slice(0, 500),
    },
  });
}

async function recordAttempt({ context, account, clock }: Protecting, owed: Owed, leg: Attempt): Promise<void> {
  const { db, now } = context;
  const waitMs = leg.againMs ?? Math.min(TRY_AGAIN_MOST_MS, TRY_AGAIN_MS * 2 ** Math.min(owed.attempts, 10));
  await db.owedStop.update({
    where: { id: owed.id },
    data: {
      attempts: { increment: leg.againMs === undefined ? 1 : 0 },
      nextTryAt: new Date(now().getTime() + waitMs),
      lastError: leg.reason?.slice(0, 500) ?? null,
    },
  });
  if (leg.status === "SKIPPED") return;
  const isPlaced = isAtBroker(leg.status);
  const message = isPlaced
    ? `Shares of ${leg.symbol} had no live stop: a protective order was sent`
    : `Shares of ${leg.symbol} have no live stop, and the protective order was not taken: ${leg.reason ?? leg.status.toLowerCase()}`;
  const { userId, id: accountId } = account;
  const marketAt = new Date(clock.now);
  await logUserEvents(db, [{ level: isPlaced ? "info" : "error", message, userId, accountId, marketAt }]);
}

/** Closes the rows of symbols whose shares are covered again, sold or gone. */
async function closePaidStops(
  { db, now }: Context,
  accountId: string,
  bare: BarePosition[],
  symbols: string[] | null,
): Promise<void> {
  const stillBare = bare.map(({ position }) => position.symbol);
  await db.owedStop.updateMany({
    where: { accountId, paidAt: null, symbol: { notIn: stillBare, ...(symbols === null ? {} : { in: symbols }) } },
    data: { paidAt: now(), bareSince: null },
  });
}
