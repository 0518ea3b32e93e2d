import { expect, it } from "vitest";
import type { Client } from "./client.ts";
import { fmpEarningsOn, fmpSectors } from "./other-sources.ts";

const answering = (body: unknown) => ({ json: () => Promise.resolve(body) }) as unknown as Client;
const source = { url: "http://fmp", key: "k" };

it("share classes have the broker's dot, and a fund is a fund whatever sector is named with it", async () => {
  const rows = [
    { symbol: "BRK-B", sector: "Financial Services", isEtf: false, isFund: false },
    { symbol: "PDI", sector: "Financial Services", isEtf: false, isFund: true },
    { symbol: "TQQQ", sector: "Financial Services", isEtf: true, isFund: false },
  ];
  expect(Object.fromEntries(await fmpSectors(answering(rows), source))).toEqual({
    "BRK.B": "Financial Services",
    PDI: "ETF",
    TQQQ: "ETF",
  });
  expect(await fmpEarningsOn(answering([{ symbol: "BRK-B", date: "2024-01-20" }]), source, "2024-01-20")).toEqual([
    "2024-01-20,BRK.B",
  ]);
});
