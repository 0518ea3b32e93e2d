import { greatest, money, type Money, sum, text, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { dayReturn, regimeOf, type RegimeMemory } from "../screening/regime.ts";
import type { AccountState, HeldPosition, MarketView, QuoteView, RegimeView } from "./plan.ts";

/** What is supposed to be different. Null and absent: as recorded. */
export interface Alteration {
  /** The VIX at the close that the regime is read from. */
  vix: number | null;
  /** Change of SPY, percent: of that close, and of every price without one of its own. */
  spyChangePct: number | null;
  /** Change of the price of a symbol, percent. */
  changePctOf: Readonly<Record<string, number>>;
}

const PRICE_PLACES = 4;

/** A price moved by a percentage, to a hundredth of a cent and never to nothing. */
function moved(price: string, changePct: number): string {
  const next = money(price).times(money(changePct).plus(100)).div(100).toDecimalPlaces(PRICE_PLACES);
  return text(greatest(next, money("0.0001")));
}

function movedQuote(quote: QuoteView, changePct: number): QuoteView {
  return {
    ...quote,
    last: moved(quote.last, changePct),
    bid: quote.bid === null ? null : moved(quote.bid, changePct),
    ask: quote.ask === null ? null : moved(quote.ask, changePct),
  };
}

/**
 * The regime as the product's machine reads it when SPY's last close had been that much lower or higher, this had been its
 * change of the day, and the VIX had been as given. An average of n closes moves by an n-th of the close's change.
 */
function alteredRegime(
  { regime, session }: MarketView,
  memory: RegimeMemory | null,
  { vix, spyChangePct }: Alteration,
  policy: Policy,
): RegimeView {
  const change = spyChangePct ?? 0;
  const close = regime.spyClose;
  const recordedReturn = dayReturn(close, memory?.view.spyClose);
  const shift = close === null ? 0 : (close * change) / 100;
  const average = (mean: number | null, closes: number) => (mean === null ? null : mean + shift / closes);
  const facts = {
    vix: vix ?? regime.vix,
    spyClose: close === null ? null : close + shift,
    spyMa20: average(regime.spyMa20, 20),
    spyMa50: average(regime.spyMa50, 50),
    spyMa200: average(regime.spyMa200, 200),
    spyDayReturn: change === 0 ? recordedReturn : change / 100,
  };
  return regimeOf(facts, memory, session.date, policy).view;
}

const isReadingAltered = ({ regime }: MarketView, { vix, spyChangePct }: Alteration) =>
  (vix !== null && vix !== regime.vix) || (spyChangePct ?? 0) !== 0;

const changeOf = ({ changePctOf, spyChangePct }: Alteration, symbol: string): number =>
  changePctOf[symbol] ?? spyChangePct ?? 0;

/**
 * The market with what is supposed put into it; `memory` is the regime's machine as it stood before the session, null where
 * no earlier reading is stored. Where nothing is different it is the very same value.
 */
export function alterMarket(
  market: MarketView,
  memory: RegimeMemory | null,
  alteration: Alteration,
  policy: Policy,
): MarketView {
  const hasRegime = isReadingAltered(market, alteration);
  const moves = Object.values(market.symbols).filter(
    ({ symbol, quote }) => quote !== null && changeOf(alteration, symbol) !== 0,
  );
  if (!hasRegime && moves.length === 0) return market;
  const symbols = { ...market.symbols };
  for (const view of moves)
    symbols[view.symbol] = { ...view, quote: view.quote && movedQuote(view.quote, changeOf(alteration, view.symbol)) };
  return { ...market, symbols, regime: hasRegime ? alteredRegime(market, memory, alteration, policy) : market.regime };
}

const lastOf = (market: MarketView, symbol: string): Money | null => {
  const last = market.symbols[symbol]?.quote?.last;
  return last === undefined ? null : money(last);
};

/**
 * The account on the altered market: its equity moves with what it holds. Buying power falls by what the equity loses, and is
 * never raised: how much more a broker would lend is not known. Orders, stops and cash stay as recorded.
 */
export function alterAccount(state: AccountState, recorded: MarketView, altered: MarketView): AccountState {
  if (recorded === altered) return state;
  const change = sum(
    state.positions.map(({ symbol, qty }) => {
      const [was, is] = [lastOf(recorded, symbol), lastOf(altered, symbol)];
      return was === null || is === null ? ZERO : money(qty).times(is.minus(was));
    }),
  ).toDecimalPlaces(2);
  if (change.isZero()) return state;
  const equity = money(state.equity).plus(change);
  return {
    ...state,
    equity: text(equity),
    highWaterMark: text(greatest(money(state.highWaterMark), equity)),
    buyingPower: change.lt(0) ? text(greatest(ZERO, money(state.buyingPower).plus(change))) : state.buyingPower,
  };
}

/** Positions whose stop price the altered price reaches: such a stop rests at the broker and would fill there first. */
export function stopsReached(state: AccountState, recorded: MarketView, altered: MarketView): HeldPosition[] {
  return state.positions.filter(({ symbol, stopPrice }) => {
    const [was, is] = [lastOf(recorded, symbol), lastOf(altered, symbol)];
    return stopPrice !== null && was !== null && is !== null && was.gt(stopPrice) && is.lte(stopPrice);
  });
}
