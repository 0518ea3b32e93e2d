import { cents, greatest, least, type Money, money } from "./money.ts";
import type { Policy } from "./policy.ts";
import type { SessionDate } from "./time.ts";

/**
 * SEC section 31 fee by first day of validity: USD per million USD sold. Rows read against the SEC's fee rate advisories or
 * FINRA's information notices on them name the source; "not checked" rows are as brokers' tables give them.
 */
const SEC_RATES: readonly { from: SessionDate; perMillion: string }[] = [
  { from: "0000-00-00", perMillion: "23.4" }, // of April 2004; earlier dates are not covered
  { from: "2005-01-07", perMillion: "32.9" }, // not checked against the advisory (FY 2005 annual)
  { from: "2005-04-01", perMillion: "41.8" }, // not checked against the advisory (FY 2005 no. 7)
  { from: "2005-12-22", perMillion: "30.7" }, // not checked against the advisory (FY 2006 annual)
  { from: "2007-03-17", perMillion: "15.3" }, // rate: SEC 2007-89; first day not checked
  { from: "2008-01-25", perMillion: "11" }, // rate: SEC 2007-89 (30 days after the appropriation); first day not checked
  { from: "2008-04-01", perMillion: "5.6" }, // FINRA information notice of 10 March 2008
  { from: "2009-04-10", perMillion: "25.7" }, // rate: SEC 2009-100; first day not checked
  { from: "2010-01-15", perMillion: "12.7" }, // SEC 2009-270
  { from: "2010-04-01", perMillion: "16.9" }, // FINRA information notice of 10 March 2010
  { from: "2011-01-21", perMillion: "19.2" }, // SEC 2010-255
  { from: "2012-02-21", perMillion: "18" }, // not checked against the advisory (FY 2012 no. 3)
  { from: "2012-04-01", perMillion: "22.4" }, // rate: SEC 2012-232; first day not checked
  { from: "2013-05-25", perMillion: "17.4" }, // rate: FINRA information notice of 3 March 2014; first day not checked
  { from: "2014-03-18", perMillion: "22.1" }, // FINRA information notice of 3 March 2014
  { from: "2015-02-14", perMillion: "18.4" }, // not checked against the advisory (FY 2015 no. 3)
  { from: "2016-02-16", perMillion: "21.8" }, // rate: FINRA information notice of 15 March 2016; first day not checked
  { from: "2017-07-04", perMillion: "23.1" }, // SEC fee rate advisory of June 2017
  { from: "2018-05-22", perMillion: "13" }, // FINRA information notice of 7 May 2018
  { from: "2019-04-16", perMillion: "20.7" }, // rate: FINRA information notice of 3 February 2020; first day not checked
  { from: "2020-02-18", perMillion: "22.1" }, // FINRA information notice of 3 February 2020
  { from: "2021-02-25", perMillion: "5.1" }, // SEC fee rate advisory of 15 January 2021
  { from: "2022-05-14", perMillion: "22.9" }, // not checked against the advisory (FY 2022)
  { from: "2023-02-27", perMillion: "8" }, // not checked against the advisory (FY 2023)
  { from: "2024-05-22", perMillion: "27.8" }, // rate: FINRA information notice of 24 April 2025; order 34-99973
  { from: "2025-05-14", perMillion: "0" }, // FINRA information notice of 24 April 2025
  { from: "2026-04-04", perMillion: "20.6" }, // SEC fee rate advisory of 27 February 2026 (order 34-104909)
];

/** FINRA trading activity fee by first day of validity: USD per share sold, and the most of one trade. */
const ACTIVITY_FEES: readonly { from: SessionDate; perShare: string; most: string }[] = [
  { from: "0000-00-00", perShare: "0.000075", most: "3.75" }, // in force for over six years in June 2011: FINRA 11-27
  { from: "2011-07-01", perShare: "0.00009", most: "4.5" }, // FINRA 11-27
  { from: "2012-03-01", perShare: "0.000095", most: "4.75" }, // FINRA 12-06
  { from: "2012-07-01", perShare: "0.000119", most: "5.95" }, // rate: FINRA's rule flow for equities; first day not checked
  { from: "2022-01-01", perShare: "0.00013", most: "6.49" }, // not checked against FINRA
  { from: "2023-01-01", perShare: "0.000145", most: "7.27" }, // not checked against FINRA
  { from: "2024-01-01", perShare: "0.000166", most: "8.3" }, // in force in 2025: SR-FINRA-2024-019; first day not checked
  { from: "2026-01-01", perShare: "0.000195", most: "9.79" }, // SR-FINRA-2024-019
];

const CENT = money("0.01");

/** The last row that is valid on a date; rows ascend. */
function validOn<T extends { from: SessionDate }>(rows: readonly T[], date: SessionDate): T {
  for (let i = rows.length - 1; i > 0; i--) if (rows[i]!.from <= date) return rows[i]!;
  return rows[0]!;
}

/** Fees of one sell, USD, to the cent: each fee is rounded up, as brokers pass it on. Buys are free of them. */
export function sellFees(notional: Money, qty: Money, date: SessionDate): Money {
  const { perMillion } = validOn(SEC_RATES, date);
  const { perShare, most } = validOn(ACTIVITY_FEES, date);
  const up = (fee: Money) => (fee.isZero() ? fee : greatest(CENT, cents(fee.plus("0.004999999999"))));
  return up(notional.times(perMillion).div(1_000_000)).plus(up(least(qty.times(perShare), money(most))));
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
  return 2 * oneWayCostBps(input, policy) + Number(validOn(SEC_RATES, date).perMillion) / 100;
}
