import fc from "fast-check";
import { expect, it } from "vitest";
import { GATE_CODES, GATE_OF } from "../gates/gates.ts";
import { money, text } from "../money.ts";
import { dailyBrief } from "./daily-brief.ts";
import type { BriefFacts } from "./facts.ts";
import type { Part } from "./sentence-parts.ts";

const plain = (parts: readonly Part[]) => parts.map((part) => part.text).join("");

/** Numbers of a text, without signs and separators. */
const numbersOf = (sentence: string) =>
  [...sentence.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([found]) => found.replaceAll(",", ""));

const cent = fc.integer({ min: -9_000_000, max: 9_000_000 }).map((count) => text(money(count).div(100)));
const gain = fc.integer({ min: 0, max: 9_000_000 }).map((count) => text(money(count).div(100)));
/** A hundredth, so that no test turns on how a half is rounded. */
const percent = fc.integer({ min: -9000, max: 9000 }).map((count) => count / 100);
const name = fc.constantFrom("AAPL", "BMY", "JPM", "NEE", "KO", "PG", "SO", "FISV");
const side = fc.constantFrom("BUY" as const, "SELL" as const);
const trade = fc.record({ tradeId: fc.uuid(), symbol: name, side });
const few = fc.integer({ min: 0, max: 4 });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const line = fc
  .record({
    signals: few,
    orders: few,
    refusals: fc.uniqueArray(fc.constantFrom(...GATE_CODES), { maxLength: 4 }),
  })
  .map(({ signals, orders, refusals }) => {
    const tail = refusals.map((code, index) => `${index + 1} ${GATE_OF[code].label}`).join(", ");
    return `10:05: 503 screened, 50 seated, ${signals} signal${signals === 1 ? "" : "s"}, ${orders} order${orders === 1 ? "" : "s"}${tail === "" ? "" : `: ${tail}`}`;
  });
const facts: fc.Arbitrary<BriefFacts> = fc.record({
  environment: fc.constantFrom("PRACTICE", "PAPER", "LIVE"),
  session: fc.constant("2020-02-18"),
  isClosed: fc.boolean(),
  accounts: fc.constant(3),
  holds: fc.array(
    fc.constantFrom(
      { kind: "PAUSED" as const, reason: "gone for 14 days" },
      { kind: "HALTED" as const, account: "Main 7", reason: "cash differs by $3.50" },
      { kind: "SWITCHED_OFF" as const },
    ),
    { maxLength: 2 },
  ),
  unknownOrders: few,
  parkedOrders: few,
  result: orNull(
    fc.record({
      accounts: fc.constantFrom(1, 2, 3),
      equity: gain,
      pnl: cent,
      pnlPercent: orNull(percent),
      flows: cent,
      isSinceStart: fc.boolean(),
    }),
  ),
  fills: fc.array(
    fc.tuple(trade, gain).map(([each, value]) => ({ ...each, value })),
    { maxLength: 9 },
  ),
  slippageBps: orNull(percent.map((value) => Math.round(value * 10) / 10)),
  rejected: fc.array(
    fc.oneof(
      trade,
      trade.map((each) => ({ ...each, tradeId: null })),
    ),
    { maxLength: 3 },
  ),
  working: fc.array(trade, { maxLength: 3 }),
  trips: fc.array(
    fc.record({
      symbol: name,
      pnl: cent,
      outcome: fc.constantFrom("WIN" as const, "LOSS" as const, "SCRATCH" as const),
      exitReason: orNull(fc.constant("Profit target")),
      tradeId: orNull(fc.uuid()),
    }),
    { maxLength: 5 },
  ),
  decisions: fc.array(
    fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      id: fc.uuid(),
      at: fc.constantFrom("2020-02-18T15:05:00.000Z", "2020-02-18T19:40:00.000Z"),
      line,
    }),
    { maxLength: 4 },
  ),
  cycles: fc.integer({ min: 0, max: 99 }),
  regime: orNull(
    fc.record({
      label: fc.constantFrom("risk_on" as const, "neutral" as const, "risk_off" as const),
      vix: orNull(fc.constant(17.05)),
    }),
  ),
  positions: fc.array(
    fc.record({
      symbol: name,
      value: orNull(gain),
      pnl: orNull(cent),
      pnlPercent: orNull(percent),
      isCovered: fc.boolean(),
      toStop: orNull(gain),
    }),
    { maxLength: 8 },
  ),
  dayTrades: orNull(
    fc.record({ count: few, firstSession: fc.constant("2020-02-11"), lastSession: fc.constant("2020-02-18") }),
  ),
});

