import { createHash, randomUUID } from "node:crypto";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import type { SideName } from "@/lib/domain/enums.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { cents, least, money, sum, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import { AWAITING_ANSWER } from "@/lib/domain/protocol/intent-states.ts";
import { newYork, newYorkInstant, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import { splitBetween } from "@/lib/domain/protocol/other-shares.ts";
import type { PositionBook } from "@/lib/domain/engine/apply-fill.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Broker, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Db, Tx } from "../../db.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { isAdministrator, reasonNeeded, accountForOperator } from "../../core/account-for-operator.ts";
import { postCashFlow } from "../ledger/post-activity.ts";
import { postOrderlessTrade } from "../ledger/post-orderless-trade.ts";
import { loadPositionBook } from "../ledger/position-book.ts";
import { readCashLedger } from "../ledger/read-cash-ledger.ts";
import { rescaleBook } from "../ledger/rescale-book.ts";
import { unbookedSplit } from "../ledger/split-rounding.ts";
import { comparePositions, lastingDifferences } from "./compare-positions.ts";
import { reconcileAccount, type ReconcileReport } from "./reconcile-account.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { dateOf } from "../../rows.ts";

const WRITER_WAIT_MS = 20_000;
const CENT = money("0.01");
/** Long enough that no two previews of one account bear the same. */
const HASH_LENGTH = 12;

export interface PositionAdjustment {
  symbol: string;
  /** Shares. */
  ours: DecimalText;
  theirs: DecimalText;
  /** What is booked: shares bought at the broker's average price, or sold at what our oldest ones cost. */
  side: SideName;
  qty: DecimalText;
  /** USD per share; 0 for a split. */
  price: DecimalText;
  /** A split that our books lack, new shares per old: booked as one, so that cost, stop and target are those of the new shares. */
  split: { ratio: DecimalText; exDate: SessionDate } | null;
}

export interface BrokerBooksPreview {
  accountId: string;
  /** Of everything below: `adoptBrokerBooks` books this and nothing else. */
  hash: string;
  adjustments: PositionAdjustment[];
  /** USD: by our records, once the shares are booked, and at the broker; what is left counts as money from or to the outside. */
  cash: { ours: DecimalText; adjusted: DecimalText; theirs: DecimalText; flow: DecimalText };
}

interface Drawn {
  preview: BrokerBooksPreview;
  at: Instant;
}

/**
 * What taking over the broker's books would change: nothing is changed yet, except that the broker's reports are read.
 * For administrators: a difference is ended by a person who found out why it is there.
 */
export async function previewBrokerBooks(
  context: Context,
  { accountId }: { accountId: string },
): Promise<BrokerBooksPreview> {
  const account = await accountForAdministrator(context, accountId);
  return (await asOnlyWriter(context, account, (broker) => draw(context, account, broker))).preview;
}

/**
 * Books what the preview of that hash showed, in one transaction with its audit row, and holds the books against the
 * broker's again. Refused where books or broker moved since. Shares that appear are bought at the broker's average
 * price, those that are not there are sold at cost, so that no profit is made of a difference; where a split explains it,
 * the split is booked. What cash still differs by counts as paid in or out. The halt stays: resuming is a step of its own.
 */
export async function adoptBrokerBooks(
  context: Context,
  { accountId, hash, reason }: { accountId: string; hash: string; reason: string },
): Promise<{ preview: BrokerBooksPreview; reconciled: ReconcileReport }> {
  const why = reasonNeeded(reason);
  const account = await accountForAdministrator(context, accountId);
  return asOnlyWriter(context, account, async (broker) => {
    const drawn = await draw(context, account, broker);
    const { preview } = drawn;
    if (preview.hash !== hash)
      throw new Failure(
        "conflict",
        "The records or the broker's account changed since that preview. Make a new preview.",
      );
    if (preview.adjustments.length === 0 && money(preview.cash.flow).isZero())
      throw new Failure("conflict", "Nothing differs, so there is nothing to take over.");
    await inTransaction(context, (tx) => book(context, tx, drawn, why));
    context.log.warn("books.adopted", { accountId, reason: why });
    return { preview, reconciled: await reconcileAccount(context, accountId) };
  });
}

/** The account, for administrators alone, with keys to ask its broker. */
export async function accountForAdministrator(context: Context, accountId: string): Promise<Account> {
  const account = await accountForOperator(context, accountId);
  if (!isAdministrator(context.actor)) throw new Failure("forbidden", "Only administrators may do this.");
  if (account.sealedKeys === null) throw new Failure("conflict", ACCESS_TEXT[account.access].erased);
  return account;
}

/** Runs `work` as the account's only writer. Throws when others write it for too long. */
export async function asOnlyWriter<T extends object>(
  context: Context,
  account: Account,
  work: (broker: Broker) => Promise<T>,
): Promise<T> {
  const broker = context.brokers.forAccount(account);
  const done = await withAccountWriter(context, account.id, () => work(broker), { waitMs: WRITER_WAIT_MS });
  if (done === null) throw new Failure("unavailable", "The account is busy. Try again in a moment.");
  return done;
}

async function draw(context: Context, account: Account, broker: Broker): Promise<Drawn> {
  const { id: accountId } = account;
  await refuseOpenMatters(context.db, accountId);
  const { at } = await reconcileAccount(context, accountId);
  const { positions, differences } = await comparePositions(context, account, broker);
  const { cash: theirs } = await broker.account();
  if ((await lastingDifferences(context, accountId, differences)).length < differences.length)
    throw new Failure("conflict", "A fill was booked a moment ago, and positions may lag behind it: try again.");
  const adjustments: PositionAdjustment[] = [];
  for (const { symbol, ours, theirs: there } of differences) {
    if (money(there).isNegative())
      throw new Failure("conflict", `${symbol} is sold short at the broker, which our books do not know: buy it back.`);
    const missing = money(there).minus(ours);
    const side = missing.gt(0) ? "BUY" : "SELL";
    const found = positions.find((position) => position.symbol === symbol);
    const split = found ? await splitInBroker(context.db, account, found, newYork(at).date) : null;
    const ofTrade = async () =>
      side === "BUY" ? (found?.avgEntryPrice ?? "0") : costOfOldest(context.db, accountId, symbol, missing.abs());
    const price = split === null ? await ofTrade() : "0";
    adjustments.push({ symbol, ours, theirs: there, side, qty: text(missing.abs()), price, split });
  }
  const { cash: ours } = await readCashLedger(context.db, accountId);
  const moved = sum(
    adjustments.map(({ side, qty, price }) =>
      money(qty)
        .times(price)
        .times(side === "BUY" ? -1 : 1),
    ),
  );
  const adjusted = ours.plus(moved);
  const flow = money(theirs).minus(adjusted).toDecimalPlaces(9);
  const cash = {
    ours: text(ours),
    adjusted: text(adjusted),
    theirs: text(theirs),
    flow: text(flow.abs().lt(CENT) ? ZERO : flow),
  };
  const shown = { accountId, adjustments, cash };
  const hash = createHash("sha256").update(canonicalJson(shown)).digest("hex").slice(0, HASH_LENGTH);
  return { preview: { ...shown, hash }, at };
}

/** What is on its way would be counted twice. */
async function refuseOpenMatters(db: Db, accountId: string): Promise<void> {
  const asked = await db.intent.count({ where: { accountId, status: { in: [...AWAITING_ANSWER] } } });
  if (asked > 0)
    throw new Failure("conflict", "The broker is still being asked about an order: try again in a minute.");
  const waiting = await db.quarantinedActivity.findFirst({
    where: { accountId, settlement: null, qty: { not: null } },
  });
  if (waiting)
    throw new Failure(
      "conflict",
      `An activity waits to be booked (${waiting.activityId}, ${waiting.type}): book or dismiss it first.`,
    );
}

/** The split that the broker's position shows and our books lack; null where the difference is none. Bought since its day counts as new shares. */
async function splitInBroker(
  db: Db,
  account: Account,
  { symbol, qty, avgEntryPrice }: BrokerPosition,
  today: SessionDate,
): Promise<PositionAdjustment["split"]> {
  const announced = await unbookedSplit(db, account, symbol, today);
  const exDate = announced?.exDate ?? today;
  const book = await loadPositionBook(db, account.id, symbol);
  const old = sharesBefore(book, exDate);
  if (old.isZero()) return null;
  const since = money(book.qty).minus(old);
  const ratio = splitBetween(
    { qty: old, avgEntryPrice: book.avgPrice ?? "0" },
    { qty: money(qty).minus(since), avgEntryPrice },
    announced?.ratio ?? null,
  );
  return ratio === null ? null : { ratio: text(ratio.toDecimalPlaces(9)), exDate };
}

const sharesBefore = ({ lots }: PositionBook, exDate: SessionDate): Money => {
  const exAt = newYorkInstant(exDate, 0, 0);
  return sum(lots.filter(({ openedAt }) => openedAt < exAt).map(({ qtyRemaining }) => money(qtyRemaining)));
};

/** USD per share that the oldest `qty` shares cost, with their fees: sold at it, they make neither profit nor loss. */
async function costOfOldest(db: Db, accountId: string, symbol: string, qty: Money): Promise<DecimalText> {
  const lots = await db.lot.findMany({
    where: { accountId, symbol, qtyRemaining: { gt: 0 } },
    orderBy: { sequence: "asc" },
  });
  let left = qty;
  let cost = ZERO;
  for (const lot of lots) {
    const held = money(lot.qtyRemaining);
    const taken = least(left, held);
    cost = cost.plus(taken.times(lot.costPrice.toString())).plus(money(lot.feesRemaining).times(taken).div(held));
    left = left.minus(taken);
  }
  return text(cost.div(qty).toDecimalPlaces(9));
}

async function book(context: Context, tx: Tx, { preview, at }: Drawn, why: string): Promise<void> {
  const { accountId, adjustments, cash, hash } = preview;
  const { userId } = await lockAccount(tx, accountId);
  // A trade update may have been booked since the preview was drawn.
  const { cash: ours } = await readCashLedger(tx, accountId);
  if (!ours.eq(cash.ours)) throw new Failure("conflict", "The account traded in the meantime. Make a new preview.");
  const common = { accountId, reason: "broker_books", brokerStatus: "broker_books", at: new Date(at) };
  for (const adjustment of adjustments) {
    const { symbol, side, qty, price, split } = adjustment;
    const id = `books-${randomUUID()}`;
    if (split === null)
      await postOrderlessTrade(context, tx, { ...common, id, symbol, side, qty, price, source: "ADJUSTMENT" });
    else await bookSplit(tx, accountId, id, adjustment, split);
  }
  if (!money(cash.flow).isZero()) {
    const flow = { activityId: `books-${randomUUID()}`, type: "ADJUST", symbol: null, amount: cash.flow };
    await postCashFlow(tx, accountId, { ...flow, date: newYork(at).date });
  }
  const parts = [
    ...adjustments.map(({ symbol, ours: before, theirs }) => `${symbol} ${before} became ${theirs}`),
    ...(money(cash.flow).isZero()
      ? []
      : [`cash ${text(cents(money(cash.adjusted)))} became ${text(cents(money(cash.theirs)))}`]),
  ];
  const message = `The broker's books were taken over: ${parts.join("; ")}. Reason: ${why}`;
  await recordEvent(context, tx, {
    level: "warn",
    message,
    userId,
    accountId,
    marketAt: new Date(at),
    audit: {
      eventType: "BROKER_BOOKS_TAKEN",
      data: { accountId, hash, adjustments: adjustments.map((each) => ({ ...each })), cash },
      personal: { reason: why },
    },
  });
}

async function bookSplit(
  tx: Tx,
  accountId: string,
  activityId: string,
  { symbol, ours, theirs }: PositionAdjustment,
  { ratio, exDate }: NonNullable<PositionAdjustment["split"]>,
): Promise<void> {
  const more = money(theirs).minus(ours);
  const resize = (held: Money) => ({ total: held.plus(more), ofPrices: money(ratio) });
  const split = await rescaleBook(tx, accountId, symbol, exDate, resize);
  if (split === null) throw new Failure("conflict", "The account traded in the meantime. Make a new preview.");
  const { held, total } = split;
  await tx.appliedCorporateAction.create({
    data: {
      ...{ accountId, activityId, symbol, kind: "ADJUST", ratio, exDate: dateOf(exDate) },
      ...{ qtyBefore: text(held), qtyAfter: text(total) },
    },
  });
}
