import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sectorNamed, sectorOfSic, SECTORS, SIC_RANGES } from "./sectors.ts";

describe("the sector of an industry", () => {
  it.each([
    [3571, "Information Technology"], // electronic computers
    [3674, "Information Technology"], // semiconductors
    [7372, "Information Technology"], // prepackaged software
    [2834, "Health Care"], // pharmaceutical preparations
    [3841, "Health Care"], // surgical instruments
    [6324, "Health Care"], // hospital and medical service plans
    [6021, "Financials"], // national commercial banks
    [6331, "Financials"], // casualty insurance
    [6798, "Real Estate"], // real estate investment trusts
    [2911, "Energy"], // petroleum refining
    [1311, "Energy"], // crude petroleum and natural gas
    [4911, "Utilities"], // electric services
    [4813, "Communication Services"], // telephone
    [4841, "Communication Services"], // cable television
    [5331, "Consumer Staples"], // variety stores
    [2080, "Consumer Staples"], // beverages
    [5812, "Consumer Discretionary"], // eating places
    [3711, "Consumer Discretionary"], // motor vehicles
    [5211, "Consumer Discretionary"], // building materials
    [3721, "Industrials"], // aircraft
    [4011, "Industrials"], // railroads
    [2860, "Materials"], // industrial organic chemicals
    [3312, "Materials"], // steel works
    [6221, "ETF"], // commodity trusts
    [6722, "ETF"], // open-end management investment offices
    [6726, "ETF"], // unit investment trusts, closed-end funds
    [6770, "Financials"], // blank checks
  ])("%i is %s", (sic, sector) => expect(sectorOfSic(sic)).toBe(sector));

  it("is one of the eleven, a fund or none, for every number", () => {
    const known: unknown[] = [...SECTORS, "ETF", null];
    fc.assert(fc.property(fc.integer({ min: -10, max: 12_000 }), (sic) => known.includes(sectorOfSic(sic))));
    for (const sic of [0, 99, 1800, 6600, 8888, 9995, 12_000]) expect(sectorOfSic(sic)).toBeNull();
  });

  it("each of the eleven has industries", () => {
    const found = new Set(Array.from({ length: 10_000 }, (_, sic) => sectorOfSic(sic)));
    expect([...SECTORS].filter((sector) => !found.has(sector))).toEqual([]);
  });

  it("ranges ascend and do not overlap, so that their order decides nothing", () => {
    const bounds = SIC_RANGES.flatMap(([first, last]) => [first, last + 0.5]);
    expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
  });
});

it("vendors' names of one sector are one name, and an unknown name stays", () => {
  expect(["Technology", "Healthcare", "Basic Materials"].map(sectorNamed)).toEqual([
    "Information Technology",
    "Health Care",
    "Materials",
  ]);
  for (const name of [...SECTORS, "ETF", "constructor", "__proto__", "Space"]) expect(sectorNamed(name)).toBe(name);
});
