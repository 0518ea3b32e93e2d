import { describe, expect, it } from "vitest";
import type { SideName, TripOutcome } from "../enums.ts";
import { dailyBrief } from "./daily-brief.ts";
import type { BriefFacts, PositionFacts } from "./facts.ts";
import type { Part } from "./sentence-parts.ts";

const plain = (parts: readonly Part[]) => parts.map((part) => part.text).join("");
const read = (change: Partial<BriefFacts>) => {
  const { headline, sentences } = dailyBrief({ ...QUIET, ...change });
  return { headline: plain(headline), sentences: sentences.map(({ parts }) => plain(parts)), cited: sentences };
};

const DECISION = {
  count: 19,
  id: "01a1fddb-e0a9-73a9-8c89-1f6251b9e331",
  at: "2020-02-18T17:10:00.000Z",
  line: "12:10: 502 screened, 50 seated, 30 signals, 0 orders: 19 max positions, 10 already held or in flight, 1 earnings",
};
const HELD: PositionFacts = {
  symbol: "BMY",
  value: "6090.57",
  pnl: "146.01",
  pnlPercent: 2.456,
  isCovered: true,
  toStop: "182.28",
};
/** An open session without a trade, in one account. */
const QUIET: BriefFacts = {
  environment: "PRACTICE",
  session: "2020-02-18",
  isClosed: false,
  accounts: 1,
  holds: [],
  unknownOrders: 0,
  parkedOrders: 0,
  result: {
    accounts: 1,
    equity: "102014.94",
    pnl: "169.5",
    pnlPercent: 0.1664,
    flows: "0",
    isSinceStart: false,
  },
  fills: [],
  slippageBps: null,
  rejected: [],
  working: [],
  trips: [],
  decisions: [DECISION],
  cycles: 19,
  regime: { label: "risk_on", vix: 13.68 },
  positions: [HELD],
  dayTrades: { count: 0, firstSession: "2020-02-11", lastSession: "2020-02-18" },
};
const fill = (side: SideName, symbol: string, value: string) => ({ tradeId: `t-${symbol}`, symbol, side, value });

describe("a day", () => {
  it("without a trade says what the money did, why nothing was bought and what is at risk", () => {
    const { headline, sentences, cited } = read({});
    expect(headline).toBe("+$169.50 so far, nothing bought or sold");
    expect(sentences).toEqual([
      "Your practice account is worth $102,014.94, +$169.50 (+0.17%) since the last close.",
      "Nothing has been bought or sold so far; 19 decisions were made, none of them with an order.",
      "What mostly kept Tradewind from buying was “max positions”: there has to be a free place under your Max Positions. At 12:10 ET it stopped 19 of 30 signals.",
      "The market is calm and rising; the VIX stood at 13.68 at the close before.",
      "1 position is open, worth $6,090.57, 6.0% of the equity.",
      "BMY stands at +$146.01 (+2.46%) since it was bought.",
      "It has a stop resting at the broker: filled at its price, the position would give back $182.28 (0.2% of the equity) from here; a gap would cost more.",
    ]);
    expect(cited.map(({ cites }) => cites.map(({ href }) => href))).toEqual([
      ["/performance?env=practice&from=2020-02-18&to=2020-02-18"],
      ["/trade-history?startDate=2020-02-18&endDate=2020-02-18", `/decisions/${DECISION.id}`],
      [`/decisions/${DECISION.id}`],
      [`/decisions/${DECISION.id}`],
      ["/dashboard#active-positions"],
      ["/trade-history?symbol=BMY"],
      ["/dashboard#active-positions"],
    ]);
  });

  it("of buys alone names them, and what the orders slipped", () => {
    const { headline, sentences } = read({
      fills: [fill("BUY", "AAPL", "5806.44"), fill("BUY", "JPM", "5868.66")],
      slippageBps: 3.24,
    });
    expect(headline).toBe("+$169.50 so far, 2 buys");
    expect(sentences).toContain("Bought 2 stocks for $11,675.10: AAPL and JPM.");
    expect(sentences).toContain(
      "On average Tradewind's orders filled 0.03% worse than the prices they were decided at.",
    );
    expect(sentences.join(" ")).not.toContain("Sold");
  });

  it("of a sale alone, at a loss and closed", () => {
    const { headline, sentences, cited } = read({
      isClosed: true,
      result: { accounts: 1, equity: "99000", pnl: "-1000.005", pnlPercent: -1, flows: "0", isSinceStart: false },
      fills: [fill("SELL", "KO", "4000")],
      trips: [{ symbol: "KO", pnl: "-12.3", outcome: "LOSS", exitReason: "Protective stop", tradeId: "t-KO" }],
      positions: [],
    });
    expect(headline).toBe("-$1,000.01 on the day, 1 sell");
    expect(sentences[0]).toBe(
      "Your practice account is worth $99,000.00, -$1,000.01 (-1.00%) over the session of Tue 18 Feb 2020.",
    );
    expect(sentences[1]).toBe("Sold KO for $4,000.00.");
    expect(sentences[2]).toBe("A round trip in KO closed with -$12.30 (protective stop).");
    expect(sentences).toContain("No position is open.");
    expect(cited[1]?.cites).toEqual([{ label: "KO", href: "/trade-history/t-KO" }]);
  });

  it("of many round trips counts them and names the best and the worst", () => {
    const trip = (symbol: string, pnl: string, outcome: TripOutcome) => ({
      symbol,
      pnl,
      outcome,
      exitReason: null,
      tradeId: null,
    });
    const { sentences } = read({
      trips: [
        trip("A", "-5", "LOSS"),
        trip("B", "10.5", "WIN"),
        trip("C", "0.001", "SCRATCH"),
        trip("D", "-7.25", "LOSS"),
      ],
    });
    expect(sentences).toContain(
      "4 round trips closed, 1 won, 2 lost and 1 even, together -$1.75; best B +$10.50, worst D -$7.25.",
    );
  });

  it("with money paid in does not take it for a result", () => {
    const result = { accounts: 1, equity: "105000", pnl: "0", pnlPercent: null, flows: "5000", isSinceStart: false };
    const { headline, sentences } = read({ result });
    expect(headline).toBe("No change so far, nothing bought or sold");
    expect(sentences[0]).toBe(
      "Your practice account is worth $105,000.00, unchanged since the last close, not counting $5,000.00 paid in.",
    );
  });

  it("that is an account's first", () => {
    const result = { accounts: 1, equity: "100000", pnl: "0", pnlPercent: null, flows: "100000", isSinceStart: true };
    const { sentences } = read({ result, decisions: [], cycles: 0, regime: null, positions: [] });
    expect(sentences).toEqual([
      "Your practice account is worth $100,000.00, unchanged since its first reading.",
      "Nothing has been bought or sold so far; no decision has been recorded in this session.",
      "No position is open.",
    ]);
  });
});

