import { describe, expect, it } from "vitest";
import type { RegimeMemory } from "../screening/regime.ts";
import { regimeOf } from "../screening/regime.ts";
import { POLICY_2_9_0 as policy } from "../policy.ts";
import type { Part, Sentence } from "./sentence-parts.ts";
import { todayAnswer } from "./today.ts";
import type { TodayFacts, TodayPosition } from "./today-facts.ts";

const SESSION = "2018-02-06";
const regime = (facts: Partial<Parameters<typeof regimeOf>[0]>): RegimeMemory =>
  regimeOf(
    { vix: 12.5, spyClose: 280, spyMa20: 270, spyMa50: 266, spyMa200: 250, spyDayReturn: 0.001, ...facts },
    null,
    SESSION,
    policy,
  ).memory;

const HELD: TodayPosition = {
  symbol: "MCD",
  value: "3000",
  pnl: "12.5",
  pnlPercent: 0.4,
  isCovered: true,
  toStop: "36",
  stopPrice: "160.11",
  stopDistancePercent: -1.2,
};
const FULL = Array.from({ length: 10 }, (_, i) => ({ ...HELD, symbol: `S${i}`, stopDistancePercent: -2 - i }));
const line = (tail: string, orders = 0) => `12:20: 495 screened, 50 seated, 27 signals, ${orders} orders${tail}`;
const look = (tail: string, orders = 0) => ({ id: "d1", at: "2018-02-06T17:20:00.000Z", line: line(tail, orders) });
const HD = {
  tradeId: "t1",
  symbol: "HD",
  side: "BUY" as const,
  quantity: "29",
  price: "199.78",
  at: "2018-02-06T15:00:00.000Z",
  reason: "Momentum entry",
  isOurs: true,
};
const MCD = { ...HD, tradeId: "t2", symbol: "MCD", side: "SELL" as const, quantity: "18", reason: "Protective stop" };

/** A session in which it looked and bought nothing. */
const LOOKED: TodayFacts = {
  environment: "PAPER",
  accounts: 1,
  market: {
    now: "2018-02-06T17:21:00.000Z",
    isOpen: true,
    opensAt: "2018-02-07T14:30:00.000Z",
    closesAt: "2018-02-06T21:00:00.000Z",
  },
  session: SESSION,
  hasDecided: true,
  isWorkerBeating: true,
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
  look: look(": 20 conviction, 4 earnings, 3 already held or in flight"),
  regime: regime({}),
  isCalendarMissing: false,
  restsUntil: null,
  positions: [HELD],
};
const NO_RECORD = { session: null, hasDecided: false, result: null, spyPercent: null, weekPnl: null, look: null };
const FEAR = regime({ vix: 37.32, spyClose: 265, spyDayReturn: -0.042 });

