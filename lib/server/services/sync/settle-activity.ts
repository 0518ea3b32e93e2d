import { createHash } from "node:crypto";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { money, sum, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { isAdministrator, reasonNeeded } from "../../core/account-for-operator.ts";
import { postOrderlessTrade } from "../ledger/post-orderless-trade.ts";
import { costOf, heldBefore } from "../ledger/post-cost-transfer.ts";
import { loadPositionBook } from "../ledger/position-book.ts";
import { rebuildPositionBook } from "../ledger/rebuild-position-book.ts";
import { reconcileAccount, type ReconcileReport } from "./reconcile-account.ts";
import type { Account } from "../../core/row-types.ts";
import { accountForAdministrator, asOnlyWriter } from "./adopt-broker-books.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

const HASH_LENGTH = 12;
const MOST_SHOWN = 200;

type Waiting = Prisma.QuarantinedActivityGetPayload<object>;

export interface ActivityChoice {
  accountId: string;
  /** The legs of one corporate action, as the broker reported them. */
  activityIds: string[];
  /** The symbol whose shares stay, where the broker names only those that came (spin-offs). */
  source: string | null;
  /** Share of the old shares' cost that goes with the new ones, by symbol (0 to 1). Without one: what the broker says they cost. */
  costShares: Record<string, DecimalText>;
}

export interface ActivityPreview {
  accountId: string;
  activityIds: string[];
  /** Of everything here: `bookWaitingActivity` books this and nothing else. */
  hash: string;
  source: string;
  /** USD that the old shares cost now. */
  costHeld: DecimalText;
  incoming: { symbol: string; qty: DecimalText; costShare: DecimalText; cost: DecimalText }[];
  /** Old shares that go, and the USD that came for all of them; null where they stay. */
  removed: { qty: DecimalText; proceeds: DecimalText } | null;
}

/** What waits for a person, oldest first; at most 200. For administrators. */
export async function listWaitingActivities({ actor, db }: Context): Promise<Waiting[]> {
  if (!isAdministrator(actor)) throw new Failure("forbidden", "Only administrators may do this.");
  return db.quarantinedActivity.findMany({
    where: { settlement: null },
    orderBy: [{ date: "asc" }, { accountId: "asc" }, { activityId: "asc" }],
    take: MOST_SHOWN,
  });
}

/** What booking the activities together would change. Nothing is changed yet. */
export async function previewActivity(context: Context, choice: ActivityChoice): Promise<ActivityPreview> {
  const account = await accountForAdministrator(context, choice.accountId);
  return asOnlyWriter(context, account, (broker) => draw(context, broker, choice));
}

/**
 * Books what waits as the preview of that hash showed it, with its audit row, and holds the books against the
 * broker's again: a spin-off (the cost is shared), a removal with or without money, a merger of any number of legs.
 */
export async function bookWaitingActivity(
  context: Context,
  choice: ActivityChoice & { hash: string; reason: string },
): Promise<{ preview: ActivityPreview; reconciled: ReconcileReport }> {
  const why = reasonNeeded(choice.reason);
  const account = await accountForAdministrator(context, choice.accountId);
  return asOnlyWriter(context, account, async (broker) => {
    const preview = await draw(context, broker, choice);
    if (preview.hash !== choice.hash)
      throw new Failure(
        "conflict",
        "The records or the broker's account changed since that preview. Make a new preview.",
      );
    await inTransaction(context, (tx) => book(context, tx, preview, why));
    return { preview, reconciled: await reconcileAccount(context, account.id) };
  });
}

/** Marks what waits as looked at and not booked: another way ended the difference, or there is none. */
export async function dismissActivity(
  context: Context,
  { accountId, activityIds, reason }: Pick<ActivityChoice, "accountId" | "activityIds"> & { reason: string },
): Promise<void> {
  const why = reasonNeeded(reason);
  await accountForAdministrator(context, accountId);
  await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    const legs = await waiting(tx, accountId, activityIds);
    await settle(context, tx, account, legs, { settlement: "DISMISSED", why, data: {} });
  });
}

async function waiting(tx: Pick<Tx, "quarantinedActivity">, accountId: string, ids: string[]): Promise<Waiting[]> {
  const legs = await tx.quarantinedActivity.findMany({
    where: { accountId, activityId: { in: ids }, settlement: null },
    orderBy: { activityId: "asc" },
  });
  const missing = ids.find((id) => !legs.some(({ activityId }) => activityId === id));
  if (missing !== undefined) throw new Failure("not_found", `No activity ${missing} waits in this account.`);
  return legs;
}

