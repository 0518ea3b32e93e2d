import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { positionsApi } from "@/lib/contracts/positions.ts";
import { protectionOf } from "@/lib/domain/exits.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { priceText } from "@/lib/domain/format.ts";
import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import { money, priceTick, text, wholeShares, type DecimalText, type Money } from "@/lib/domain/money.ts";
import { pairOrder, protectionFor, protectionGates, STOP_ROOM, stopOrder } from "@/lib/domain/protection.ts";
import type { Context } from "../../context.ts";
import type { Broker, MarketClock } from "../../broker/broker.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { preferencesView } from "../../core/preferences-view.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import type { Account } from "../../core/row-types.ts";
import { moveStop } from "../orders/move-stop.ts";
import { liveStops, stopAtRest } from "../orders/stops-at-rest.ts";
import { firstAttempt, type LegToSend } from "../orders/record-intent.ts";
import { isAtBroker } from "../orders/send-leg.ts";
import type { SubmittedLeg } from "../orders/submit-leg.ts";
import {
  heldPosition,
  ownAccount,
  refuseAccount,
  refuseInFlight,
  refuseOtherWords,
  type Position,
} from "./find-position.ts";
import { knownRequest, recordRequest } from "./manual-orders.ts";

const WRITER_WAIT_MS = 20_000;

type Request = Received<typeof positionsApi.tightenStop>;
type Tightened = Given<typeof positionsApi.tightenStop>;
type Asked = Parameters<typeof knownRequest>[2];

/**
 * The owner raises the stop of a position, as the trailing stop is raised: by the broker's replace in place, and by cancel and
 * place where the broker does not replace it, with the shares owed a stop meanwhile. Never lower, never at the price or above it.
 */
export async function tightenStop(
  context: Context<"user">,
  { accountId, symbol, requestId, confirmation, stopPrice }: Request,
  { waitMs = WRITER_WAIT_MS }: { waitMs?: number } = {},
): Promise<Tightened> {
  const account = await ownAccount(context, accountId);
  const asked: Asked = { requestId, kind: "TIGHTEN_STOP", symbol, qty: null, stopPrice: text(stopPrice) };
  await knownRequest(context, accountId, asked);
  await heldPosition(context, account, symbol);
  refuseOtherWords(confirmation, symbol);
  const work = (epoch: number) => tightenAsWriter(context, { accountId, asked, stopPrice, epoch });
  const done = await withAccountWriter(context, accountId, work, { waitMs });
  if (done !== null) return done;
  throw new Failure("account_busy", "The account is busy: this request moved no stop. Try again in a moment.");
}

interface Tightening {
  accountId: string;
  asked: Asked;
  stopPrice: Money;
  epoch: number;
}

async function tightenAsWriter(
  context: Context<"user">,
  { accountId, asked, stopPrice, epoch }: Tightening,
): Promise<Tightened> {
  const { requestId, symbol } = asked;
  const account = await ownAccount(context, accountId);
  const position = await heldPosition(context, account, symbol);
  const isKnown = (await knownRequest(context, accountId, asked)) !== null;
  const common = { requestId, accountId, symbol };
  const resting = await stopAtRest(context, accountId, symbol);
  // The same request again: it was done, or the trailing stop has gone further since.
  if (isKnown && resting !== null && money(resting).gte(stopPrice))
    return { ...common, stopPrice: resting, stopBefore: null, message: doneText(symbol, resting) };
  await refuseAccount(context, account, epoch);
  await refuseInFlight(context, accountId, symbol);
  if (resting === null)
    throw new Failure(
      "conflict",
      `There is no stop for ${symbol} at the broker right now: it is being placed. Try again in a moment.`,
    );
  const broker = context.brokers.forAccount(account);
  const clock = await broker.clock();
  const last = await lastPriceOf(broker, symbol);
  refuseLevel(stopPrice, { resting, last });
  const leg = await legOf(context, { position, asked, stopPrice, last, clock });
  if (!isKnown)
    await recordRequest(context, account, asked, {
      message: `You asked to raise the stop of ${symbol} from ${priceText(resting)} to ${priceText(text(stopPrice))}`,
      marketAt: new Date(clock.now),
      audit: {
        eventType: "STOP_RAISE_REQUESTED",
        data: { accountId, requestId, symbol, stopBefore: resting, stopPrice: text(stopPrice) },
      },
    });
  const regate = async () => protectionGates(account.sealedKeys !== null, (await broker.clock()).isOpen, false);
  const move = { leg, stopPrice: text(stopPrice), isByHand: true };
  const stops = await liveStops(context.db, accountId, symbol);
  const moved = await moveStop(context, account, broker, move, { epoch, regate });
  const sent = (await isHit(context, stops)) ? { ...moved, reason: HIT } : moved;
  context.log.warn("manual-stop.moved", { accountId, planId: requestId, ...sent });
  const after = await stopAtRest(context, accountId, symbol);
  await noteMove(context, account, leg, { ...sent, stopPrice: text(stopPrice) });
  if (after === null || money(after).lt(stopPrice)) throw notMoved(sent, after);
  return { ...common, stopPrice: after, stopBefore: resting, message: doneText(symbol, after) };
}

