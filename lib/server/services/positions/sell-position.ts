import { setTimeout as delay } from "node:timers/promises";
import type { Received } from "@/lib/contracts/endpoint.ts";
import { sellPhrase, type positionsApi } from "@/lib/contracts/positions.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { easternText, quantityText } from "@/lib/domain/format.ts";
import { money, text, toNumber, type DecimalText } from "@/lib/domain/money.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { exitGates } from "@/lib/domain/risk/exit-gates.ts";
import type { Context } from "../../context.ts";
import type { Broker, MarketClock } from "../../broker/broker.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import type { Account } from "../../core/row-types.ts";
import { readUnscreened } from "../automation/read-unscreened.ts";
import { protectPositions } from "../orders/protect-positions.ts";
import { firstAttempt, type LegToSend } from "../orders/record-intent.ts";
import { isAtBroker } from "../orders/send-leg.ts";
import { submitLeg, type SubmittedLeg } from "../orders/submit-leg.ts";
import { undecidedText } from "../orders/undecided-text.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import {
  heldPosition,
  ownAccount,
  refuseAccount,
  refuseInFlight,
  refuseOtherWords,
  type Position,
} from "./find-position.ts";
import { knownRequest, recordRequest, type ManualOrder } from "./manual-orders.ts";
import { isBeingSent, saleOf, type Sale } from "./read-sale.ts";

const WRITER_WAIT_MS = 20_000;
/** An order at market fills within a moment; the worker follows one that does not. */
const FOLLOW_MS = 5_000;
const POLL_MS = 200;

type Request = Received<typeof positionsApi.sell>;
type Asked = Parameters<typeof knownRequest>[2];

/**
 * The owner sells a position, or whole shares of it, at market and once for each request: as the account's only writer its
 * stop is cancelled, what is free is sold through the order protocol, and what stays is protected again, all on the
 * way that flattening takes. No kill switch stops it. What was asked before is answered as it stands.
 */
export async function sellPosition(
  context: Context<"user">,
  { accountId, symbol, requestId, confirmation, qty = null }: Request,
  { followMs = FOLLOW_MS, waitMs = WRITER_WAIT_MS }: { followMs?: number; waitMs?: number } = {},
): Promise<Sale> {
  const account = await ownAccount(context, accountId);
  const asked: Asked = { requestId, kind: "SELL", symbol, qty: qty === null ? null : String(qty), stopPrice: null };
  const answered = await settledSale(context, accountId, asked);
  if (answered !== null) return answered;
  if (!(await isUnderWay(context, accountId, asked)))
    refuseMore(await heldPosition(context, account, symbol), asked.qty);
  refuseOtherWords(confirmation, sellPhrase(symbol));
  const work = (epoch: number) => sellAsWriter(context, { accountId, asked, epoch, followMs });
  const sale = await withAccountWriter(context, accountId, work, { waitMs });
  if (sale !== null) return sale;
  if (await isUnderWay(context, accountId, asked))
    throw new Failure("unavailable", "Your order is still being sent. Check again in a moment: it is not sent twice.");
  const meanwhile = await answeredSale(context, accountId, asked);
  if (meanwhile !== null) return meanwhile;
  throw new Failure("account_busy", "The account is busy: this request sent nothing. Try again in a moment.");
}

async function isUnderWay(context: Context<"user">, accountId: string, asked: Asked): Promise<boolean> {
  const known = await knownRequest(context, accountId, asked);
  return known !== null && (await isBeingSent(context, known));
}

/** The sale of a request that has been served; null where none was decided yet, and while it may be being sent. */
async function settledSale(context: Context<"user">, accountId: string, asked: Asked): Promise<Sale | null> {
  if (await isUnderWay(context, accountId, asked)) return null;
  return answeredSale(context, accountId, asked);
}

/** The sale of a request that came to an intent; null where none was decided yet. */
async function answeredSale(context: Context<"user">, accountId: string, asked: Asked): Promise<Sale | null> {
  const known = await knownRequest(context, accountId, asked);
  if (known === null) return null;
  const sale = await saleOf(context, known);
  return sale.quantity === null ? null : sale;
}

function refuseMore({ symbol, qty }: Position, asked: DecimalText | null): void {
  if (asked === null || money(asked).lte(money(qty))) return;
  const message = `You hold ${quantityText(toNumber(money(qty)))} ${symbol}: enter as many or fewer.`;
  throw new Failure("invalid_input", message, { issues: [{ path: "qty", message }] });
}

function refuseClosed({ isOpen, nextOpen }: MarketClock): void {
  if (isOpen) return;
  throw new Failure(
    "conflict",
    `The market is closed and opens on ${easternText(nextOpen)}. Sell then; the protective stop stays at the broker until then.`,
  );
}

interface Selling {
  accountId: string;
  asked: Asked;
  epoch: number;
  followMs: number;
}

