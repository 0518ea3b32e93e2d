import { accountsApi } from "../../contracts/accounts.ts";
import { automationApi } from "../../contracts/automation.ts";
import type { Answer } from "../../contracts/endpoint.ts";
import { insightApi } from "../../contracts/insight.ts";
import { performanceApi } from "../../contracts/performance.ts";
import { portfolioApi } from "../../contracts/portfolio.ts";
import { tradesApi } from "../../contracts/trades.ts";
import { PRACTICE_ACCOUNT } from "./account-answers.ts";
import { answer } from "./answers.ts";
import { MARKET } from "./market-answers.ts";
import { NO_TRADES } from "./trade-answers.ts";

type Figures = Answer<typeof portfolioApi.summary>;

/** Answers of the calls behind the dashboard, as the server gives them; tests change what they are about. */
const PRACTICE: Pick<Figures, "environment" | "environments"> = { environment: "PRACTICE", environments: ["PRACTICE"] };
export const FIGURES: Figures = {
  totalValue: 12_345.67,
  totalPnL: 345.67,
  totalPnLPercent: 2.88,
  pnlDay: -12.3,
  pnlWeek: 45.06,
  pnlMonth: 0,
  pnlTotal: 345.67,
  pnlSinceAdded: 345.67,
  cash: 1000,
  buyingPower: 2000.5,
  dayTradeCount: 0,
  positions: [],
  ...PRACTICE,
  accounts: [{ id: PRACTICE_ACCOUNT.id, name: "Main", isInSums: true, isInDay: true, isInWeek: true, isInMonth: true }],
  asOf: "2020-03-03T15:42:05.000Z",
};
export const NOTHING: Figures = {
  ...FIGURES,
  totalValue: 0,
  environment: null,
  environments: [],
  accounts: [],
  asOf: null,
};
const LATEST = {
  id: "01a1fd51-6118-7138-bd04-4e7212d6a037",
  decidedAt: "2020-03-03T15:40:00.000Z",
  ...{ screened: 502, seated: 50, signals: 7, entries: 0, bought: 0, orders: 0 },
  reasons: ["7 stocks wait for a calmer market"],
};
export const BEAT: Answer<typeof automationApi.heartbeat> & { lastDecision: typeof LATEST } = {
  ...PRACTICE,
  orderStatusUpdate: { status: "RUNNING", lastRunAt: null },
  marketScreening: {
    status: "RUNNING",
    lastRunAt: "2020-03-03T15:40:00.000Z",
    nextRunAt: "2020-03-03T15:45:00.000Z",
  },
  isInitialized: true,
  pausedReason: null,
  limitation: null,
  lastDecision: LATEST,
  hasDecided: true,
  hasChosenStrategy: true,
  coalesced: 0,
};
export const POSITION: Figures["positions"][number] = {
  symbol: "AAPL",
  quantity: 12.5,
  averagePrice: 133.42,
  currentPrice: 140,
  marketValue: 1750,
  unrealizedPnL: 82.25,
  unrealizedPnLPercent: 4.93,
  stopPrice: 126,
  targetPrice: 147,
  stopDistancePercent: -10,
  targetDistancePercent: 5,
  strategy: "MOMENTUM",
  openedAt: "2020-02-20T15:00:00.000Z",
  accountId: PRACTICE_ACCOUNT.id,
  environmentLabel: "PRACTICE",
};

const said = (text: string, href: string) => ({
  parts: [{ text, isAmount: false }],
  cites: [{ label: "Decision of 10:40 ET", href }],
});
/** The answer on top: a market that holds back. */
export const TODAY: Answer<typeof insightApi.today> = {
  ...PRACTICE,
  session: "2020-03-03",
  asOf: "2020-03-03T15:42:05.000Z",
  headline: [
    { text: "-$12.30", isAmount: true },
    { text: " today (-0.10%), SPY -0.51%", isAmount: false },
  ],
  sentences: [
    said("Nothing bought or sold: the market is falling or nervous, so Tradewind holds back.", "/decisions/x"),
    said("It buys again when the VIX closes below 25 (last 37.3).", "/decisions/x"),
  ],
  health: { isWrong: false, sentence: said("Nothing is wrong: nothing is held.", "/dashboard#active-positions") },
  action: "PAUSE",
  hasInsight: true,
  timeline: [
    {
      kind: "LOOKED",
      at: "2020-03-03T15:40:00.000Z",
      until: null,
      parts: [{ text: "Looked at 502 stocks: nothing to buy", isAmount: false }],
      href: "/decisions/x",
    },
  ],
};

/** The market at the time of the figures. */
export const OPEN: Answer<typeof automationApi.market> = {
  ...MARKET,
  now: "2020-03-03T15:42:05.000Z",
  nextClose: "2020-03-03T21:00:00.000Z",
};

/** Everything that a trader's dashboard asks for. */
export function answerDashboard(): void {
  answer(automationApi.market, OPEN);
  answer(portfolioApi.summary, FIGURES);
  answer(portfolioApi.positions, []);
  answer(portfolioApi.positionLines, { ...PRACTICE, lines: [] });
  answer(portfolioApi.equity, { ...PRACTICE, points: [], benchmark: [] });
  answer(performanceApi.markers, { ...PRACTICE, markers: [] });
  answer(accountsApi.list, [PRACTICE_ACCOUNT]);
  answer(automationApi.heartbeat, BEAT);
  answer(insightApi.today, TODAY);
  answer(tradesApi.list, NO_TRADES);
}