async function draw(context: Context, broker: Broker, choice: ActivityChoice): Promise<ActivityPreview> {
  const { accountId } = choice;
  const activityIds = [...new Set(choice.activityIds)].sort();
  const legs = await waiting(context.db, accountId, activityIds);
  const { source, incoming, gone } = readLegs(legs, choice.source);
  const exDate = legs[0]?.date ?? new Date(0);
  const held = heldBefore((await loadPositionBook(context.db, accountId, source)).lots, exDate);
  const qty = sum(held.map(({ qtyRemaining }) => money(qtyRemaining)));
  if (qty.isZero()) throw new Failure("conflict", `No ${source} was held at the date of the activity.`);
  if (gone && !gone.qty.eq(qty))
    throw new Failure("conflict", `The broker took ${text(gone.qty)} ${source}, and ${text(qty)} are held here.`);
  const costHeld = costOf(held);
  const positions = incoming.length === 0 ? [] : await broker.positions();
  const shares = await Promise.all(
    incoming.map(async ({ symbol, qty: came }) => {
      const given = choice.costShares[symbol];
      const average = positions.find((position) => position.symbol === symbol)?.avgEntryPrice;
      const isBlended = (await context.db.lot.count({ where: { accountId, symbol, qtyRemaining: { gt: 0 } } })) > 0;
      if (given === undefined && (isBlended || average === undefined || costHeld.isZero()))
        throw new Failure(
          "conflict",
          `The broker does not say what the new ${symbol} cost: give its share of the cost.`,
        );
      const share =
        given === undefined
          ? money(average ?? 0)
              .times(came)
              .div(costHeld)
          : money(given);
      return { symbol, qty: text(came), costShare: share.toDecimalPlaces(9) };
    }),
  );
  const unknown = Object.keys(choice.costShares).find((symbol) => !incoming.some((leg) => leg.symbol === symbol));
  if (unknown !== undefined) throw new Failure("invalid_input", `No new shares of ${unknown} came with this activity.`);
  if (shares.some(({ costShare }) => costShare.isNegative()) || sum(shares.map(({ costShare }) => costShare)).gt(1))
    throw new Failure("invalid_input", "Shares of the cost lie between 0 and 1, all of them together too.");
  const shown = {
    accountId,
    activityIds,
    source,
    costHeld: text(costHeld),
    incoming: shares.map(({ costShare, ...leg }) => ({
      ...leg,
      costShare: text(costShare),
      cost: text(costHeld.times(costShare).toDecimalPlaces(9)),
    })),
    removed: gone && { qty: text(gone.qty), proceeds: text(gone.proceeds) },
  };
  return { ...shown, hash: createHash("sha256").update(canonicalJson(shown)).digest("hex").slice(0, HASH_LENGTH) };
}

/** Which shares came, which went and for how much money in all. Throws where that is no corporate action of one symbol. */
function readLegs(legs: Waiting[], named: string | null) {
  const nothing = legs.find(({ qty, symbol }) => qty === null || symbol === null);
  if (nothing)
    throw new Failure(
      "conflict",
      `${nothing.activityId} moved money alone, which is booked as it came: dismiss it when you have looked at it.`,
    );
  const dates = new Set(legs.map(({ date }) => sessionOf(date)));
  if (dates.size > 1) throw new Failure("conflict", "These activities are of different days: book them one by one.");
  const bySymbol = new Map<string, Money>();
  for (const { symbol, qty } of legs)
    bySymbol.set(symbol ?? "", (bySymbol.get(symbol ?? "") ?? ZERO).plus(money(qty ?? 0)));
  const moved = [...bySymbol].map(([symbol, qty]) => ({ symbol, qty }));
  const out = moved.filter(({ qty }) => qty.isNegative());
  const incoming = moved.filter(({ qty }) => qty.gt(0)).sort((a, b) => byText(a.symbol, b.symbol));
  const source = out[0]?.symbol ?? named;
  if (out.length > 1) throw new Failure("conflict", "Shares of several symbols went: book them one by one.");
  if (source === null)
    throw new Failure("invalid_input", "Only new shares came: name the symbol that they came from (--source).");
  if (named !== null && named !== source)
    throw new Failure("invalid_input", `The shares that went are of ${source}, not of ${named}.`);
  const proceeds = sum(legs.map(({ amount }) => money(amount)));
  const gone = out[0] ? { qty: out[0].qty.negated(), proceeds } : null;
  if (gone === null && !proceeds.isZero())
    throw new Failure(
      "conflict",
      "Money came with new shares while the old ones stayed: take over the broker's books.",
    );
  if (proceeds.isNegative()) throw new Failure("conflict", "Money was paid for it: take over the broker's books.");
  return { source, incoming, gone };
}

