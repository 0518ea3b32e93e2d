import { describe, expect, it } from "vitest";
import { answer, FEAR, FULL, HD, HELD, look, LOOKED, MCD, regime } from "@/lib/proof/example-today.ts";
import { GATE_OF } from "../gates/gates.ts";
import { todayAnswer } from "./today.ts";
import type { TodayFacts, TodayPosition } from "./today-facts.ts";
import { toldLook } from "./today-situation.ts";

const NO_RECORD = { session: null, hasDecided: false, result: null, spyPercent: null, weekPnl: null, look: null };
const STOPS = "Nothing is wrong: the one position has its stop at the broker.";
const DAY = "-$331.20 today (-0.33%), SPY -0.51%";
const FEAR_ENDS =
  "It buys again when the VIX closes below 25 (last 37.3), or SPY closes above about $267.33 (0.9% above its last close) and the VIX below 35 (last 37.3), twice running; on Tue 13 Feb at the earliest, in 5 sessions.";

/** The twelve situations of the design: headline, what was done and why, what comes next, whether anything is wrong, what to press. */
const SITUATIONS: [string, Partial<TodayFacts>, ReturnType<typeof answer>][] = [
  [
    "no account",
    { ...NO_RECORD, environment: null, accounts: 0, positions: [], regime: null },
    {
      situation: "NO_ACCOUNT",
      headline: "No account yet",
      did: "Nothing is screened or traded for you yet: you have no trading account.",
      next: "Add the keys of your broker's account, or start on the practice market with simulated money. From then on Tradewind looks at the market for you.",
      health: "Nothing is wrong: none of your money is invested.",
      isWrong: false,
      action: "ADD_ACCOUNT",
    },
  ],
  [
    "account added, first reading and look pending",
    { ...NO_RECORD, positions: [], regime: null, unreadAccounts: 1 },
    {
      situation: "FIRST_LOOK",
      headline: "The account is connected",
      did: "Nothing was bought or sold so far: the first look at the market is still to come.",
      next: "It looks every 5 minutes until the close at 16:00 ET, for the first time within minutes.",
      health: "Nothing is wrong: what the account holds is not known before its first reading.",
      isWrong: false,
      action: "PAUSE",
    },
  ],
  [
    "bought today",
    {
      trades: [HD, MCD],
      trips: [{ symbol: "MCD", pnl: "-29.24", outcome: "LOSS", exitReason: "Protective stop", tradeId: "t2" }],
    },
    {
      situation: "BOUGHT",
      headline: DAY,
      did: "Bought 29 HD at $199.78; sold MCD (protective stop), -$29.24: what was bought passed every rule.",
      next: "It looks again every 5 minutes until the close at 16:00 ET; 9 of 10 places are free.",
      health: STOPS,
      isWrong: false,
      action: "PAUSE",
    },
  ],
  [
    "looked, nothing to buy",
    {},
    {
      situation: "NOTHING_TO_BUY",
      headline: DAY,
      did: "Nothing bought or sold: 20 stocks score below what a purchase takes, 4 stocks wait because of their earnings reports.",
      next: "It waits for a higher score. It looks again every 5 minutes until the close at 16:00 ET.",
      health: STOPS,
      isWrong: false,
      action: "PAUSE",
    },
  ],
  [
    "market calm but all places taken",
    { positions: FULL, look: look(": 17 max positions, 10 already held or in flight") },
    {
      situation: "PLACES_TAKEN",
      headline: DAY,
      did: "Nothing bought or sold: all 10 places are taken.",
      next: "It buys again when a place is free; nearest to its stop is S0, which sells at $160.11, 2.0% below its price.",
      health: "Nothing is wrong: all 10 positions have their stops at the broker.",
      isWrong: false,
      action: "PAUSE",
    },
  ],
  [
    "risk-off, holding back",
    { regime: FEAR, look: look(": 26 regime, 1 earnings") },
    {
      situation: "HOLDING_BACK",
      headline: DAY,
      did: "Nothing bought or sold: the market is falling or nervous, so Tradewind holds back; 26 stocks wait for a calmer market, 1 stock waits because of its earnings report.",
      next: FEAR_ENDS,
      health: STOPS,
      isWrong: false,
      action: "PAUSE",
    },
  ],
  [
    "after a losing week",
    {
      weekPnl: "-2115.4",
      result: { accounts: 1, equity: "97884.6", pnl: "242.62", pnlPercent: 0.2485, flows: "0", isSinceStart: false },
      spyPercent: 1.1,
      look: look(": 27 stop guard"),
      restsUntil: "2018-02-15",
    },
    {
      situation: "NOTHING_TO_BUY",
      headline: "-$2,115.40 in 7 days, +$242.62 today (+0.25%), SPY +1.10%",
      did: "Nothing bought or sold: 3 positions or more were stopped out within 10 sessions, so Tradewind rests.",
      next: "No new purchases before Thu 15 Feb.",
      health: STOPS,
      isWrong: false,
      action: "PAUSE",
    },
  ],
  [
    "paused by you",
    { holds: [{ kind: "PAUSED", reason: "holiday" }] },
    {
      situation: "PAUSED",
      headline: DAY,
      did: "You paused the automation: nothing is bought, sales and stops keep working. Reason: holiday.",
      next: "It buys again once you resume.",
      health: STOPS,
      isWrong: false,
      action: "RESUME",
    },
  ],
  [
    "halted",
    {
      holds: [{ kind: "HALTED", account: null, reason: "cash differs by $3.50" }],
      haltAdvice: "No new orders are sent. Check the reason, then resume.",
    },
    {
      situation: "HALTED",
      headline: DAY,
      did: "Your account is halted: Tradewind sends nothing new. Reason: cash differs by $3.50.",
      next: "No new orders are sent. Check the reason, then resume.",
      health: "What is held is safe: the one position has its stop at the broker.",
      isWrong: true,
      action: "RESUME_ACCOUNT",
    },
  ],
  [
    "market closed",
    { market: { ...LOOKED.market, now: "2018-02-06T22:00:00.000Z", isOpen: false } },
    {
      situation: "CLOSED",
      headline: DAY,
      did: "Nothing bought or sold: 20 stocks score below what a purchase takes, 4 stocks wait because of their earnings reports.",
      next: "The market is closed and opens on Wed 7 Feb at 09:30 ET; until then one stop rests at the broker.",
      health: STOPS,
      isWrong: false,
      action: "PAUSE",
    },
  ],
  [
    "a source missing",
    { regime: regime({ vix: null, spyClose: 265 }), look: look(": 27 regime") },
    {
      situation: "SOURCE_MISSING",
      headline: DAY,
      did: "Nothing bought or sold: the VIX is missing, so Tradewind holds back as a precaution.",
      next: "It buys again when its source gives the VIX again: without it Tradewind counts the market as falling.",
      health: "What is held is safe: the one position has its stop at the broker.",
      isWrong: true,
      action: "PAUSE",
    },
  ],
  [
    "LIVE",
    { environment: "LIVE", trades: [HD] },
    {
      situation: "BOUGHT",
      headline: "-$331.20 today with real money (-0.33%), SPY -0.51%",
      did: "Bought 29 HD at $199.78: it passed every rule.",
      next: "It looks again every 5 minutes until the close at 16:00 ET; 9 of 10 places are free.",
      health: STOPS,
      isWrong: false,
      action: "PAUSE",
    },
  ],
];