describe("what needs a person comes first", () => {
  it.each([
    [
      { kind: "HALTED", account: null, reason: "The book differs from the broker's by $12.30." },
      "your account is halted",
      "Your practice account is halted: nothing new is sent until you resume it. Reason: The book differs from the broker's by $12.30.",
    ],
    [
      { kind: "PAUSED", reason: null },
      "automation is paused",
      "You paused the automation: nothing is bought, exits and stops keep working.",
    ],
    [
      {
        kind: "RESTRICTED",
        account: null,
        meaning: "Positions are only reduced; open purchases are cancelled.",
        reason: "12.00% below the high-water mark",
      },
      "your account is restricted",
      "Your practice account is restricted: positions are only reduced; open purchases are cancelled. Reason: 12.00% below the high-water mark.",
    ],
    [
      { kind: "ALL_RESTRICTED", meaning: "No new positions are opened.", reason: null },
      "trading is restricted",
      "An administrator restricted all accounts: no new positions are opened.",
    ],
    [
      { kind: "ACCOUNT_PAUSED", account: null },
      "your account is paused",
      "Your practice account is paused: nothing new is bought in it.",
    ],
    [
      { kind: "QUEUE_PAUSED" },
      "automation is paused",
      "An administrator paused Tradewind's work: nothing is decided, and stops stay at the broker.",
    ],
    [
      { kind: "SWITCHED_OFF" },
      "automation is switched off",
      "Automation is switched off for everyone: nothing is bought, exits and stops keep working.",
    ],
  ] as const)("%s", (hold, expected, first) => {
    const { headline, sentences } = read({ holds: [hold] });
    expect(headline).toBe(`+$169.50 so far, ${expected}`);
    expect(sentences[0]).toBe(first);
  });

  it("one of two accounts by its name", () => {
    const { headline, sentences } = read({
      accounts: 2,
      holds: [{ kind: "HALTED", account: "Main", reason: null }],
    });
    expect(headline).toBe("+$169.50 so far, 1 account is halted");
    expect(sentences[0]).toBe("Account “Main” is halted: nothing new is sent until you resume it.");
    expect(sentences[1]).toContain("1 of your 2 practice accounts is worth $102,014.94, ");
    expect(sentences[2]).toBe(
      "1 of 2 accounts has not been read at the broker since the session began and is left out of the figures.",
    );
    expect(sentences.join(" "), "a share of an equity that is not whole").not.toContain("of the equity");
  });

  it("orders whose outcome is open", () => {
    const { sentences } = read({ unknownOrders: 1, parkedOrders: 2 });
    expect(sentences.slice(0, 2)).toEqual([
      "What became of 1 order is not known yet: the broker is being asked, and nothing is sent twice.",
      "2 orders wait for a person to decide.",
    ]);
  });

  it("positions without a stop stand in the headline, and no distance to stops is given", () => {
    const { headline, sentences } = read({ positions: [HELD, { ...HELD, symbol: "NEE", isCovered: false }] });
    expect(headline).toBe("+$169.50 so far, nothing bought or sold, 1 position not fully covered by stops");
    expect(sentences).toContain("NEE is not fully covered by a stop at the broker.");
    expect(sentences.join(" ")).not.toContain("give back");
  });
});