/** Null where another process has taken the order over and may be sending it. */
async function sellAsWriter(
  context: Context<"user">,
  { accountId, asked, epoch, followMs }: Selling,
): Promise<Sale | null> {
  const { requestId, symbol } = asked;
  // A request of the same id may have been served while this one waited.
  const answered = await answeredSale(context, accountId, asked);
  if (answered !== null) return answered;
  const account = await ownAccount(context, accountId);
  const position = await heldPosition(context, account, symbol);
  refuseMore(position, asked.qty);
  await refuseAccount(context, account, epoch);
  await refuseInFlight(context, accountId, symbol);
  const broker = context.brokers.forAccount(account);
  const clock = await broker.clock();
  refuseClosed(clock);
  const leg = await legOf(context, broker, { account, position, asked, clock });
  if ((await knownRequest(context, accountId, asked)) === null)
    await recordRequest(context, account, asked, {
      message: `You asked to sell ${sharesOf(asked, position)} ${symbol} by hand`,
      marketAt: new Date(clock.now),
      audit: { eventType: "SALE_REQUESTED", data: { accountId, requestId, symbol, qty: asked.qty } },
    });
  const regate = async () => {
    const fresh = await readUnscreened(context, broker, account);
    return exitGates("MANUAL", fresh.state, fresh.market);
  };
  const sent = await submitLeg(context, account, broker, leg, { epoch, regate });
  context.log.warn("manual-sale.submitted", { accountId, planId: requestId, ...sent });
  const isTakenOver = sent.status === "SKIPPED" && (await answeredSale(context, accountId, asked)) !== null;
  if (isTakenOver) return null;
  await noteSale(context, account, leg, sent);
  if (sent.status === "SKIPPED")
    throw new Failure(
      "account_busy",
      `This request sold nothing: ${sent.reason ?? "it could not be sent"}. Try again in a moment.`,
    );
  await followSale(context, broker, { accountId, symbol, requestId, epoch, followMs });
  return saleOf(context, await recordedRequest(context, accountId, requestId));
}

const recordedRequest = ({ db }: Context, accountId: string, id: string): Promise<ManualOrder> =>
  db.manualOrder.findUniqueOrThrow({ where: { id_accountId: { id, accountId } } });

function sharesOf({ qty }: Asked, position: Position): string {
  const held = quantityText(toNumber(money(position.qty)));
  return qty === null ? `all ${held}` : `${quantityText(toNumber(qty))} of ${held}`;
}

/** The sale as it is decided: at the price and for no more than what the broker says is held. */
async function legOf(
  context: Context,
  broker: Broker,
  { account, position, asked, clock }: { account: Account; position: Position; asked: Asked; clock: MarketClock },
): Promise<LegToSend> {
  const { symbol, strategy } = position;
  const held = (await broker.positions()).find((there) => there.symbol === symbol);
  if (held === undefined)
    throw new Failure("conflict", `The broker no longer holds ${symbol}: its stop or another order sold it.`);
  const { state, market } = await readUnscreened(context, broker, account);
  const policy = await activePolicy(context);
  return firstAttempt({
    planId: asked.requestId,
    decisionId: null,
    policyVersion: policy.version,
    decidedAt: clock.now,
    purpose: "MANUAL",
    order: {
      leg: 0,
      symbol,
      side: "SELL",
      qty: asked.qty ?? text(position.qty),
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      limitPrice: null,
      stopPrice: null,
      takeProfitPrice: null,
      stopLossPrice: null,
      decisionPrice: text(held.currentPrice),
      reason: "sold_by_hand",
      strategy,
      confidence: null,
      gates: exitGates("MANUAL", state, market),
      atr: null,
    },
  });
}

async function noteSale(
  { db }: Context,
  { id: accountId, userId }: Account,
  { order: { symbol, qty }, decidedAt }: LegToSend,
  { status, reason }: SubmittedLeg,
): Promise<void> {
  const shares = `${quantityText(toNumber(qty))} ${symbol}`;
  const line = isAtBroker(status)
    ? ({ level: "info", message: `Sent: order to sell ${symbol} (sold by you)` } as const)
    : (undecidedText(`order to sell ${shares} (by hand)`, { status, reason }) ??
      ({ level: "warn", message: `Not sold: ${shares} (by hand): ${reason ?? status.toLowerCase()}` } as const));
  await logUserEvents(db, [{ ...line, userId, accountId, marketAt: new Date(decidedAt) }]);
}

/**
 * Waits a moment for the end of the order, books it, and protects what is left at once. Whatever fails here is taken up by the
 * worker: the order is recorded, and the stop is owed.
 */
async function followSale(
  context: Context,
  broker: Broker,
  sale: { accountId: string; symbol: string; requestId: string; epoch: number; followMs: number },
): Promise<void> {
  const { accountId, symbol, requestId, epoch, followMs } = sale;
  try {
    const order = await context.db.order.findFirst({
      where: { accountId, parentId: null, intent: { planId: requestId, purpose: "MANUAL" } },
    });
    if (order === null) return;
    const giveUpAt = performance.now() + followMs;
    for (;;) {
      const there = await broker.order(order.brokerOrderId);
      if (there !== null && isTerminal(there.status)) break;
      if (performance.now() >= giveUpAt) return;
      await delay(POLL_MS);
    }
    await reconcileAccount(context, accountId);
    await protectPositions(context, accountId, epoch, { symbols: [symbol] });
  } catch (error) {
    context.log.warn("manual-sale.follow-failed", { accountId, symbol, err: error });
  }
}