describe("the twelve situations answer without a click what was done and why, what comes next, how it stands to SPY and whether anything is wrong", () => {
  it.each(SITUATIONS)("%s", (_, change, expected) => {
    expect(answer(change)).toEqual(expected);
  });

  it("in words of the outside alone, each sentence with a record behind it", () => {
    const inside = /cycle|\bseat|\bgate|regime|signal|conviction|latch|risk.o(n|ff)|NaN|undefined|null/i;
    for (const [name, change, expected] of SITUATIONS) {
      for (const text of [expected.headline, expected.did, expected.next, expected.health])
        expect(text, name).not.toMatch(inside);
      const { did, next, health } = todayAnswer({ ...LOOKED, ...change });
      for (const { cites } of [did, next, health.sentence]) expect(cites.length, name).toBeGreaterThan(0);
    }
  });
});

describe("figures that are not known are left out", () => {
  it("the percentage, SPY, and SPY beside an account that has no close to count from", () => {
    const result = { ...LOOKED.result!, pnlPercent: null };
    expect(answer({ result, spyPercent: null }).headline).toBe("-$331.20 today");
    expect(answer({ result: { ...result, isSinceStart: true } }).headline).toBe("-$331.20 since its first reading");
    expect(answer({ accounts: 2, result: { ...result, accounts: 2, isSinceStart: true } }).headline).toBe(
      "-$331.20 since their first reading",
    );
    expect(answer({ result: { ...result, pnl: "0" } }).headline).toBe("No change today, SPY -0.51%");
    expect(answer({ result: null }).headline).toBe("No figures yet");
  });

  it("a week that lost less than a hundredth of the account, or the day alone, is not said first", () => {
    expect(answer({ weekPnl: "-900" }).headline).toBe(DAY);
    const result = { ...LOOKED.result!, pnl: "-2115.4" };
    expect(answer({ weekPnl: "-2115.4", result }).headline).toBe("-$2,115.40 today (-0.33%), SPY -0.51%");
  });

  it("figures of a session before today are never called today's", () => {
    const market = { ...LOOKED.market, now: "2018-02-07T13:00:00.000Z", isOpen: false };
    expect(answer({ market }).headline).toBe("-$331.20 on Tue 6 Feb (-0.33%), SPY -0.51%");
  });
});