async function book(context: Context, tx: Tx, preview: ActivityPreview, why: string): Promise<void> {
  const { accountId, activityIds, source, incoming, removed } = preview;
  const account = await lockAccount(tx, accountId);
  const legs = await waiting(tx, accountId, activityIds);
  const [first] = legs;
  if (!first) throw new Error("an activity without legs");
  const { date: exDate, type: kind } = first;
  const share = sum(incoming.map(({ costShare }) => money(costShare)));
  const sourceId = legs.find(({ symbol }) => symbol === source)?.activityId ?? `${first.activityId}:source`;
  const { qty } = await loadPositionBook(tx, accountId, source);
  await tx.appliedCorporateAction.create({
    data: {
      accountId,
      activityId: sourceId,
      symbol: source,
      kind,
      ratio: "1",
      qtyBefore: qty,
      qtyAfter: qty,
      costShare: text(share),
      exDate,
    },
  });
  await rebuildPositionBook(context, tx, accountId, source);
  const { costMoved } = await tx.appliedCorporateAction.findUniqueOrThrow({
    where: { accountId_activityId: { accountId, activityId: sourceId } },
  });
  const moved = money(costMoved ?? 0).negated();
  for (const { symbol, qty: came, costShare } of incoming) {
    const leg = legs.find((each) => each.symbol === symbol);
    const cost = share.isZero() ? ZERO : moved.times(costShare).div(share).toDecimalPlaces(9);
    await tx.appliedCorporateAction.create({
      data: {
        accountId,
        activityId: leg?.activityId ?? `${first.activityId}:${symbol}`,
        symbol,
        kind,
        ratio: "1",
        qtyBefore: "0",
        qtyAfter: came,
        costMoved: text(cost),
        exDate,
      },
    });
    await rebuildPositionBook(context, tx, accountId, symbol);
  }
  if (removed) {
    const price = text(money(removed.proceeds).div(money(removed.qty)).toDecimalPlaces(9));
    const at = new Date(newYorkInstant(sessionOf(exDate), 0, 0));
    const trade = { accountId, id: sourceId, reason: null, brokerStatus: kind, symbol: source, at, price };
    await postOrderlessTrade(context, tx, { ...trade, side: "SELL", qty: removed.qty, source: "ACTIVITY" });
  }
  const { hash, costHeld } = preview;
  const data = {
    hash,
    source,
    costHeld,
    incoming: incoming.map((each) => ({ ...each })),
    removed: removed && { ...removed },
  };
  await settle(context, tx, account, legs, { settlement: "BOOKED", why, data });
}

async function settle(
  context: Context,
  tx: Tx,
  { id: accountId, userId }: Account,
  legs: Waiting[],
  { settlement, why, data }: { settlement: "BOOKED" | "DISMISSED"; why: string; data: Prisma.InputJsonObject },
): Promise<void> {
  const activityIds = legs.map(({ activityId }) => activityId);
  await tx.quarantinedActivity.updateMany({
    where: { accountId, activityId: { in: activityIds } },
    data: { settlement, settledAt: context.now() },
  });
  const what = legs.map(({ type, symbol }) => (symbol === null ? type : `${type} of ${symbol}`)).join(", ");
  const word = settlement === "BOOKED" ? "booked" : "dismissed";
  const message = `What the broker reported was ${word} by a person: ${what}. Reason: ${why}`;
  context.log.warn("activity.settled", { accountId, kind: settlement });
  await recordEvent(context, tx, {
    level: "warn",
    message,
    userId,
    accountId,
    audit: {
      eventType: settlement === "BOOKED" ? "ACTIVITY_BOOKED" : "ACTIVITY_DISMISSED",
      data: { accountId, activityIds, type: legs[0]?.type ?? null, ...data },
      personal: { reason: why },
    },
  });
}
