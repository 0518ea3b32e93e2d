import { todayAnswer } from "@/lib/domain/insight/today.ts";
import type { Part, Sentence } from "@/lib/domain/insight/sentence-parts.ts";
import { NOTHING_LEFT, type TodayFacts, type TodayPosition } from "@/lib/domain/insight/today-facts.ts";
import { POLICY_2_9_0 as policy } from "@/lib/domain/policy.ts";
import { type RegimeMemory, regimeOf } from "@/lib/domain/screening/regime.ts";

/** A day of the dashboard in which all is in order, for tests: each changes the one thing that it is about. */

export const TODAY_SESSION = "2018-02-06";
export const regime = (facts: Partial<Parameters<typeof regimeOf>[0]>): RegimeMemory =>
  regimeOf(
    { vix: 12.5, spyClose: 280, spyMa20: 270, spyMa50: 266, spyMa200: 250, spyDayReturn: 0.001, ...facts },
    null,
    TODAY_SESSION,
    policy,
  ).memory;

export const HELD: TodayPosition = {
  symbol: "MCD",
  value: "3000",
  pnl: "12.5",
  pnlPercent: 0.4,
  isCovered: true,
  toStop: "36",
  stopPrice: "160.11",
  stopDistancePercent: -1.2,
};
export const FULL = Array.from({ length: 10 }, (_, i) => ({ ...HELD, symbol: `S${i}`, stopDistancePercent: -2 - i }));
const line = (tail: string, orders = 0) => `12:20: 495 screened, 50 seated, 27 signals, ${orders} orders${tail}`;
export const look = (tail: string, orders = 0) => ({
  id: "d1",
  at: "2018-02-06T17:20:00.000Z",
  line: line(tail, orders),
});
export const HD = {
  tradeId: "t1",
  symbol: "HD",
  side: "BUY" as const,
  quantity: "29",
  price: "199.78",
  at: "2018-02-06T15:00:00.000Z",
  reason: "Momentum entry",
  isOurs: true,
};
export const MCD = {
  ...HD,
  tradeId: "t2",
  symbol: "MCD",
  side: "SELL" as const,
  quantity: "18",
  reason: "Protective stop",
};

/** A session in which it looked and bought nothing. */
export const LOOKED: TodayFacts = {
  environment: "PAPER",
  accounts: 1,
  market: {
    now: "2018-02-06T17:21:00.000Z",
    isOpen: true,
    opensAt: "2018-02-07T14:30:00.000Z",
    closesAt: "2018-02-06T21:00:00.000Z",
  },
  session: TODAY_SESSION,
  hasDecided: true,
  isWorkerBeating: true,
  silentAccounts: 0,
  unreadAccounts: 0,
  preferences: { strategy: "MOMENTUM", riskLevel: "MEDIUM", maxPositions: 10, checkInterval: 5 },
  policy,
  holds: [],
  haltAdvice: null,
  needsKeys: false,
  unknownOrders: 0,
  parkedOrders: 0,
  result: { accounts: 1, equity: "99668.8", pnl: "-331.2", pnlPercent: -0.3312, flows: "0", isSinceStart: false },
  spyPercent: -0.51,
  weekPnl: "-120",
  trades: [],
  rejected: [],
  trips: [],
  waiting: [],
  look: look(": 20 conviction, 4 earnings, 3 already held or in flight"),
  regime: regime({}),
  isCalendarMissing: false,
  restsUntil: null,
  positions: [HELD],
  left: NOTHING_LEFT,
};
/** A market that is falling or nervous, by the VIX. */
export const FEAR = regime({ vix: 37.32, spyClose: 265, spyDayReturn: -0.042 });

const plain = (parts: readonly Part[]) => parts.map(({ text }) => text).join("");
const told = ({ parts }: Sentence) => plain(parts);
/** The answer in plain words, of the session with one change. */
export function answer(change: Partial<TodayFacts>) {
  const { situation, headline, did, next, health, action } = todayAnswer({ ...LOOKED, ...change });
  return {
    situation,
    headline: plain(headline),
    did: told(did),
    next: told(next),
    health: told(health.sentence),
    isWrong: health.isWrong,
    action,
  };
}
