import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { passes } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { TradePanel } from "./trade-panel.tsx";
import { TradeScreen } from "./trade-screen.tsx";

type Trade = Answer<typeof tradesApi.read>;

const ID = "0192f0c1-0000-7000-8000-000000000001";
const AT = "2026-11-20T15:00:00.000Z";
const PENDING: Trade = {
  id: ID,
  symbol: "HD",
  side: "SELL",
  status: "PENDING",
  quantity: 29,
  filledQuantity: 0,
  averagePrice: null,
  totalValue: 0,
  reason: "Protective stop",
  createdAt: AT,
  account: {
    id: ID,
    name: "Main",
    environment: "PAPER",
    environmentLabel: "PAPER",
    user: { firstName: "Tessa", lastName: "Example", email: "tessa@tradewind.test" },
  },
  isOwn: true,
  order: {
    origin: "OURS",
    role: "STOP",
    orderClass: "simple",
    type: "stop",
    timeInForce: "gtc",
    notional: null,
    limitPrice: null,
    stopPrice: 190,
    brokerOrderId: "b",
    clientOrderId: "c",
    brokerStatus: "new",
    submittedAt: AT,
    filledAt: null,
    endedAt: null,
    fees: 0,
  },
  intent: null,
  decision: null,
  rotationPlanId: null,
  verdicts: [],
  timeline: [],
  fills: [],
  slippage: null,
  slippageReason: null,
  trip: null,
  lots: [],
  realizedPnl: 0,
  parent: null,
  legs: [],
};
const FILLED: Trade = { ...PENDING, status: "FILLED", filledQuantity: 29, averagePrice: 190, totalValue: 5_510 };

const words = (text: string): Answer<typeof insightApi.trade> => ({
  isOn: true,
  explanation: {
    sentences: [{ parts: [{ text, isAmount: false }], cites: [{ label: "Trade", href: `/trade-history/${ID}` }] }],
    writer: "TRADEWIND",
    model: null,
  },
});
const isTold = (text: string) => () => page.getByText(text).elements().length > 0;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(tradesApi.read, PENDING);
  answer(insightApi.trade, words("It has not filled yet."));
});

test.each([
  ["page", <TradeScreen key="page" id={ID} />],
  ["panel beside the list", <TradePanel key="panel" id={ID} isAdmin={false} onClose={() => {}} />],
])("on its %s a pending trade is followed to its fill, and so are its words", async (_, screen) => {
  showPage(`/trade-history/${ID}`, TRADER, screen);
  await expect.element(page.getByText("It has not filled yet.")).toBeVisible();
  answer(tradesApi.read, FILLED);
  answer(insightApi.trade, words("Sold 29 shares of HD."));
  await passes(isTold("Sold 29 shares of HD."));
  await expect.element(page.getByText("Filled", { exact: true }).first()).toBeVisible();
  await expect.element(page.getByText("It has not filled yet.")).not.toBeInTheDocument();
});

test("the words of a bought trade follow its stop when it is raised", async () => {
  const bought: Trade = { ...FILLED, side: "BUY", reason: "Momentum" };
  const stop = (stopPrice: number, isRaised: boolean): Trade["legs"][number] => ({
    id: `0192f0c1-0000-7000-8000-000000000${stopPrice}`,
    role: "STOP",
    type: "stop",
    side: "SELL",
    status: "PENDING",
    brokerStatus: "new",
    quantity: 29,
    filledQuantity: 0,
    averagePrice: null,
    limitPrice: null,
    stopPrice,
    isRaised,
    submittedAt: AT,
  });
  answer(tradesApi.read, { ...bought, legs: [stop(180, false)] });
  answer(insightApi.trade, words("Bought 29 shares of HD."));
  showPage(`/trade-history/${ID}`, TRADER, <TradeScreen id={ID} />);
  await expect.element(page.getByText("Bought 29 shares of HD.")).toBeVisible();
  for (const raised of [185, 187]) {
    answer(tradesApi.read, { ...bought, legs: [stop(180, false), stop(raised, true)] });
    answer(insightApi.trade, words(`Its stop was raised to $${raised}.00.`));
    await passes(isTold(`Its stop was raised to $${raised}.00.`));
  }
});

test("the words of a trade are asked for once while nothing of it changes", async () => {
  const asked = answer(insightApi.trade, words("It has not filled yet."));
  const read = answer(tradesApi.read, PENDING);
  showPage(`/trade-history/${ID}`, TRADER, <TradeScreen id={ID} />);
  await passes(() => read.length > 2);
  expect(asked).toHaveLength(1);
});
