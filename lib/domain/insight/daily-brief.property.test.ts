import fc from "fast-check";
import { expect, it } from "vitest";
import { anyBriefFacts } from "@/lib/proof/fixtures/brief-facts.ts";
import { money } from "../money.ts";
import { dailyBrief } from "./daily-brief.ts";
import type { BriefFacts } from "./facts.ts";
import type { Part } from "./sentence-parts.ts";

const plain = (parts: readonly Part[]) => parts.map((part) => part.text).join("");

/** Numbers of a text, without signs and separators. */
const numbersOf = (sentence: string) =>
  [...sentence.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([found]) => found.replaceAll(",", ""));

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
    fc.property(anyBriefFacts, (given) => {
      expect(flawsOf(given)).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 30_000);
