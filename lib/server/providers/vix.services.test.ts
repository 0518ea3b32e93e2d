import { afterAll, beforeAll, expect, it } from "vitest";
import { startExchange, type Exchange } from "@/lib/exchange/start.ts";
import { fixtureTape } from "@/lib/proof/market/fixture-tape.ts";
import { env, forgetEnv } from "../env.ts";
import { cboe } from "./cboe.ts";
import { fred } from "./fred.ts";
import { marketData } from "./market-data-registry.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startExchange({ port: 0, databaseUrl: null, tape: fixtureTape(), start: "2020-03-09" });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
}, 120_000);
afterAll(() => exchange.close());

const FROM = "2020-02-03";
const THROUGH = "2020-03-06";
const at = (vendor: string) => `${env().EXCHANGE_URL}/vendors/${vendor}`;
const ofCboe = () => cboe({ url: at("cboe") }).vix(FROM, THROUGH);
const ofFred = () => fred({ url: at("fred") }).vix(FROM, THROUGH);

it("CBOE and FRED name the same closes of the same sessions, to the cent", async () => {
  const [closes, series] = [await ofCboe(), await ofFred()];
  expect(closes.length).toBeGreaterThan(20);
  expect(closes.at(-1)?.session).toBe(THROUGH);
  expect(series.map(({ session, close }) => [session, close.toFixed(2)])).toEqual(
    closes.map(({ session, close }) => [session, close.toFixed(2)]),
  );
});

it.each([
  ["is unavailable", { kind: "status", status: 503, path: "/vendors/cboe" }],
  ["answers garbage", { kind: "vendor_garbage", vendor: "cboe" }],
] as const)("while CBOE %s, the VIX of a market comes from FRED", async (_, fault) => {
  const series = await ofFred();
  const { id } = exchange.control.addFault({ ...fault, count: 0 });
  try {
    expect(await marketData("PRACTICE").vix(FROM, THROUGH)).toEqual(series);
  } finally {
    exchange.control.clearFaults(id);
  }
});
