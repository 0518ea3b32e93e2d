import { cents, greatest, least, type Money, money } from "./money.ts";
import type { Policy } from "./policy.ts";
import type { SessionDate } from "./time.ts";

/** Regulatory fees on sells by first day of validity: SEC section 31 (USD per USD sold) and FINRA TAF (USD per share, capped). */
const SELL_FEES: readonly { from: SessionDate; sec: string; taf: string; tafCap: string }[] = [
  { from: "0000-00-00", sec: "0.000013", taf: "0.000119", tafCap: "5.95" },
  { from: "2019-04-16", sec: "0.0000207", taf: "0.000119", tafCap: "5.95" },
  { from: "2020-02-18", sec: "0.0000221", taf: "0.000119", tafCap: "5.95" },
  { from: "2021-02-25", sec: "0.0000051", taf: "0.000119", tafCap: "5.95" },
  { from: "2022-01-01", sec: "0.0000051", taf: "0.00013", tafCap: "6.49" },
  { from: "2022-05-14", sec: "0.0000229", taf: "0.00013", tafCap: "6.49" },
  { from: "2023-01-01", sec: "0.0000229", taf: "0.000145", tafCap: "7.27" },
  { from: "2023-02-27", sec: "0.000008", taf: "0.000145", tafCap: "7.27" },
  { from: "2024-01-01", sec: "0.000008", taf: "0.000166", tafCap: "8.30" },
  { from: "2024-05-22", sec: "0.0000278", taf: "0.000166", tafCap: "8.30" },
  { from: "2025-05-14", sec: "0", taf: "0.000166", tafCap: "8.30" },
];

const CENT = money("0.01");

function feesOn(date: SessionDate): (typeof SELL_FEES)[number] {
  let valid = SELL_FEES[0]!;
  for (const row of SELL_FEES) if (row.from <= date) valid = row;
  return valid;
}

/** Fees of one sell, USD, to the cent: each fee is rounded up, as brokers pass it on. Buys are free of them. */
export function sellFees(notional: Money, qty: Money, date: SessionDate): Money {
  const { sec, taf, tafCap } = feesOn(date);
  const up = (fee: Money) => (fee.isZero() ? fee : greatest(CENT, cents(fee.plus("0.004999999999"))));
  return up(notional.times(sec)).plus(up(least(qty.times(taf), money(tafCap))));
}

export interface CostInput {
  notional: number;
  /** Median daily dollar volume, USD. */
  adv: number;
  /** Volatility of one session, fraction. */
  sigmaDaily: number;
  /** Full quoted spread. */
  spreadBps: number;
}

/**
 * Cost of trading one way, bps: spread/2 + commission + Y·σ·10⁴·√(Q/ADV) (square-root impact law, Almgren et al. 2005).
 * Sell fees come on top: `sellFees`.
 */
export function oneWayCostBps({ notional, adv, sigmaDaily, spreadBps }: CostInput, policy: Policy): number {
  const { commission_bps, impact_coefficient } = policy.orders_execution;
  return spreadBps / 2 + commission_bps + impact_coefficient * sigmaDaily * 1e4 * Math.sqrt(notional / adv);
}

/** Buying and selling again, bps, SEC fee of the day included. */
export function roundTripCostBps(input: CostInput, policy: Policy, date: SessionDate): number {
  return 2 * oneWayCostBps(input, policy) + Number(feesOn(date).sec) * 1e4;
}
