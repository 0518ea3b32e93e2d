import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../engine/decide.ts";
import type { AccountState } from "../engine/plan.ts";
import { money } from "../money.ts";
import { Room } from "../risk/room.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy as policy,
  exampleSeat,
  exampleSymbol,
  exampleTime,
} from "@/lib/proof/example-market.ts";
import { conviction } from "./conviction.ts";
import { dailyLoss } from "./daily-loss.ts";
import { dataStale } from "./data-stale.ts";
import { drawdown } from "./drawdown.ts";
import { earningsBlackout } from "./earnings-blackout.ts";
import { type Answer, byRoom, ProposedOrder } from "./gate.ts";
import { gross } from "./gross.ts";
import { marketHours } from "./market-hours.ts";
import { priceCollar } from "./price-collar.ts";

const detailOf = ({ detail }: Answer) => (typeof detail === "string" ? detail : detail());
const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
const view = market.symbols.AAA!;
const at = (instant: string) => ({ ...market, at: instant });
const account = (change: Partial<AccountState>) => ({ state: exampleAccount(change), market, policy });
const orderAt = (limit: string, last: string) => new ProposedOrder(money(1), money(limit), money(limit), money(last));
const ofSeat = { market, policy, state: exampleAccount(), symbol: "AAA", view, strategy: "MOMENTUM" } as const;
const convinced = (confidence: number) =>
  conviction.check({ ...ofSeat, seat: exampleSeat("AAA"), confidence, order: null });
const collared = (limit: string, last: string) =>
  priceCollar.check({ ...ofSeat, seat: null, confidence: null, order: orderAt(limit, last) });
const roomFor = (room: string, amount: string) => byRoom(new Room(money(room)), orderAt(amount, "100"));
const quoted = (instant: string) =>
  dataStale.check({
    ...ofSeat,
    view: { ...view, quote: { ...view.quote!, at: instant } },
    ...{ market: at(exampleTime(10, 5)), seat: null, confidence: null, order: null },
  });

it.each([
  ["a confidence", convinced(0.69996), "confidence 0.69996 against 0.70, 3 of 2 strong factor families"],
  ["one on its line", convinced(0.7), "confidence 0.700 against 0.70, 3 of 2 strong factor families"],
  [
    "one on its line but for the last bit",
    convinced(0.7 - 1e-16),
    "confidence 0.700 against 0.70, 3 of 2 strong factor families",
  ],
  [
    "a drawdown",
    drawdown.check(account({ highWaterMark: "111112.35" })),
    "10.001 % below the high-water mark, the line is 10.0 %",
  ],
  [
    "one short of the hard line",
    drawdown.check(account({ highWaterMark: "117645" })),
    "14.999 % below the high-water mark, the line is 10.0 %",
  ],
  [
    "one beyond it",
    drawdown.check(account({ highWaterMark: "117648.5" })),
    "15.001 % below the high-water mark, the line is 10.0 %; the hard line of 15.0 % is passed: a person must resume",
  ],
  ["a loss", dailyLoss.check(account({ lastEquity: "103094" })), "-3.001 % today, the line is −3.0 %"],
  ["a loss short of it", dailyLoss.check(account({ lastEquity: "103092" })), "-2.999 % today, the line is −3.0 %"],
  ["a limit price", collared("103.004", "100"), "limit $103.004 is 3.004 % from $100.00"],
  ["an order", roomFor("99.998", "100"), "$100.000, room for $99.998"],
  ["an order that fits", roomFor("100.004", "100"), "$100.000, room for $100.004"],
  ["a quote", quoted(exampleTime(9, 50).replace("00.000Z", "00.600Z").replace(":50:", ":49:")), "quote is 959 s old"],
  [
    "the open",
    marketHours.check({ market: at(exampleTime(9, 34).replace("00.000Z", "45.000Z")), policy }),
    "4.8 min after the open, 385 min before the close",
  ],
  [
    "the close",
    marketHours.check({ market: at(exampleTime(15, 50).replace("00.000Z", "30.000Z")), policy }),
    "381 min after the open, 9.5 min before the close",
  ],
])("%s just beside its line is told on its side of it", (_, answer, text) => {
  expect(detailOf(answer)).toBe(text);
});

describe("a report of earnings before the oldest known session", () => {
  const after = (last: string, first: number) =>
    earningsBlackout.check({
      ...ofSeat,
      market: { ...market, sessions: market.sessions.slice(first) },
      view: { ...view, earnings: { isKnown: true, next: null, last } },
      ...{ seat: null, confidence: null, order: null },
    });

  it("is over, and no count of sessions is told of it: only those since the oldest one are known", () => {
    expect(after("2019-10-29", 0)).toMatchObject({ passed: true, margin: null, detail: "no report is near" });
    expect(detailOf(after("2020-01-06", 0))).toBe("reported 20 sessions ago (2020-01-06)");
  });

  it("keeps entries out where the known sessions do not reach over the blackout", () => {
    const today = market.sessions.indexOf(market.session.date);
    expect(after("2019-10-29", today - 2)).toMatchObject({ passed: true });
    expect(after("2019-10-29", today - 1)).toMatchObject({ passed: false, margin: null });
    expect(detailOf(after("2019-10-29", today - 1))).toBe("too few sessions back are known");
  });
});

it("a limit of the policy is told in all its digits", () => {
  const portfolio_limits = { ...policy.portfolio_limits, gross_risk_on: 0.975 };
  const [verdict] = decide(exampleAccount(), market, { ...policy, portfolio_limits }).candidates;
  expect(verdict!.gates.find(({ code }) => code === gross.code)!.detail).toContain("allows 97.5 % of equity: ");
});

describe("the figures of a detail say what the gate says", () => {
  const read = (text: string) => Number(text.replaceAll("−", "-").replaceAll(/[$, %]/g, ""));
  const saysSame = (answer: Answer, pattern: RegExp, passes: (value: number, line: number) => boolean) => {
    const [, value = "", line = ""] = pattern.exec(detailOf(answer)) ?? [];
    expect(passes(read(value), read(line))).toBe(answer.passed);
  };
  const near = (line: number, width: number) =>
    fc.double({ min: -1, max: 1, noNaN: true }).map((part) => line + part ** 5 * width);
  const cents = (amount: number) => amount.toFixed(2);

  it("whatever the confidence, the drawdown and the loss of the day", () => {
    fc.assert(
      fc.property(near(0.7, 0.05), (confidence) =>
        saysSame(convinced(confidence), /^confidence (\S+) against (\S+),/, (value, line) => value >= line),
      ),
    );
    fc.assert(
      fc.property(near(111_111.11, 3000), (mark) =>
        saysSame(
          drawdown.check(account({ highWaterMark: cents(mark) })),
          /^(\S+) % below .* the line is (\S+) %/,
          (value, line) => value <= line,
        ),
      ),
    );
    fc.assert(
      fc.property(near(103_092.78, 3000), (before) =>
        saysSame(
          dailyLoss.check(account({ lastEquity: cents(before) })),
          /^(\S+) % today, the line is (\S+) %/,
          (value, line) => value >= line,
        ),
      ),
    );
  });

  it("whatever the order and the room for it, to a hundredth of a cent", () => {
    const tenThousandths = fc.integer({ min: 999_000, max: 1_001_000 }).map((count) => String(count / 10_000));
    fc.assert(
      fc.property(tenThousandths, fc.oneof(tenThousandths, fc.constantFrom("100", "100.005")), (room, amount) =>
        saysSame(roomFor(room, amount), /^(\S+), room for (\S+)$/, (value, line) => value <= line),
      ),
    );
  });
});