/** Every number that the facts hold, and what may be made of them: counts, sums, shares, at the precision of the texts. */
function numbersIn(given: BriefFacts): Set<string> {
  const found = new Set<string>();
  const add = (...values: (string | number)[]) =>
    values.forEach((value) => numbersOf(String(value)).forEach((each) => found.add(each)));
  const amounts = (values: (string | null)[]) => {
    const known = values.filter((value) => value !== null).map((value) => money(value));
    const all = known.reduce((sum, value) => sum.plus(value), money(0));
    for (const value of [...known, all]) add(value.abs().toFixed(2));
    const equity = money(given.result?.equity ?? 0);
    if (equity.gt(0)) add(all.abs().div(equity).times(100).toNumber().toFixed(1));
  };
  const { result, fills, trips, positions, decisions, working, rejected } = given;
  add(
    JSON.stringify(given.holds),
    given.accounts,
    given.cycles,
    given.unknownOrders,
    given.parkedOrders,
    "18 Feb 2020",
    "10:05",
    "14:40",
    5,
  );
  if (result) {
    amounts([result.equity]);
    amounts([result.pnl]);
    amounts([result.flows]);
    add(result.accounts, given.accounts - result.accounts, Math.abs(result.pnlPercent ?? 0).toFixed(2));
  } else add(given.accounts);
  add(
    (Math.abs(given.slippageBps ?? 0) / 100).toFixed(2),
    given.regime?.vix?.toFixed(2) ?? "",
    given.dayTrades?.count ?? "",
  );
  for (const kind of ["BUY", "SELL"]) amounts(fills.filter((each) => each.side === kind).map(({ value }) => value));
  amounts(trips.map(({ pnl }) => pnl));
  amounts(positions.map(({ value }) => value));
  amounts(positions.map(({ pnl }) => pnl));
  amounts(positions.map(({ toStop }) => toStop));
  for (const { pnlPercent } of positions) add(Math.abs(pnlPercent ?? 0).toFixed(2));
  for (const each of decisions) add(each.line);
  // Counts of rows: no more than there are.
  const most = Math.max(
    fills.length,
    trips.length,
    positions.length,
    working.length,
    rejected.length,
    decisions.reduce((all, { count }) => all + count, 0),
  );
  for (let count = 0; count <= most; count += 1) add(count);
  return found;
}

const PAGE = /^\/(decisions|trade-history|performance|alpaca-keys|logs|dashboard)([/?#]|$)/;
const AMOUNT = /^[+-]?\$[\d,]+\.\d\d$/;
const CLUMSY = /undefined|null|NaN|\$(?!\d)|\.\.| {2}|^[a-z]|\b1 (orders|positions|decisions|accounts|stocks)\b/;

/** What is wrong with a brief of these facts, in words. */
function flawsOf(given: BriefFacts): string[] {
  const { headline, sentences } = dailyBrief(given);
  const known = numbersIn(given);
  const texts = [headline, ...sentences.map(({ parts }) => parts)];
  return [
    ...texts.flatMap((parts) => {
      const sentence = plain(parts);
      const unknown = numbersOf(sentence).filter((number) => !known.has(number));
      return [
        ...unknown.map((number) => `${number} is in no fact: ${sentence}`),
        ...(CLUMSY.test(sentence) ? [`clumsy: ${sentence}`] : []),
        // What a look over the shoulder must not see is marked, and nothing else.
        ...parts
          .filter(({ text: piece, isAmount }) => isAmount !== AMOUNT.test(piece))
          .map((part) => `marked: ${part.text}`),
      ];
    }),
    ...sentences.flatMap(({ parts, cites }) => [
      ...(plain(parts).endsWith(".") ? [] : [`no end: ${plain(parts)}`]),
      ...(cites.length > 0 ? [] : [`no record: ${plain(parts)}`]),
      ...cites.filter(({ label, href }) => label === "" || !PAGE.test(href)).map(({ href }) => `no page: ${href}`),
    ]),
  ];
}

it("every number in a text stands in the facts or is a count, a sum or a share of them; every sentence cites a page of the product", () => {
  fc.assert(
    fc.property(facts, (given) => {
      expect(flawsOf(given)).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 30_000);
