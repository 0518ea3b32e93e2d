import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { passes, textsOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { DecisionScreen } from "./decision-screen.tsx";

type Decision = Answer<typeof decisionsApi.read>;
type Ordered = Decision["ordered"][number];

const ID = "0192f0c1-0000-7000-8000-000000000001";
const orderOf = (symbol: string, status: Ordered["status"], tradeId: string | null = null): Ordered => ({
  leg: symbol.charCodeAt(0),
  purpose: "ENTRY",
  symbol,
  side: "BUY",
  quantity: 10,
  decisionPrice: 100,
  reason: "Momentum",
  status,
  tradeId,
});
const decisionOf = (ordered: Ordered[]): Decision => ({
  id: ID,
  cycleId: ID,
  account: {
    id: ID,
    name: "Main",
    environmentLabel: "LIVE",
    equity: 1_000,
    cash: 1_000,
    buyingPower: 1_000,
    positions: 0,
    strategy: "MOMENTUM",
    automationOff: null,
    killState: "NONE",
    haltReason: null,
  },
  decidedAt: "2026-11-20T15:00:00.000Z",
  line: "10:00: 495 screened",
  screened: 495,
  seated: 50,
  signals: 1,
  entries: 1,
  bought: 0,
  orders: ordered.length,
  reasons: [],
  engineVersion: "1",
  policyVersion: "1",
  inputHash: "a",
  outputHash: "b",
  market: "US",
  sessionDate: "2026-11-20",
  regime: { label: "neutral", vix: 20, votes: 0 },
  eligible: 400,
  candidates: [],
  closest: [],
  groups: [],
  ordered,
});
const show = () => {
  answer(insightApi.decision, { isOn: false, explanation: null });
  showPage(`/decisions/${ID}`, TRADER, <DecisionScreen id={ID} />);
};
const ends = () => textsOf("main li > span:last-child > :last-child");

test("an order that may be at the broker is never told to be not sent", async () => {
  answer(
    decisionsApi.read,
    decisionOf([
      orderOf("A", "SUBMITTING"),
      orderOf("B", "UNKNOWN"),
      orderOf("C", "PARKED"),
      orderOf("D", "PLANNED"),
      orderOf("E", "GATED"),
      orderOf("F", "DENIED"),
      orderOf("G", "HALTED"),
      orderOf("H", null),
      orderOf("I", "FILLED", ID),
      orderOf("J", "REJECTED"),
    ]),
  );
  show();
  await ends().toEqual([
    "being sent",
    "outcome not known yet",
    "waits for a person",
    "not sent",
    "not sent",
    "not sent",
    "not sent",
    "not sent",
    "Open the trade",
    "rejected by the broker",
  ]);
});

test("what becomes of an order whose outcome is not known is followed", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(decisionsApi.read, decisionOf([orderOf("A", "UNKNOWN")]));
  show();
  await expect.element(page.getByText("outcome not known yet")).toBeVisible();
  answer(decisionsApi.read, decisionOf([orderOf("A", "FILLED", ID)]));
  await passes(() => page.getByText("Open the trade").elements().length > 0);
  await expect.element(page.getByText("outcome not known yet")).not.toBeInTheDocument();
});

const words = (text: string) => ({
  isOn: true,
  explanation: {
    sentences: [{ parts: [{ text, isAmount: false }], cites: [{ label: "Decision", href: `/decisions/${ID}` }] }],
    writer: "TRADEWIND" as const,
    model: null,
  },
});

test("the words follow what becomes of the orders", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer(decisionsApi.read, decisionOf([orderOf("A", "UNKNOWN")]));
  show();
  answer(insightApi.decision, words("Its outcome is not known yet."));
  await expect.element(page.getByText("Its outcome is not known yet.")).toBeVisible();
  answer(decisionsApi.read, decisionOf([orderOf("A", "FILLED", ID)]));
  answer(insightApi.decision, words("It bought 10 A."));
  await passes(() => page.getByText("It bought 10 A.").elements().length > 0);
  await expect.element(page.getByText("Its outcome is not known yet.")).not.toBeInTheDocument();
});
