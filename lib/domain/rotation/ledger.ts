import { sellFees } from "../costs.ts";
import type { AccountState, MarketView } from "../engine/plan.ts";
import { greatest, least, type Money, money, sum, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { sectorOf } from "../risk/book.ts";
import { grossCap } from "../risk/limits.ts";
import type { AccountNames } from "./names.ts";
import type { RotationTrade, RotationUnit } from "./units.ts";

/** An account's book while legs are added. Values stand at decision prices, cash at the worst prices the guards allow. */
export interface Ledger {
  cash: Money;
  /** At decision prices, for the eye. */
  cashAtDecision: Money;
  values: ReadonlyMap<string, Money>;
  traded: Money;
}

/** Lines of one account in USD. */
export interface Lines {
  cash: Money;
  name: Money;
  sector: Money;
  gross: Money;
  positions: number;
  /** Half the value traded. */
  turnover: Money;
}

export function openLedger(state: AccountState, names: AccountNames): Ledger {
  const values = new Map(names.untouched);
  for (const { symbol, value } of [...names.kept, ...names.forced.map(({ name }) => name)]) values.set(symbol, value);
  // Cash is stated with what open orders may cost, buying power without.
  const { inFlight, unreserved } = names.book;
  const cash = least(money(state.cash).minus(inFlight), money(state.buyingPower).minus(unreserved));
  return { cash, cashAtDecision: money(state.cash), values, traded: ZERO };
}

export function linesOf(state: AccountState, market: MarketView, turnoverCapPct: number, policy: Policy): Lines {
  const equity = money(state.equity);
  const { cash_buffer, max_name_fraction, max_sector_fraction } = policy.portfolio_limits;
  return {
    cash: equity.times(cash_buffer),
    name: equity.times(max_name_fraction),
    sector: equity.times(max_sector_fraction),
    gross: equity.times(Math.min(grossCap(market.regime.label, policy), 1 - cash_buffer)),
    positions: state.preferences.maxPositions,
    turnover: equity.times(turnoverCapPct).div(100),
  };
}

/** Value by sector; a name whose sector is unknown counts in every one, and alone under "". */
export function sectorValues(values: ReadonlyMap<string, Money>, market: MarketView): Map<string, Money> {
  const sectors = new Map<string, Money>();
  for (const [symbol, value] of values) {
    const sector = sectorOf(symbol, market) ?? "";
    sectors.set(sector, (sectors.get(sector) ?? ZERO).plus(value));
  }
  const unknown = sectors.get("") ?? ZERO;
  for (const [sector, value] of sectors) if (sector !== "") sectors.set(sector, value.plus(unknown));
  return sectors;
}

export function after(ledger: Ledger, trade: RotationTrade, market: MarketView): Ledger {
  const { symbol } = trade.name;
  const values = new Map(ledger.values);
  const isBuy = trade.side === "BUY";
  const before = values.get(symbol) ?? ZERO;
  const value = isBuy ? before.plus(trade.notional) : before.minus(trade.notional);
  if (value.lte(0)) values.delete(symbol);
  else values.set(symbol, value);
  const proceeds = (price: Money) => {
    const notional = trade.qty.times(price);
    return isBuy ? notional.negated() : notional.minus(sellFees(notional, trade.qty, market.session.date));
  };
  return {
    cash: ledger.cash.plus(proceeds(isBuy ? trade.guardHigh : trade.guardLow)),
    cashAtDecision: ledger.cashAtDecision.plus(proceeds(trade.name.price)),
    values,
    traded: ledger.traded.plus(trade.notional),
  };
}

/** Which line the unit would break or break further; null when it breaks none. */
export function brokenBy(
  unit: RotationUnit,
  before: Ledger,
  next: Ledger,
  lines: Lines,
  state: AccountState,
  market: MarketView,
): string | null {
  if (next.traded.div(2).gt(lines.turnover)) return "turnover cap";
  const buys = unit.trades.filter(({ side }) => side === "BUY");
  if (buys.length === 0) return null;
  if (next.cash.lt(lines.cash)) return "cash buffer";
  const gross = sum(next.values.values());
  if (gross.gt(greatest(lines.gross, sum(before.values.values())))) return "gross exposure";
  if (next.values.size > Math.max(lines.positions, before.values.size)) return "max positions";
  const [then, now] = [sectorValues(before.values, market), sectorValues(next.values, market)];
  for (const { name } of buys) {
    const value = next.values.get(name.symbol)!;
    if (value.gt(least(lines.name, money(state.preferences.maxPositionValue)))) return "position value";
    const sector = name.sector ?? "";
    if (now.get(sector)!.gt(greatest(lines.sector, then.get(sector) ?? ZERO))) return "sector";
  }
  return null;
}
