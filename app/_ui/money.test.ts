import { expect, it } from "vitest";
import { piecesOf } from "./money.tsx";

const amountsIn = (text: string) => piecesOf(text).flatMap(({ isAmount, text: piece }) => (isAmount ? [piece] : []));

it.each([
  ["Bought 89 BMY for $5,917.61", ["$5,917.61"]],
  ["Protective stop · -$204.72 realized", ["-$204.72"]],
  ["Filled 12 at $133.42, fees $0.04.", ["$133.42", "$0.04"]],
  ["Not sent: order to BUY 11 CHTR: buying_power: 5704.49 USD, room for -4823.02", ["5704.49", "-4823.02"]],
  ["position_value leaves 30.50 USD, less than one share", ["30.50"]],
  ["needs +120 USD of buying power; a quote 4 s younger", ["+120"]],
  ["The broker corrected an amount of SPY: 12.30 became 12.55", ["12.30", "12.55"]],
  ["limit 133.42 is 0.10 % from 133.30", ["133.42", "133.30"]],
  ["Energy: $5,704.49, room for -$4,823.02", ["$5,704.49", "-$4,823.02"]],
  ["needs +$1,204.50 of buying power", ["+$1,204.50"]],
  ["−3.12% today, the line is −10.00 %; 12.50 bps", []],
  ["10:42: 503 screened, 50 seated, 3 signals, 1 order", []],
  ["confidence 0.612 against 0.55, 2 of 3 strong factor families", []],
])("the amounts of “%s” are found, and nothing else", (text, amounts) => {
  expect(amountsIn(text)).toEqual(amounts);
  expect(
    piecesOf(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});
