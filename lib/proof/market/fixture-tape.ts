import { csvCell, type TapeRows, writeTape } from "../../tape/write-tape.ts";
import { fixtureMarket, type FixtureMarket } from "./fixture-market.ts";
import { keep } from "./kept.ts";

/** The last part of the tape's path is its name. */
const NAME = "fixture-2018-2020";

export function tapeRows({ assets, bars, splits, dividends, vix, earnings }: FixtureMarket): TapeRows {
  return {
    "assets.csv": assets.map(({ symbol, name, sector }) => [symbol, csvCell(name), sector ?? ""].join(",")),
    "bars.csv.gz": bars.map((row) =>
      [row.date, row.symbol, row.open, row.high, row.low, row.close, row.volume].join(","),
    ),
    "splits.csv": splits.map(({ date, symbol, ratio }) => `${date},${symbol},${ratio}`),
    "dividends.csv": dividends.map(({ date, symbol, amount }) => `${date},${symbol},${amount}`),
    "vix.csv": vix.map(({ date, open, high, low, close }) => [date, open, high, low, close].join(",")),
    "earnings.csv": earnings.map(({ date, symbol }) => `${date},${symbol}`),
  };
}

/** The directory of the fixture market's tape. It is made once, and again when what makes it has changed. */
export const fixtureTape = (): string => keep(NAME, (draft) => writeTape(draft, tapeRows(fixtureMarket())));