describe("what is not known is left out", () => {
  it("without a reading there is no result and no share of it", () => {
    const { headline, sentences } = read({ result: null });
    expect(headline).toBe("Nothing bought or sold");
    expect(sentences[0]).toBe(
      "Your practice account has not been read at its broker since the session began, so its result is not known.",
    );
    expect(sentences).toContain("1 position is open, worth $6,090.57.");
  });

  it("without a price there is no sum, without a stop's price no distance", () => {
    const unpriced = { ...HELD, symbol: "TSLA", value: null, pnl: null, pnlPercent: null, toStop: null };
    const { sentences } = read({ positions: [HELD, unpriced] });
    expect(sentences.slice(-3)).toEqual([
      "2 positions are open, worth $6,090.57, 6.0% of the equity; 1 of them has no price yet.",
      "BMY stands at +$146.01 (+2.46%) since it was bought.",
      "Both have stops resting at the broker.",
    ]);
  });

  it("a line that is none of the engine's is not read", () => {
    const { sentences } = read({ decisions: [{ ...DECISION, line: "The cycle failed." }] });
    expect(sentences[1]).toContain("no decision has been recorded in this session.");
  });
});

describe("why nothing was bought", () => {
  const at = (time: string, count: number, tail: string, orders = 0) => ({
    count,
    id: `d-${time}`,
    at: `2020-02-18T${time}:00.000Z`,
    line: `10:00: 502 screened, 50 seated, 23 signals, ${orders} orders: ${tail}`,
  });

  it("is the reason that led most decisions, not that of the last minutes", () => {
    const { sentences, cited } = read({
      decisions: [
        at("20:56", 1, "23 market hours"),
        at("20:30", 60, "12 stop guard, 9 earnings"),
        at("15:00", 2, "9 earnings", 6),
      ],
      cycles: 63,
    });
    expect(sentences[1]).toContain("63 decisions were made, 2 of them with orders.");
    expect(sentences[2]).toBe(
      "What mostly kept Tradewind from buying was “stop guard” (in 60 of 61 decisions without an order): after too many stops in a short time, nothing is bought for some sessions. At 15:30 ET it stopped 12 of 23 signals.",
    );
    expect(cited[2]?.cites).toEqual([{ label: "Decision of 15:30 ET", href: "/decisions/d-20:30" }]);
  });

  it("is not that stocks are held already, as long as anything else stopped one", () => {
    const held = "20 already held or in flight";
    const sentenceOf = (tail: string) => read({ decisions: [at("16:00", 1, tail)], cycles: 1 }).sentences[2];
    expect(sentenceOf(`${held}, 3 sector`)).toContain(
      "“sector”: one sector may not take more than its share. At 11:00 ET it stopped 3 of 23",
    );
    expect(sentenceOf(held)).toContain("“already held or in flight”");
  });

  it("is not what holds the account, which was said first", () => {
    const decisions = [at("16:00", 3, "23 automation off"), at("15:00", 1, "20 sector")];
    const { sentences } = read({ decisions, cycles: 4, holds: [{ kind: "PAUSED", reason: null }] });
    expect(sentences.join(" ")).not.toContain("automation off");
    expect(sentences[3]).toContain("“sector” (in 1 of 4 decisions without an order)");
  });

  it("is that there was no signal where that led more decisions than any gate", () => {
    const silent = (time: string, count: number) => ({
      ...at(time, count, ""),
      line: "10:00: 502 screened, 50 seated, 0 signals, 0 orders",
    });
    const why = (...decisions: BriefFacts["decisions"][number][]) => read({ decisions, cycles: 10 });
    const mostlySilent = why(at("20:00", 1, "9 earnings"), silent("16:00", 3), silent("15:00", 6));
    expect(mostlySilent.sentences[2]).toBe(
      "In 9 of 10 decisions without an order the strategy found no reason to buy; the last of them, at 11:00 ET, looked at 50 selected stocks.",
    );
    expect(mostlySilent.sentences.join(" ")).not.toContain("mostly");
    expect(mostlySilent.cited[2]?.cites).toEqual([{ label: "Decision of 11:00 ET", href: "/decisions/d-16:00" }]);
    expect(why(at("20:00", 5, "9 earnings"), silent("16:00", 5)).sentences[2]).toContain(
      "What mostly kept Tradewind from buying was “earnings” (in 5 of 10 decisions without an order)",
    );
    expect(why(silent("16:00", 10)).sentences[2]).toBe(
      "The strategy found no reason to buy in the 50 selected stocks at 11:00 ET.",
    );
  });

  it("is the whole account's where no candidate was weighed, and silence where there was no signal", () => {
    const quiet = { ...DECISION, count: 1 };
    const sentenceOf = (line: string) => read({ decisions: [{ ...quiet, line }], cycles: 1 }).sentences[2];
    expect(sentenceOf("12:10: 502 screened, 50 seated, 0 signals, 0 orders: kill switch")).toContain(
      "At 12:10 ET it stopped the whole account.",
    );
    expect(sentenceOf("12:10: 502 screened, 50 seated, 0 signals, 0 orders")).toBe(
      "The strategy found no reason to buy in the 50 selected stocks at 12:10 ET.",
    );
  });
});