it("what a person bought at the broker is not called ours", () => {
  const foreign = { ...HD, tradeId: "t3", symbol: "V", quantity: "12", price: "120", isOurs: false };
  expect(answer({ trades: [foreign] }).did).toBe(
    "Bought 12 V at $120.00: the purchase was made at the broker, not by Tradewind.",
  );
  expect(answer({ trades: [HD, foreign] }).did).toBe(
    "Bought 29 HD at $199.78 and 12 V at $120.00: 1 of 2 purchases is Tradewind's and passed every rule, the rest was bought at the broker.",
  );
});

describe("what is wrong is said whatever the day brought", () => {
  it("shares without a stop, orders in doubt, accounts that were not read", () => {
    const bare = { ...HELD, isCovered: false };
    expect(answer({ positions: [HELD, { ...bare, symbol: "BBB" }], trades: [HD] })).toMatchObject({
      health: "BBB is not fully covered by a stop at the broker.",
      isWrong: true,
    });
    expect(answer({ unknownOrders: 1, parkedOrders: 2 }).health).toBe(
      "What became of 1 order is not known yet: the broker is being asked, and nothing is sent twice. 2 orders wait for a person to decide.",
    );
    expect(answer({ accounts: 2 }).health).toContain("1 of 2 accounts has not been read");
    expect(answer({ isWorkerBeating: false })).toMatchObject({ situation: "SOURCE_MISSING", isWrong: true });
  });

  it("a broker that does not answer, whose stops are told as it last said", () => {
    expect(answer({ silentAccounts: 1, positions: FULL })).toMatchObject({
      situation: "SOURCE_MISSING",
      did: "Nothing bought or sold: the broker has not answered for more than a minute, so nothing new is bought.",
      next: "It continues by itself once the broker answers; until then the figures are those of its last answer.",
      health: "As the broker last answered, what is held is safe: all 10 positions have their stops at the broker.",
      isWrong: true,
    });
  });

  it("a fault is never given as the reason of what was bought or sold", () => {
    const stopped = "Tradewind's own service is not running, so the market is not screened.";
    expect(answer({ isWorkerBeating: false }).did).toBe(`Nothing bought or sold: ${stopped}`);
    expect(answer({ isWorkerBeating: false, trades: [HD] }).did).toBe(`Bought 29 HD at $199.78. ${stopped}`);
    expect(answer({ silentAccounts: 1, trades: [MCD] }).did).toBe(
      "Sold MCD (protective stop); nothing bought. The broker has not answered for more than a minute, so nothing new is bought.",
    );
  });

  it("keys that the broker refuses ask for keys, an administrator's stop for nothing", () => {
    const halted = { holds: [{ kind: "HALTED" as const, account: null, reason: "refused" }], needsKeys: true };
    expect(answer(halted).action).toBe("FIX_KEYS");
    expect(answer({ holds: [{ kind: "ACCOUNT_PAUSED", account: null }] })).toMatchObject({
      situation: "PAUSED",
      next: "It buys in it again once you resume the account.",
      action: "RESUME_ACCOUNT",
    });
    expect(answer({ holds: [{ kind: "QUEUE_PAUSED" }] })).toMatchObject({ situation: "HALTED", action: "NONE" });
  });
});

