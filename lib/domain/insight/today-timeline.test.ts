import { expect, it } from "vitest";
import { GATE_CODES } from "../gates/gates.ts";
import { dayTimeline, type TimelineFacts } from "./today-timeline.ts";
import { waitingText } from "./today-text.ts";

const at = (clock: string) => `2018-02-06T${clock}:00.000Z`;
const look = (id: string, clock: string, tail: string, account: string | null = null) => ({
  id,
  at: at(clock),
  line: `10:00: 495 screened, 50 seated, 27 signals, ${tail}`,
  account,
  accountId: account ?? "only",
});
const NONE: TimelineFacts = { looks: [], trades: [], trips: [], raises: [], rejected: [] };
const read = (facts: Partial<TimelineFacts>) =>
  dayTimeline({ ...NONE, ...facts }).map(({ kind, at: from, until, parts, href }) => [
    from.slice(11, 16) + (until === null ? "" : `-${until.slice(11, 16)}`),
    kind,
    parts.map(({ text }) => text).join(""),
    href,
  ]);

const HD = {
  tradeId: "t1",
  symbol: "HD",
  side: "BUY" as const,
  quantity: "29",
  price: "199.78",
  reason: "Momentum entry",
  isOurs: true,
};

it("tells the day in order of time, each line with its page, and looks that say the same as one", () => {
  const nothing = "0 orders: 17 max positions, 10 already held or in flight";
  expect(
    read({
      looks: [
        look("d1", "14:35", "1 order: 20 conviction"),
        look("d2", "14:40", nothing),
        look("d3", "14:45", "0 orders: 16 max positions, 10 already held or in flight"),
        look("d4", "14:50", nothing),
        look("d5", "17:00", nothing),
        look("d6", "17:05", "0 orders: 26 regime, 1 earnings"),
      ],
      trades: [
        { ...HD, at: at("14:36") },
        {
          ...HD,
          tradeId: "t2",
          symbol: "MCD",
          side: "SELL",
          quantity: "18.5",
          price: "160",
          at: at("16:59"),
          reason: null,
        },
      ],
      trips: [{ symbol: "MCD", pnl: "-29.24", outcome: "LOSS", exitReason: "Protective stop", tradeId: "t2" }],
      raises: [{ symbol: "BA", stopPrice: "332.55", at: at("14:35") }],
      rejected: [{ symbol: "NVDA", tradeId: null, at: at("18:00") }],
    }),
  ).toEqual([
    ["14:35", "LOOKED", "Looked at 495 stocks: 1 order decided", "/decisions/d1"],
    ["14:35", "STOP_RAISED", "Stop of BA raised to $332.55", "/trade-history?symbol=BA"],
    ["14:36", "BOUGHT", "Bought 29 HD at $199.78", "/trade-history/t1"],
    ["14:40-14:50", "LOOKED", "3 looks, nothing new: nothing to buy, 17 stocks wait for a free place", "/decisions/d4"],
    ["16:59", "SOLD", "Sold 18.5 MCD at $160.00 (protective stop), -$29.24", "/trade-history/t2"],
    ["17:00", "LOOKED", "Looked at 495 stocks: nothing to buy, 17 stocks wait for a free place", "/decisions/d5"],
    ["17:05", "LOOKED", "Looked at 495 stocks: nothing to buy, 26 stocks wait for a calmer market", "/decisions/d6"],
    ["18:00", "REFUSED", "The broker rejected the order in NVDA", "/logs"],
  ]);
});

it("keeps the runs of two accounts apart, and names them", () => {
  const quiet = "0 orders: 26 regime";
  const looks = ["14:35", "14:40"].flatMap((clock, i) => [
    look(`a${i}`, clock, quiet, "Main"),
    look(`b${i}`, clock, quiet, "Second"),
  ]);
  expect(read({ looks }).map(([when, , text]) => [when, text])).toEqual([
    ["14:35-14:40", "2 looks, nothing new (Main): nothing to buy, 26 stocks wait for a calmer market"],
    ["14:35-14:40", "2 looks, nothing new (Second): nothing to buy, 26 stocks wait for a calmer market"],
  ]);
});

it("keeps the runs of two accounts of one title apart", () => {
  const quiet = "0 orders: 26 regime";
  const looks = ["14:35", "14:40"].flatMap((clock, i) =>
    ["one", "two"].map((accountId) => ({ ...look(`${accountId}${i}`, clock, quiet, "Alpaca account"), accountId })),
  );
  expect(read({ looks }).map(([when, , , href]) => [when, href])).toEqual([
    ["14:35-14:40", "/decisions/one1"],
    ["14:35-14:40", "/decisions/two1"],
  ]);
});

it("says of a look whose line it cannot read that it was, and no more", () => {
  expect(
    read({ looks: [{ accountId: "only", id: "d1", at: at("14:35"), line: "something else", account: null }] }),
  ).toEqual([["14:35", "LOOKED", "Looked", "/decisions/d1"]]);
});

it.each(GATE_CODES)("what stocks wait for behind the rule %s has words of its own", (code) => {
  expect(waitingText(code, 1)).toMatch(/^1 stock \S/);
  expect(waitingText(code, 3)).toMatch(/^3 stocks \S/);
  expect(waitingText(code, 3)).not.toContain("“");
});
