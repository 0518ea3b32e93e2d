import type { CorporateAction } from "../../exchange/book/reorganisations.ts";
import type { SessionDate } from "../../domain/time.ts";

/** A company of the fixture market whose facts tests name. */
export interface Role {
  symbol: string;
  name: string;
  /** USD per share as of after its split: the close of LEVEL_DAY, of the listing, or of the last session before the end. */
  price: number;
  /** USD that change hands in an ordinary session. */
  dollarVolume: number;
  split?: { date: SessionDate; ratio: number };
  /** Per share of its day. */
  dividends?: { date: SessionDate; amount: string }[];
  /** The first session with bars. */
  listed?: SessionDate;
  /** The first session without. */
  delisted?: SessionDate;
  /** Part of its value that leaves it over night, with a company that it spins off. */
  spunOff?: { date: SessionDate; share: number };
}

export const LEVEL_DAY: SessionDate = "2020-02-03";
export const SPLIT_DAY: SessionDate = "2020-08-31";
export const REVERSE_SPLIT_DAY: SessionDate = "2020-06-15";
export const SPIN_OFF_DAY: SessionDate = "2020-09-21";
export const MERGER_DAY: SessionDate = "2020-10-05";

export const CAST: Role[] = [
  {
    symbol: "FOUR",
    name: "Fourfold Systems",
    price: 77,
    dollarVolume: 5e9,
    split: { date: SPLIT_DAY, ratio: 4 },
    dividends: [
      { date: "2019-11-07", amount: "0.77" },
      { date: "2020-02-07", amount: "0.77" },
      { date: "2020-05-08", amount: "0.82" },
      { date: "2020-11-06", amount: "0.2" },
    ],
  },
  {
    symbol: "FIVE",
    name: "Fivefold Motors",
    price: 130,
    dollarVolume: 4e9,
    split: { date: SPLIT_DAY, ratio: 5 },
  },
  {
    symbol: "TENTH",
    name: "Tenth Energy, Inc.",
    price: 31,
    dollarVolume: 60e6,
    split: { date: REVERSE_SPLIT_DAY, ratio: 0.1 },
  },
  {
    symbol: "BROAD",
    name: "Broad Software",
    price: 174,
    dollarVolume: 5e9,
    dividends: [
      { date: "2019-11-20", amount: "0.51" },
      { date: "2020-02-19", amount: "0.51" },
      { date: "2020-05-20", amount: "0.51" },
      { date: "2020-08-19", amount: "0.51" },
    ],
  },
  { symbol: "THIN", name: "Thin Devices", price: 240, dollarVolume: 95e6 },
  {
    symbol: "WHOLE",
    name: "Whole Industries",
    price: 120,
    dollarVolume: 400e6,
    spunOff: { date: SPIN_OFF_DAY, share: 0.125 },
  },
  { symbol: "PART", name: "Part Logistics", price: 60, dollarVolume: 120e6, listed: SPIN_OFF_DAY },
  { symbol: "TAKEN", name: "Taken Health", price: 52, dollarVolume: 150e6, delisted: MERGER_DAY },
];

/** A tape carries splits and dividends; a merger and a spin-off reach the exchange by its control API, on their days. */
export const SPIN_OFF = {
  kind: "spin_off",
  symbol: "WHOLE",
  newSymbol: "PART",
  ratio: "0.25",
  costShare: "0.125",
} as const satisfies CorporateAction;
export const MERGER = { kind: "cash_merger", symbol: "TAKEN", cash: "52.5" } as const satisfies CorporateAction;