it("of several accounts the one that its own state keeps from buying does not speak for all", () => {
  const line = (tail: string) => `10:05: 503 screened, 50 seated, 9 signals, 0 orders: ${tail}`;
  const full = { accountId: "A", line: line(`9 ${GATE_OF.max_positions.label}`) };
  const free = { accountId: "B", line: line(`9 ${GATE_OF.regime.label}`) };
  const before = { accountId: "A", line: line(`9 ${GATE_OF.regime.label}`) };
  expect(toldLook([before, free, full])).toBe(free);
  const newer = { ...free };
  expect(toldLook([free, newer, full])).toBe(newer);
  expect(toldLook([full, { ...full, accountId: "B" }])?.accountId).toBe("B");
  expect(toldLook([])).toBeUndefined();
});

it("a purchase is cited by its trades, never by the latest look, which may have bought nothing", () => {
  const hrefs = (change: Partial<TodayFacts>) =>
    todayAnswer({ ...LOOKED, ...change }).did.cites.map(({ href }) => href);
  expect(hrefs({ trades: [HD, MCD] })).toEqual(["/trade-history/t1", "/trade-history/t2"]);
  expect(hrefs({ trades: [HD], silentAccounts: 1 })).toEqual(["/trade-history/t1"]);
  // What kept it from buying more is what the look says.
  expect(hrefs({ trades: [MCD] })).toEqual(["/trade-history/t2", "/decisions/d1"]);
});

it("where nothing is held nothing is called safe", () => {
  const holds = [{ kind: "HALTED" as const, account: null, reason: null }];
  expect(answer({ holds, positions: [] })).toMatchObject({
    health: "Nothing is held, and no money is at risk.",
    isWrong: true,
  });
});

it("a worker that does not run and a broker that does not answer are told before the first look, too", () => {
  for (const missing of [{ isWorkerBeating: false }, { silentAccounts: 1 }])
    expect(answer({ ...NO_RECORD, ...missing })).toMatchObject({ situation: "SOURCE_MISSING", isWrong: true });
  const both = { accounts: 2, unreadAccounts: 1, positions: [] };
  expect(answer({ ...NO_RECORD, ...both }).health).toBe(
    "Nothing is wrong: what the accounts hold is not known before their first reading.",
  );
  expect(answer({ ...NO_RECORD, ...both, isWorkerBeating: false }).health).toBe(
    "What the accounts hold is not known before their first reading.",
  );
});

it("before the first look what was traded at the broker is told all the same", () => {
  const bought = { ...HD, isOurs: false };
  const none = { hasDecided: false, look: null };
  expect(answer({ ...none, trades: [bought] })).toMatchObject({
    situation: "FIRST_LOOK",
    did: "Bought 29 HD at $199.78: the purchase was made at the broker, not by Tradewind. The first look at the market is still to come.",
  });
  expect(answer({ ...none, trades: [{ ...MCD, reason: null, isOurs: false }] }).did).toBe(
    "Sold MCD; nothing bought. The first look at the market is still to come.",
  );
});

it("many purchases are counted by their stocks, and orders of one stock as its orders", () => {
  const orders = (...symbols: string[]) => symbols.map((symbol, i) => ({ ...HD, symbol, tradeId: `t${i}` }));
  const did = (...symbols: string[]) => answer({ trades: orders(...symbols) }).did;
  expect(did("HD", "KO", "V", "BA")).toBe("Bought 4 stocks: what was bought passed every rule.");
  expect(did("HD", "HD", "KO", "HD")).toBe("Bought 2 stocks in 4 orders: what was bought passed every rule.");
  expect(did("HD", "HD", "HD", "HD")).toBe("Bought HD in 4 orders: what was bought passed every rule.");
});

