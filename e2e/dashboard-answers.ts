import type { Page } from "@playwright/test";

/** Answers of the calls behind the dashboard, as the server gives them; tests change what they are about. */
export const PRACTICE = { environment: "PRACTICE", environments: ["PRACTICE"] };
export const FIGURES = {
  totalValue: 12_345.67,
  totalPnL: 345.67,
  totalPnLPercent: 2.88,
  pnlDay: -12.3,
  pnlWeek: 45.06,
  pnlMonth: 0,
  pnlTotal: 345.67,
  cash: 1000,
  buyingPower: 2000.5,
  dayTradeCount: 0,
  positions: [],
  ...PRACTICE,
  accounts: [{ id: "01a1fd31-0000-7000-8000-000000000001", name: "Main", isInSums: true }],
  asOf: "2020-03-03T15:42:05.000Z",
};
export const NOTHING = { ...FIGURES, totalValue: 0, environment: null, environments: [], accounts: [], asOf: null };
export const ACCOUNT = {
  id: "01a1fd31-0000-7000-8000-000000000001",
  name: "Main",
  accountType: "INDIVIDUAL",
  environment: "PAPER",
  broker: "PRACTICE",
  status: "ACTIVE",
  alpacaKey: "TPAAAAAA",
  access: "KEYS",
  hasKeys: true,
  haltReason: null,
  createdAt: "2026-11-21T07:38:37.004Z",
};
export const BEAT = {
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
  lastDecision: {
    id: "01a1fd51-6118-7138-bd04-4e7212d6a037",
    decidedAt: "2020-03-03T15:40:00.000Z",
    ...{ screened: 502, seated: 50, signals: 7, entries: 0, bought: 0, orders: 0 },
    reasons: ["7 stocks wait for a calmer market"],
  },
  hasDecided: true,
  hasChosenStrategy: true,
  coalesced: 0,
};
export const POSITION = {
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
  accountId: ACCOUNT.id,
  environmentLabel: "PRACTICE",
};

const said = (text: string, href: string) => ({
  parts: [{ text, isAmount: false }],
  cites: [{ label: "Decision of 10:40 ET", href }],
});
/** The answer on top: a market that holds back. */
export const TODAY = {
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

const answers: Record<string, { status?: number; json: unknown }> = {};
const give = (page: Page, path: string) => page.route(`**/api/v1${path}`, (route) => route.fulfill(answers[path]));

/** Answers a call with these data from now on. */
export async function answer(page: Page, path: string, data: unknown): Promise<void> {
  answers[path] = { json: { success: true, data, error: null } };
  await give(page, path);
}

export async function fail(page: Page, path: string, error = ""): Promise<void> {
  answers[path] = { status: 500, json: { success: false, data: null, error, code: "internal", requestId: "x" } };
  await give(page, path);
}
