import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sectorOfSic } from "@/lib/domain/sectors.ts";
import { addDays, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { companySectors } from "../../core/company-sectors.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { PROBES } from "../../providers/probes.ts";
import { edgarSource, marketData } from "../../providers/market-data-registry.ts";
import { systemContext } from "../../system-context.ts";
import { tradableAssets } from "../cycles/market-bars.ts";
import { refreshCompanies } from "./refresh-companies.ts";

/** The exchange stands in for Alpaca's hosts and for the SEC's. */
let exchange: Exchange;
let symbols: string[];
/** What the practice market's own vendors say of the same market. */
let sectorBySymbol: Map<string, string>;
let today: SessionDate;
beforeAll(async () => {
  const controlToken = "test-control-token";
  exchange = await startTestExchange({ port: 0, controlToken, databaseUrl: null, paused: true, seed: 3 });
  await exchange.control.clock({ advanceMinutes: 10 });
  Object.assign(process.env, {
    EXCHANGE_URL: exchange.url,
    EXCHANGE_CONTROL_TOKEN: controlToken,
    ALPACA_PAPER_URL: exchange.url,
    ALPACA_DATA_URL: exchange.url,
    ALPACA_DATA_KEY_ID: "TPDATA",
    ALPACA_DATA_SECRET: controlToken,
    SEC_URL: `${exchange.url}/vendors/edgar`,
    SEC_DATA_URL: `${exchange.url}/vendors/edgar`,
    SEC_CONTACT: "ops@tradewind.example",
  });
  forgetEnv();
  symbols = (await marketData("US").assets()).map(({ symbol }) => symbol).sort();
  const practice = marketData("PRACTICE");
  sectorBySymbol = new Map((await practice.assets()).map(({ symbol, sector }) => [symbol, sector]));
  // Some of the market's symbols, funds among them: each costs a request.
  symbols = symbols.filter((symbol, place) => place % 10 === 0 || sectorBySymbol.get(symbol) === "ETF");
  today = newYork((await practice.clock()).now).date;
});
afterAll(() => exchange.close());
beforeEach(() => db().company.deleteMany());

const DAY_MS = 86_400_000;
let days = 0;
/** Each run on a day of its own: a list that was all read rests for hours. */
const nextDay = () => {
  days += 1;
  const at = new Date(Date.now() + days * DAY_MS);
  const data = marketData("US");
  const assets = async () => (await data.assets()).filter(({ symbol }) => symbols.includes(symbol));
  return { ...systemContext("test"), now: () => at, marketData: () => ({ ...data, assets }) };
};
const refresh = (most?: number) => refreshCompanies(nextDay(), { requestEveryMs: 0, ...(most ? { most } : {}) });
const read = async () => (await db().company.findMany({ orderBy: { symbol: "asc" } })).map(({ symbol }) => symbol);

describe("reading what the SEC says of companies", () => {
  it("continues where the run before ended, until every symbol has its row", async () => {
    await refresh(20);
    expect(await read()).toEqual(symbols.slice(0, 20));
    await refresh(20);
    expect(await read()).toEqual(symbols.slice(0, 40));
    await refresh();
    expect(await read()).toEqual(symbols);
  });

  it("sectors and dates of results are those of the market, and who files without an industry is a fund", async () => {
    await refresh();
    const sectors = await companySectors(db());
    for (const symbol of symbols) {
      expect(sectors.get(symbol), symbol).toBe(sectorBySymbol.get(symbol));
    }
    expect([...sectors.values()]).toContain("ETF");
    const rows = await db().company.findMany({ where: { sic: { not: null } } });
    expect(rows.every(({ sic }) => sectorOfSic(sic!) !== null)).toBe(true);
    const earnings = await marketData("PRACTICE").earnings("2000-01-01", addDays(today, -1));
    for (const { symbol, announcedAt } of rows.slice(0, 50)) {
      const reports = earnings.filter((report) => report.symbol === symbol);
      const newest = reports
        .map(({ date }) => date)
        .sort()
        .reverse()
        .slice(0, 12);
      expect(
        announcedAt.map((at) => at.toISOString().slice(0, 10)),
        symbol,
      ).toEqual(newest);
    }
  });

  it("only rows that are a week old are read again, the oldest first", async () => {
    await refresh();
    const old = symbols.slice(7, 10);
    await db().company.updateMany({ where: { symbol: { in: old } }, data: { readAt: new Date(0), sic: 1 } });
    const before = await db().company.findMany({ where: { symbol: { notIn: old } }, orderBy: { symbol: "asc" } });
    await refresh();
    expect(await db().company.count({ where: { sic: 1 } })).toBe(0);
    expect(await db().company.findMany({ where: { symbol: { notIn: old } }, orderBy: { symbol: "asc" } })).toEqual(
      before,
    );
  });

  it("a company that cannot be read waits for the next run, and five in a row end this one", async () => {
    const { id } = exchange.control.addFault({
      kind: "status",
      status: 503,
      path: "/vendors/edgar/submissions",
      // Two companies, each asked twice.
      count: 4,
    });
    await refresh(20);
    exchange.control.clearFaults(id);
    expect(await read()).toEqual(symbols.slice(2, 20));
    const gone = exchange.control.addFault({
      kind: "status",
      status: 503,
      path: "/vendors/edgar/submissions",
      count: 0,
    });
    await refresh();
    exchange.control.clearFaults(gone.id);
    expect(await read()).toEqual(symbols.slice(2, 20));
    // A source that failed so often is left alone for a moment.
    await vi.waitFor(() => refresh(2), { timeout: 10_000, interval: 100 });
    expect(await read()).toEqual(symbols.slice(0, 20));
  });

  it("five companies that cannot be read end no later turn: the others are read, and these wait for hours", async () => {
    const { id } = exchange.control.addFault({
      ...{ kind: "status", status: 503, path: "/vendors/edgar/submissions" },
      // Five companies, each asked twice.
      count: 10,
    });
    const context = nextDay();
    const turn = () => refreshCompanies(context, { requestEveryMs: 0, most: 20 });
    await turn();
    exchange.control.clearFaults(id);
    expect(await read()).toEqual([]);
    await vi.waitFor(
      async () => {
        await turn();
        expect(await read()).toEqual(symbols.slice(5, 25));
      },
      { timeout: 10_000, interval: 100 },
    );
  });

  it.each(["html", "empty", "truncated", "wrong_types", "limit_note", "huge"] as const)(
    "an answer that is %s leaves no row behind",
    async (form) => {
      const outcomeWith = async (path: string) => {
        const { id } = exchange.control.addFault({ kind: "vendor_garbage", vendor: "edgar", form, path, count: 0 });
        const outcome = await refresh(8).catch((error: unknown) => error);
        expect(exchange.control.faults().find((fault) => fault.id === id)?.struck, path).toBeGreaterThan(0);
        exchange.control.clearFaults(id);
        expect(await read(), path).toEqual([]);
        return outcome;
      };
      // A company that cannot be read is left for the next run; without the list of companies the run fails.
      expect(await outcomeWith("/vendors/edgar/submissions")).toBeUndefined();
      expect(await outcomeWith("/vendors/edgar/files")).toMatchObject({ code: "unavailable" });
    },
  );

  it("a symbol that the SEC does not list has a row that says nothing, and is not asked for again", async () => {
    const context = nextDay();
    const asset = { symbol: "NOWHERE", name: "N", exchange: "NYSE", sector: "Unknown", isTradable: true };
    const only = { ...marketData("US"), assets: () => Promise.resolve([asset]) };
    await refreshCompanies({ ...context, marketData: () => only });
    expect(await db().company.findMany()).toMatchObject([{ symbol: "NOWHERE", cik: null, sic: null, announcedAt: [] }]);
    expect((await companySectors(db())).get("NOWHERE")).toBeUndefined();
  });
});

it("the market's symbols carry the SEC's sectors where no vendor names one, and funds are known as such", async () => {
  await refresh();
  const context = systemContext("test");
  const assets = new Map((await tradableAssets(context, "US")).map((asset) => [asset.symbol, asset]));
  const isRead = (symbol: string) => symbols.includes(symbol);
  for (const { symbol, sector } of assets.values())
    expect(sector, symbol).toBe(isRead(symbol) ? sectorBySymbol.get(symbol) : "Unknown");
});

it("the SEC is asked only where an address is given, and the console says so", async () => {
  const probe = PROBES.find(({ provider }) => provider === "SEC EDGAR")!;
  expect(probe.absence()).toBeNull();
  expect(await probe.ask(new Date())).toBe(`The list of companies answers: ${sectorBySymbol.size} tickers.`);
  delete process.env.SEC_CONTACT;
  forgetEnv();
  expect(edgarSource()).toBeNull();
  expect(probe.absence()).toBe("Not configured: SEC_CONTACT is not set.");
  await refreshCompanies(nextDay());
  expect(await db().company.count()).toBe(0);
});
