import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { alpacaData } from "../../providers/alpaca-data.ts";
import { dateOf } from "../../rows.ts";
import { systemContext } from "../../system-context.ts";
import { loadEvents, storedEvents } from "./load-events.ts";

const market = "PRACTICE";
/** As Alpaca lists them: a dividend is processed when it is paid, a split on its ex-date. */
const DIVIDENDS = [
  { symbol: "FCF", rate: 0.125, ex_date: "2023-05-04", process_date: "2023-05-19" },
  { symbol: "SPY", rate: 1.5062, ex_date: "2023-03-17", process_date: "2023-04-28" },
  { symbol: "SPY", rate: 1.6384, ex_date: "2023-06-16", process_date: "2023-07-31" },
];
const SPLITS = [{ symbol: "SRE", new_rate: 2, old_rate: 1, ex_date: "2023-05-22", process_date: "2023-05-22" }];

let isEmpty = false;
const answer = (url: URL) => {
  if (isEmpty) return new Response(JSON.stringify({ corporate_actions: {}, next_page_token: null }));
  const [start, end] = [url.searchParams.get("start") ?? "", url.searchParams.get("end") ?? ""];
  const inRange = ({ process_date: date }: { process_date: string }) => date >= start && date <= end;
  const found = { cash_dividends: DIVIDENDS.filter(inRange), forward_splits: SPLITS.filter(inRange) };
  return new Response(JSON.stringify({ corporate_actions: found, next_page_token: null }));
};
vi.stubGlobal("fetch", (url: URL) => Promise.resolve(answer(url)));
afterAll(() => vi.unstubAllGlobals());

const data = alpacaData({
  tradingUrl: "http://alpaca",
  dataUrl: "http://alpaca",
  feed: "iex",
  keyId: "k",
  secret: "s",
});
const context = { ...systemContext("test"), marketData: () => data } as unknown as Context;
const load = (through: SessionDate) =>
  loadEvents(context, market, { oldest: addDays(through, -830), through, fresh: 0 });
const dates = async (symbol: string) => (await storedEvents(context, market)).get(symbol)?.map(({ date }) => date);

beforeEach(async () => {
  await db().marketEvent.deleteMany();
  await db().barHistory.deleteMany();
  const row = { through: dateOf("2023-04-03"), symbols: 3, waiting: 0, updatedAt: new Date() };
  await db().barHistory.create({ data: { market, ...row } });
});

it("a dividend is known from its ex-date on, weeks before it is processed", async () => {
  await load("2023-04-03");
  expect(await dates("SPY")).toEqual(["2023-03-17"]);
  expect(await dates("FCF")).toBeUndefined();
  await load("2023-05-04");
  expect(await dates("FCF")).toEqual(["2023-05-04"]);
  expect(await dates("SRE")).toBeUndefined();
});

it("session after session, whatever was processed meanwhile is stored once", async () => {
  for (let through = "2023-05-02"; through <= "2023-08-10"; through = addDays(through, 1)) await load(through);
  expect(await dates("SPY")).toEqual(["2023-03-17", "2023-06-16"]);
  expect(await dates("FCF")).toEqual(["2023-05-04"]);
  expect(await dates("SRE")).toEqual(["2023-05-22"]);
});

it("an answer without one dividend of a whole market is no answer: what is stored of the US market stays", async () => {
  const us = "US";
  const row = { through: dateOf("2023-07-03"), symbols: 3, waiting: 0, updatedAt: new Date() };
  await db().barHistory.create({ data: { market: us, ...row } });
  const loadUs = (through: SessionDate) =>
    loadEvents(context, us, { oldest: addDays(through, -830), through, fresh: 0 });
  await loadUs("2023-07-03");
  const stored = await db().marketEvent.count({ where: { market: us } });
  expect(stored).toBeGreaterThan(0);
  isEmpty = true;
  await expect(loadUs("2023-07-05")).rejects.toThrow("named no dividend from");
  expect(await db().marketEvent.count({ where: { market: us } })).toBe(stored);
  isEmpty = false;
  await loadUs("2023-07-05");
});
