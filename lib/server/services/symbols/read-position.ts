import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { symbolsApi } from "@/lib/contracts/symbols.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import type { HeldPosition, PositionReview } from "@/lib/domain/engine/plan.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { greatest, least, type Money, money, text, ZERO } from "@/lib/domain/money.ts";
import { positionEnds } from "@/lib/domain/position-ends.ts";
import { adjustForSplits } from "@/lib/domain/screening/adjust.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { inBasisOf } from "@/lib/domain/symbol-price.ts";
import { newYork } from "@/lib/domain/time.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { reviewOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import type { Prisma } from "../../db.ts";
import { environmentLabel, moneyOrNull } from "../../rows.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { readPositions } from "../portfolio/list-positions.ts";
import { symbolRecord } from "../selectors/symbol-record.ts";
import { seenSymbol } from "./market-view-of.ts";
import { ownTrading } from "./own-trading.ts";
import { namesOf } from "./read-symbol.ts";
import { symbolBars } from "./symbol-bars.ts";
import { priceOf } from "./symbol-price.ts";

type View = Given<typeof symbolsApi.position>;

const HOLDING_ACCOUNT = {
  ...{
    id: true,
    name: true,
    keyPrefix: true,
    accountNumberEnd: true,
    market: true,
    broker: true,
    environment: true,
    haltedAt: true,
    figures: true,
  },
  user: { select: { tradingPreferences: { select: { paperTradingOnly: true } } } },
} as const satisfies Prisma.AccountSelect;

/** One open position of the caller's, with what is at risk and what ends it. Another user's is not found. */
export async function readPosition(
  context: Context<"user">,
  { accountId, symbol }: Received<typeof symbolsApi.position>,
): Promise<View> {
  const { actor, db } = context;
  const row = await db.position.findFirst({
    where: { accountId, symbol, account: { userId: actor.userId, deletedAt: null } },
    include: { account: { select: HOLDING_ACCOUNT } },
  });
  if (!row) throw new Failure("not_found", "Position not found.");
  const { account } = row;
  const [all, covered, record, seen, stored, trading, policy] = await Promise.all([
    readPositions(context, [account]),
    protectedQuantity(db, account.id),
    symbolRecord(context, account.market, symbol),
    seenSymbol(context, account.market, symbol),
    symbolBars(context, account.market, symbol),
    ownTrading(context, [account.id], symbol),
    activePolicy(context),
  ]);
  const position = all.find((each) => each.symbol === symbol);
  if (!position) throw new Failure("not_found", "Position not found.");
  const [quantity, averagePrice] = [money(position.quantity), money(position.averagePrice)];
  const [price, stop, target] = [position.currentPrice, position.stopPrice, position.targetPrice].map(moneyOrNull) as [
    Money | null,
    Money | null,
    Money | null,
  ];
  const priced = priceOf([{ currentPrice: price, asOf: account.figures?.asOf ?? null }], seen, stored);
  const protectedQty = covered.get(symbol) ?? ZERO;
  const openedSession = newYork(row.openedAt).date;
  const today = priced.priceSession ?? openedSession;
  const review: PositionReview = { ...EMPTY_REVIEW, ...reviewOf(row) };
  const held: HeldPosition = {
    symbol,
    qty: text(quantity),
    avgEntryPrice: text(averagePrice),
    strategy: row.strategy,
    openedSession,
    stopPrice: row.stopPrice === null ? null : text(money(row.stopPrice)),
    targetPrice: row.targetPrice === null ? null : text(money(row.targetPrice)),
    review,
    protectedQty: text(protectedQty),
  };
  const bars = stored.bars.dates.length === 0 ? null : adjustForSplits(stored.bars, stored.events);
  return {
    market: account.market,
    symbol,
    ...(await namesOf(context, symbol, record, seen)),
    ...priced,
    environment: environmentLabel(account),
    account: { id: account.id, name: accountTitle(account) },
    position,
    strategyLabel: row.strategy === null ? null : STRATEGIES[row.strategy].label,
    sessionsHeld: Math.max(0, sessionsBetween(openedSession, today).length - 1),
    protectedQuantity: protectedQty,
    ...riskOf({ quantity, averagePrice, price: priced.price, stop, protectedQty }),
    ends: positionEnds({
      position: held,
      review,
      resting: { stop, target },
      view: seen?.view,
      bars: bars && inBasisOf(bars, stored.events, today),
      policy,
      hold: holdOf(account),
    }),
    ...trading,
  };
}

type Holding = Pick<Account, "haltedAt" | "environment"> & {
  user: { tradingPreferences: { paperTradingOnly: boolean } | null };
};

/** What lets protective sales alone leave (refusal-to-send.ts). */
function holdOf({ haltedAt, environment, user }: Holding): "HALTED" | "PAPER_ONLY" | null {
  if (haltedAt !== null) return "HALTED";
  const isPaperOnly = user.tradingPreferences?.paperTradingOnly ?? DEFAULT_PREFERENCES.paperTradingOnly;
  return environment === "LIVE" && isPaperOnly ? "PAPER_ONLY" : null;
}

const EMPTY_REVIEW: PositionReview = {
  highestClose: null,
  entryAtr: null,
  weakReviews: 0,
  belowTrend: 0,
  reviewedSession: null,
};

interface AtStop {
  quantity: Money;
  averagePrice: Money;
  price: Money | null;
  stop: Money | null;
  protectedQty: Money;
}

/** Of stops at several prices the lowest counts: no less is at risk than is shown. */
function riskOf({ quantity, averagePrice, price, stop, protectedQty }: AtStop): Pick<View, "atRisk" | "pnlAtStop"> {
  if (stop === null) return { atRisk: null, pnlAtStop: null };
  const covered = least(quantity, protectedQty);
  return {
    atRisk: price === null ? null : greatest(ZERO, price.minus(stop)).times(covered).toDecimalPlaces(9),
    pnlAtStop: protectedQty.lt(quantity) ? null : stop.minus(averagePrice).times(quantity).toDecimalPlaces(9),
  };
}
