import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { csvCell, type TapeRows, writeTape } from "../../tape/write-tape.ts";
import { fixtureMarket, type FixtureMarket } from "./fixture-market.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const STORE = path.join(ROOT, ".data", "proof");
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

/** What the tape is made by: another source makes another tape. */
function sourceHash(): string {
  const folders = [import.meta.dirname, path.join(ROOT, "lib/exchange/market")];
  const files = [
    ...folders.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name))),
    ...["lib/domain/market-calendar.ts", "lib/tape/write-tape.ts"].map((name) => path.join(ROOT, name)),
  ];
  const hash = createHash("sha256");
  for (const file of files.filter((name) => !name.endsWith(".test.ts")).sort()) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** The directory of the fixture market's tape. It is made once, and again when what makes it has changed. */
export function fixtureTape(): string {
  const folder = path.join(STORE, sourceHash());
  const tape = path.join(folder, NAME);
  if (existsSync(tape)) return tape;
  mkdirSync(STORE, { recursive: true });
  // Several tests may make it at the same time: the first one whole wins.
  const draft = mkdtempSync(path.join(STORE, "draft-"));
  writeTape(path.join(draft, NAME), tapeRows(fixtureMarket()));
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(tape)) throw error;
  }
  return tape;
}