it("while the market is closed a stop for a part of the shares counts among what rests at the broker", () => {
  const market = { ...LOOKED.market, now: "2018-02-06T22:00:00.000Z", isOpen: false };
  const next = (positions: TodayPosition[]) => answer({ market, positions }).next;
  const closed = "The market is closed and opens on Wed 7 Feb at 09:30 ET; until then";
  expect(next([{ ...HELD, isCovered: false }])).toBe(`${closed} one stop rests at the broker.`);
  expect(next([HELD, { ...HELD, isCovered: false }])).toBe(`${closed} the stops of 2 positions rest at the broker.`);
  expect(next([{ ...HELD, isCovered: false, stopPrice: null }])).toBe(
    `${closed} you have no open orders at the broker.`,
  );
});

it("an order that rests at the broker after the close is told beside the stops", () => {
  const market = { ...LOOKED.market, now: "2018-02-06T22:00:00.000Z", isOpen: false };
  const next = (positions: TodayPosition[], ...symbols: string[]) =>
    answer({ market, positions, waiting: symbols.map((symbol) => ({ symbol, side: "BUY" as const })) }).next;
  const closed = "The market is closed and opens on Wed 7 Feb at 09:30 ET; until then";
  expect(next([], "KO")).toBe(`${closed} 1 order rests at the broker.`);
  expect(next([HELD], "KO", "PG")).toBe(`${closed} one stop and 2 other orders rest at the broker.`);
});

it("a place that is on order is not free, and none is called free where the strategy's own are taken", () => {
  const next = (facts: Partial<TodayFacts>) => answer({ trades: [HD], ...facts }).next;
  expect(next({})).toContain("; 9 of 10 places are free.");
  expect(
    next({
      waiting: [
        { symbol: "KO", side: "BUY" },
        { symbol: "MCD", side: "SELL" },
      ],
    }),
  ).toContain("; 8 of 10");
  expect(next({ look: look(": 9 max positions") })).not.toContain("free");
});

it("a state of the account that has ended is waited for no longer", () => {
  expect(answer({ look: look(": 7 automation off") })).toMatchObject({
    did: "Nothing bought or sold.",
    next: "It looks again every 5 minutes until the close at 16:00 ET.",
  });
  expect(answer({ look: look(": 7 sector") }).next).toContain("It waits for");
});

it("one of two brokers that does not answer speaks for its own account alone", () => {
  const result = { ...LOOKED.result!, accounts: 2 };
  const today = answer({ accounts: 2, silentAccounts: 1, result, trades: [HD] });
  expect(today.did).toBe("Bought 29 HD at $199.78: it passed every rule.");
  expect(today.health).toContain("The broker of 1 of 2 accounts has not answered for more than a minute");
  expect(answer({ accounts: 2, silentAccounts: 2, result, trades: [HD] }).did).toContain("The broker has not answered");
});

it("what was done under a hold is not told as done before it", () => {
  const did = answer({ holds: [{ kind: "PAUSED", reason: null }], trades: [MCD] }).did;
  expect(did).toContain("In this session: sold MCD (protective stop)");
});

it("shares that deleted accounts left at their brokers are named where no account is left, and never called nothing", () => {
  const none = { ...NO_RECORD, hasDecided: true, environment: null, accounts: 0, positions: [], regime: null };
  expect(answer(none)).toMatchObject({
    headline: "No account now",
    did: "Nothing is screened or traded for you now: you have no trading account.",
  });
  const health = (left: Partial<TodayFacts["left"]>) => {
    const told = answer({ ...none, left: { ...LOOKED.left, ...left } });
    return [told.isWrong, told.health];
  };
  const HLM = { symbol: "HLM", isCovered: true };
  expect(health({ accounts: 1, positions: [HLM, HLM, HLM] })).toEqual([
    false,
    "Nothing is wrong: 3 positions of a deleted account are still at its broker, with the stops that were there.",
  ]);
  expect(health({ accounts: 2, positions: [HLM] })).toEqual([
    false,
    "Nothing is wrong: 1 position of deleted accounts is still at their brokers, with the stop that was there.",
  ]);
  expect(health({ accounts: 1, positions: [HLM, { symbol: "RVG", isCovered: false }] })).toEqual([
    true,
    "RVG of a deleted account is still at the broker and not fully covered there by a stop.",
  ]);
  expect(health({ unreadAccounts: 1 })).toEqual([
    false,
    "Nothing is wrong: no account is connected, and what a deleted account left at its broker is no longer read.",
  ]);
});