const doneText = (symbol: string, stop: DecimalText) => `The stop of ${symbol} rests at ${priceText(stop)}.`;

const HIT = "it was hit before that, and has sold the shares";

/** The price reached one of the stops before it was raised. */
const isHit = async ({ db }: Context, stops: readonly { id: string }[]): Promise<boolean> =>
  (await db.order.count({ where: { id: { in: stops.map(({ id }) => id) }, status: "FILLED" } })) > 0;

function notMoved({ reason, status }: SubmittedLeg, after: DecimalText | null): Failure {
  const why = (reason ?? status.toLowerCase()).replace(/\.$/, "");
  const unplaced = reason === HIT ? "" : " A stop is being placed again.";
  const now = after === null ? unplaced : ` It rests at ${priceText(after)}.`;
  return new Failure("conflict", `The stop was not raised: ${why}.${now}`);
}

/** The broker's own last price: newer than what our books say. */
async function lastPriceOf(broker: Broker, symbol: string): Promise<Money> {
  const held = (await broker.positions()).find((there) => there.symbol === symbol);
  if (held === undefined)
    throw new Failure("conflict", `The broker no longer holds ${symbol}: its stop or another order sold it.`);
  return money(held.currentPrice);
}

function refuseLevel(stopPrice: Money, { resting, last }: { resting: DecimalText; last: Money }): void {
  const message = refusalOfLevel(stopPrice, { resting, last });
  if (message !== null) throw new Failure("invalid_input", message, { issues: [{ path: "stopPrice", message }] });
}

function refusalOfLevel(stopPrice: Money, { resting, last }: { resting: DecimalText; last: Money }): string | null {
  const highest = priceTick(last.minus(STOP_ROOM), "down");
  if (stopPrice.lte(resting)) return `The stop rests at ${priceText(resting)}: enter more than that.`;
  if (stopPrice.gt(highest))
    return highest.lte(resting)
      ? `The price is ${priceText(text(last))}, so the stop at ${priceText(resting)} cannot be raised.`
      : `The price is ${priceText(text(last))}: enter ${priceText(text(highest))} or less.`;
  return priceTick(stopPrice, "down").eq(stopPrice) ? null : "Enter whole cents.";
}

interface Level {
  position: Position;
  asked: Asked;
  stopPrice: Money;
  last: Money;
  clock: MarketClock;
}

/** What is placed where the broker does not replace the resting stop: stop and target, or the stop alone above its target. */
async function legOf(context: Context<"user">, { position, asked, stopPrice, last, clock }: Level): Promise<LegToSend> {
  const { symbol, strategy } = position;
  const stored = await context.db.tradingPreferences.findUnique({ where: { userId: context.actor.userId } });
  const preferences = stored === null ? DEFAULT_PREFERENCES : preferencesView(stored);
  const { target } = protectionOf(
    {
      avgEntryPrice: text(position.avgEntryPrice),
      stopPrice: text(stopPrice),
      targetPrice: position.targetPrice === null ? null : text(position.targetPrice),
    },
    preferences,
  );
  const pair = protectionFor({ stop: stopPrice, target, last, isOpen: clock.isOpen });
  const stop = text(stopPrice);
  return firstAttempt({
    planId: asked.requestId,
    decisionId: null,
    policyVersion: (await activePolicy(context)).version,
    decidedAt: clock.now,
    purpose: "PROTECT",
    order: {
      leg: 0,
      symbol,
      side: "SELL",
      qty: text(wholeShares(money(position.qty))),
      ...(pair.kind === "pair" ? pairOrder(stop, text(pair.target)) : stopOrder(stop)),
      decisionPrice: text(last),
      reason: "protect_position",
      strategy,
      confidence: null,
      gates: protectionGates(true, clock.isOpen, false),
      atr: null,
    },
  });
}

async function noteMove(
  { db }: Context,
  { id: accountId, userId }: Account,
  { order: { symbol }, decidedAt }: LegToSend,
  { status, reason, stopPrice }: SubmittedLeg & { stopPrice: DecimalText },
): Promise<void> {
  const isMoved = isAtBroker(status);
  const message = isMoved
    ? `The stop of ${symbol} was raised to ${priceText(stopPrice)}, as you asked`
    : `The stop of ${symbol} was to be raised to ${priceText(stopPrice)}, as you asked: ${reason ?? status.toLowerCase()}`;
  const marketAt = new Date(decidedAt);
  await logUserEvents(db, [
    { level: isMoved ? "info" : "warn", message, userId, accountId, marketAt, context: { symbol, stopPrice, status } },
  ]);
}