const plain = (parts: readonly Part[]) => parts.map(({ text }) => text).join("");
const told = ({ parts }: Sentence) => plain(parts);
function answer(change: Partial<TodayFacts>) {
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
      did: "Nothing is looked at or traded for you yet: there is no account to trade in.",
      next: "Add the keys of your broker's account, or start on the practice market with simulated money. From then on Tradewind looks at the market for you.",
      health: "Nothing is wrong: none of your money is invested.",
      isWrong: false,
      action: "ADD_ACCOUNT",
    },
  ],
  [
    "account added, first look pending",
    { ...NO_RECORD, positions: [], regime: null },
    {
      situation: "FIRST_LOOK",
      headline: "The account is connected",
      did: "Nothing was bought or sold so far: the first look at the market is still to come.",
      next: "It looks every 5 minutes until the close at 16:00 ET, for the first time within minutes.",
      health: "Nothing is wrong: nothing is held, and no money is at risk.",
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

describe("of several holds each is told, the gravest first, with all that has to end before it goes on", () => {
  const restricted = { kind: "ALL_RESTRICTED" as const, meaning: "No new entries.", reason: null };
  const pausedWork =
    "An administrator paused Tradewind's work: it does not look at the market, and stops stay at the broker.";
  const pausedByOwner = "You paused the automation: nothing is bought, sales and stops keep working.";
  const haltedB = { kind: "HALTED" as const, account: "B", reason: "keys refused" };
  const pausedA = { kind: "ACCOUNT_PAUSED" as const, account: "A" };
  it.each<[string, Partial<TodayFacts>, Partial<ReturnType<typeof answer>>]>([
    [
      "an administrator's and the owner's own",
      { holds: [{ kind: "PAUSED", reason: null }, { kind: "QUEUE_PAUSED" }] },
      {
        situation: "HALTED",
        did: `${pausedWork} ${pausedByOwner}`,
        next: "It continues once an administrator lifts what holds all accounts and you resume the automation.",
        action: "RESUME",
      },
    ],
    [
      "an administrator's alone",
      { holds: [{ kind: "SWITCHED_OFF" }, { kind: "QUEUE_PAUSED" }, restricted] },
      {
        did: `An administrator restricted trading: no new entries. ${pausedWork} 1 more hold stands in the way.`,
        next: "It continues once an administrator lifts it; there is nothing for you to do.",
        action: "NONE",
      },
    ],
    [
      "one account halted, another paused",
      { accounts: 2, holds: [pausedA, haltedB], haltAdvice: "Connect its keys again." },
      {
        did: "Account “B” is halted: Tradewind sends nothing new. Reason: keys refused. Account “A” is paused: nothing is bought in it, sales and stops keep working.",
        next: "Connect its keys again. It also waits until you resume the paused account.",
        action: "RESUME_ACCOUNT",
      },
    ],
    [
      "two accounts halted",
      { accounts: 2, holds: [{ ...haltedB, account: "A" }, haltedB], haltAdvice: "Check the reason, then resume." },
      { next: "Check the reason, then resume. It also waits until each halted account is resumed." },
    ],
    [
      "a restricted account, and the automation paused",
      {
        holds: [
          { ...restricted, kind: "RESTRICTED", account: null },
          { kind: "PAUSED", reason: null },
        ],
      },
      {
        did: `Your account is restricted: no new entries. ${pausedByOwner}`,
        next: "It continues once the restriction is lifted and you resume the automation. The page of accounts says who set the restriction.",
        action: "RESUME",
      },
    ],
    [
      "a paused account under an administrator's restriction",
      { holds: [{ ...pausedA, account: null }, restricted] },
      {
        next: "It continues once an administrator lifts what holds all accounts and you resume the paused account.",
        action: "RESUME_ACCOUNT",
      },
    ],
    [
      "the automation and the only account paused",
      {
        holds: [
          { ...pausedA, account: null },
          { kind: "PAUSED", reason: null },
        ],
      },
      {
        situation: "PAUSED",
        did: `${pausedByOwner} Your account is paused: nothing is bought in it, sales and stops keep working.`,
        next: "It buys again once you resume the automation and the account.",
        action: "RESUME",
      },
    ],
    [
      "every account paused",
      { accounts: 2, holds: [pausedA, { ...pausedA, account: "B" }] },
      { situation: "PAUSED", next: "It buys in them again once you resume the accounts.", action: "RESUME_ACCOUNT" },
    ],
  ])("%s", (_, change, expected) => expect(answer(change)).toMatchObject(expected));
});

it("where nothing is held nothing is called safe", () => {
  const holds = [{ kind: "HALTED" as const, account: null, reason: null }];
  expect(answer({ holds, positions: [] })).toMatchObject({
    health: "Nothing is held, and no money is at risk.",
    isWrong: true,
  });
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
    `${closed} nothing of yours rests at the broker.`,
  );
});

describe("what ends the wait", () => {
  it("a day that has come is no longer a wait, and before the first look of the day nothing is said of one", () => {
    const stopped = { look: look(": 27 stop guard"), restsUntil: SESSION };
    expect(answer(stopped).next).toBe(
      "It waits for the rest after several stops to end. It looks again every 5 minutes until the close at 16:00 ET.",
    );
    expect(answer({ look: look("", 9) })).toMatchObject({
      did: "Nothing bought or sold: the last look decided on 9 orders.",
      next: "It follows its orders at the broker, and looks again every 5 minutes until the close at 16:00 ET.",
    });
    expect(answer({ look: null })).toMatchObject({
      did: "Nothing bought or sold: the first look of the day is still to come.",
      next: "It looks every 5 minutes until the close at 16:00 ET.",
    });
  });

  it("a rest after several stops is told where all places are taken, too", () => {
    const stopped = { look: look(": 27 stop guard"), restsUntil: "2018-02-15", positions: FULL };
    expect(answer(stopped)).toMatchObject({
      situation: "PLACES_TAKEN",
      did: "Nothing bought or sold: 3 positions or more were stopped out within 10 sessions, so Tradewind rests.",
      next: "No new purchases before Thu 15 Feb. From then on it buys when a place is free; nearest to its stop is S0, which sells at $160.11, 2.0% below its price.",
    });
  });

  it("after a day of shock with calm readings only time is missing", () => {
    const shock = regime({ vix: 20, spyClose: 285, spyDayReturn: -0.041 });
    expect(answer({ regime: shock, look: look(": 27 regime") }).next).toBe(
      "It buys again on Tue 13 Feb at the earliest, in 5 sessions, if SPY and the VIX stay where they are.",
    );
  });

  it("at low Risk Level a mixed market holds back, and says so", () => {
    const preferences = { ...LOOKED.preferences, riskLevel: "LOW" as const };
    const mixed = regime({ vix: 20, spyClose: 269.5 });
    expect(answer({ preferences, regime: mixed, look: look(": 27 regime") })).toMatchObject({
      situation: "HOLDING_BACK",
      did: "Nothing bought or sold: the market is mixed, and your settings buy only when it is calm and rising; 27 stocks wait for a calmer market.",
      next: "It buys again when SPY closes above about $271.35 (0.7% above its last close) or the VIX closes below 15 (last 20.0), twice running; on Thu 8 Feb at the earliest, in 2 sessions.",
    });
  });

  it("reports of which no source knows the day are a missing source, not reports that come soon", () => {
    const missing = { look: look(": 27 earnings"), isCalendarMissing: true };
    expect(answer(missing)).toMatchObject({
      situation: "SOURCE_MISSING",
      did: "Nothing bought or sold: it is not known when companies report earnings, and nothing is bought without that.",
      next: "It buys again once a source says when companies report; that is asked at the opening of each session.",
      isWrong: true,
    });
    expect(answer({ ...missing, isCalendarMissing: false }).situation).toBe("NOTHING_TO_BUY");
    // A stock of which a later rule was asked: the calendar has answered since.
    expect(answer({ ...missing, look: look(": 20 earnings, 7 conviction") }).situation).toBe("NOTHING_TO_BUY");
  });

  it.each([
    [": 27 earnings", "days clear of their earnings reports"],
    [": 1 earnings", "days clear of the stock's earnings report"],
    [": 2 not tradable", "their trading to be resumed"],
    [": 3 cooldown", "their rest after a sale to end"],
    [": 1 cooldown", "the stock's rest after a sale to end"],
    [": 4 sector", "room in their sectors"],
  ])("what %s waits for is said of the stocks, not of Tradewind", (tail, waits) => {
    expect(answer({ look: look(tail) }).next).toContain(waits);
  });

  describe("breakouts are bought in a mixed market, at 55-session highs", () => {
    const breakout = { ...LOOKED.preferences, strategy: "BREAKOUT" as const };
    const mixed = regime({ vix: 18, spyClose: 268 });
    it("what keeps them is what the look refused first", () => {
      const places = answer({ preferences: breakout, regime: mixed, look: look(": 3 max positions, 2 conviction") });
      expect(places).toMatchObject({
        situation: "PLACES_TAKEN",
        did: "Nothing bought or sold: 3 stocks wait for a free place, 2 stocks score below what a purchase takes.",
      });
      const quiet = { id: "d1", at: LOOKED.look!.at, line: "12:20: 495 screened, 50 seated, 0 signals, 0 orders" };
      expect(answer({ preferences: breakout, regime: mixed, look: quiet })).toMatchObject({
        situation: "NOTHING_TO_BUY",
        did: "Nothing bought or sold: none of the 50 stocks in the Top-50 meets your strategy's conditions.",
      });
    });

    it("where the market refused most, the high that it takes is said", () => {
      expect(answer({ preferences: breakout, regime: mixed, look: look(": 27 regime") })).toMatchObject({
        situation: "HOLDING_BACK",
        did: "Nothing bought or sold: the market is mixed, and Breakout then buys only at a 55-session high; 27 stocks wait for a calmer market.",
        next: "It waits for a calmer market or a close above the highest price of 55 sessions. It looks again every 5 minutes until the close at 16:00 ET.",
      });
    });

    it("a falling market, and a mixed one at low Risk Level, keep them from all", () => {
      expect(answer({ preferences: breakout, regime: FEAR, look: look(": 27 regime") }).next).toBe(FEAR_ENDS);
      const low = { ...breakout, riskLevel: "LOW" as const };
      expect(answer({ preferences: low, regime: mixed, look: look(": 27 regime") }).did).toContain(
        "your settings buy only when it is calm and rising",
      );
    });
  });

  describe("a source that is missing is told by what the market counts as without it", () => {
    const low = { ...LOOKED.preferences, riskLevel: "LOW" as const };
    const reversion = { ...LOOKED.preferences, strategy: "MEAN_REVERSION" as const };
    it.each<[string, Partial<TodayFacts>, string, string]>([
      [
        "mixed",
        { preferences: low, regime: regime({ vix: null }) },
        "the VIX is missing, so the market never counts as calm and rising, and your settings buy only then.",
        "It buys again when its source gives the VIX again and the market is calm and rising: without it Tradewind counts the market as mixed at best.",
      ],
      [
        "falling by SPY alone",
        { regime: regime({ vix: null, spyClose: 255 }) },
        "the market is falling or nervous, and the VIX is missing, so Tradewind holds back.",
        "It buys again when its source gives the VIX again and the market is calmer: without it Tradewind never counts it as calmer.",
      ],
      [
        "falling without SPY",
        { regime: regime({ spyClose: null }) },
        "SPY's prices are missing, so Tradewind holds back as a precaution.",
        "It buys again when the source gives SPY's closes again: without them Tradewind counts the market as falling.",
      ],
      [
        "of a trend that is not known",
        { preferences: reversion, regime: regime({ spyMa200: null }) },
        "SPY's 200-day average is not known, and your strategy buys only above it.",
        "It buys again when SPY's 200-day average is known and SPY closes above it.",
      ],
    ])("%s", (_, change, did, next) => {
      expect(answer({ ...change, look: look(": 27 regime") })).toMatchObject({
        situation: "SOURCE_MISSING",
        did: `Nothing bought or sold: ${did}`,
        next,
      });
    });
  });

  it("mean reversion waits for SPY above its 200-day average", () => {
    const preferences = { ...LOOKED.preferences, strategy: "MEAN_REVERSION" as const };
    expect(answer({ preferences, regime: regime({ spyMa200: 290 }), look: look(": 27 regime") }).next).toBe(
      "It buys again when SPY closes above about $290.00 (3.6% above its last close), its 200-day average.",
    );
  });
});
