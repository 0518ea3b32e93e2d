import { greatest, money, sum, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import { newYork, type Instant } from "@/lib/domain/time.ts";
import type { Account } from "../../core/row-types.ts";
import type { BrokerAccount, BrokerPosition, OtherAssets } from "../../broker/broker.ts";
import { OTHER_ASSET } from "../../broker/other-assets.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { postCashFlow } from "./post-activity.ts";
import { marksOf, storeMarks } from "./post-marks.ts";
import { readCashLedger } from "./read-cash-ledger.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

const HALF_A_CENT = money("0.005");

/**
 * The broker's balances and marks, as they stand at `at`. Positions that lag behind (`isBehind`) leave the marks alone;
 * `otherAssets` are no positions of ours, and part of the equity.
 */
export async function postBalances(
  context: Context,
  account: Account,
  balances: BrokerAccount,
  positions: BrokerPosition[],
  at: Instant,
  {
    isBehind = new Set<string>(),
    otherAssets = { orders: [], positions: [] },
  }: { isBehind?: ReadonlySet<string>; otherAssets?: OtherAssets } = {},
): Promise<void> {
  await inTransaction(context, async (tx) => {
    // Only the very first reading has an opening: later differences are never booked as deposits.
    const isFirst = (await lockAccount(tx, account.id)).activityWatermark === null;
    if (isFirst) {
      await tx.accountFigures.upsert({
        where: { accountId: account.id },
        create: { accountId: account.id },
        update: {},
      });
      await postOpening(tx, account.id, balances.equity, positions, at);
      await postOtherOpening(tx, account.id, otherAssets, at);
    }
    const held = await tx.position.findMany({ where: { accountId: account.id } });
    const marks = marksOf(
      held,
      positions.filter(({ symbol }) => !isBehind.has(symbol)),
    );
    await storeMarks(tx, marks, context.now());
    const figures =
      (await tx.accountFigures.findUnique({ where: { accountId: account.id } })) ??
      (await tx.accountFigures.create({ data: { accountId: account.id } }));
    const { equity, cash, buyingPower, longMarketValue, lastEquity } = balances;
    const unbooked = money(cash).minus((await readCashLedger(tx, account.id)).cash);
    // Where our knowledge begins: what an account with a past of its own had made before is of no day, week or month here.
    if (isFirst) {
      const point = { at: new Date(at), sessionDate: dateOf(newYork(at).date), netDeposits: figures.netDeposits };
      await tx.equityPoint.createMany({
        data: [{ accountId: account.id, ...point, equity, cash, longMarketValue }],
        skipDuplicates: true,
      });
    }
    await tx.accountFigures.update({
      where: { accountId: account.id },
      data: {
        equity,
        cash,
        buyingPower,
        longMarketValue,
        lastEquity: text(money(lastEquity).toDecimalPlaces(9)),
        unbookedCash: text(unbooked.toDecimalPlaces(9)),
        // A deposit raises the mark when it is booked: until then it is no gain.
        highWaterMark: isFirst
          ? equity
          : text(greatest(money(figures.highWaterMark), money(equity).minus(greatest(ZERO, unbooked)))),
        asOf: new Date(at),
        version: { increment: 1 },
      },
    });
  });
}

/** What positions have gained on the cost of our own lots; on the broker's where our books do not hold the same shares. */
async function unrealizedOf(tx: Tx, accountId: string, positions: BrokerPosition[]): Promise<Money> {
  const lots = await tx.lot.findMany({ where: { accountId, qtyRemaining: { gt: 0 } } });
  return sum(
    positions.map(({ symbol, qty, marketValue, unrealizedPnl }) => {
      const ours = lots.filter((lot) => lot.symbol === symbol);
      if (!sum(ours.map((lot) => money(lot.qtyRemaining))).eq(money(qty))) return money(unrealizedPnl);
      const cost = sum(
        ours.map((lot) => money(lot.qtyRemaining).times(money(lot.costPrice)).plus(money(lot.feesRemaining))),
      );
      return money(marketValue).minus(cost);
    }),
  );
}

/**
 * What was in the account before its first activity that we can read counts as paid in, so that
 * Δequity = realised + Δunrealised + dividends − fees + flows holds from the first day.
 */
async function postOpening(
  tx: Tx,
  accountId: string,
  equity: DecimalText,
  positions: BrokerPosition[],
  at: Instant,
): Promise<void> {
  const figures = await tx.accountFigures.findUniqueOrThrow({ where: { accountId } });
  const explained = sum([
    money(figures.netDeposits),
    money(figures.realizedPnl),
    money(figures.dividends),
    money(figures.fees).negated(),
    await unrealizedOf(tx, accountId, positions),
  ]);
  const opening = money(equity).minus(explained).toDecimalPlaces(2);
  if (opening.abs().lt(HALF_A_CENT)) return;
  const date = newYork(at).date;
  await postCashFlow(tx, accountId, {
    activityId: "opening",
    type: "OPENING",
    symbol: null,
    amount: text(opening),
    date,
  });
}

/** Other assets that were there before: what they are worth is part of the opening, and not of the cash. */
async function postOtherOpening(tx: Tx, accountId: string, { positions }: OtherAssets, at: Instant): Promise<void> {
  const { _sum } = await tx.cashFlow.aggregate({ where: { accountId, type: OTHER_ASSET }, _sum: { amount: true } });
  const worth = sum(positions.map(({ marketValue }) => money(marketValue)));
  const amount = worth
    .plus(money(_sum.amount ?? 0))
    .negated()
    .toDecimalPlaces(9);
  if (amount.isZero()) return;
  const flow = { activityId: "opening-other", type: OTHER_ASSET, symbol: null, amount: text(amount) };
  await postCashFlow(tx, accountId, { ...flow, date: newYork(at).date });
}
