import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { edgar } from "./edgar.ts";
import { fmp } from "./fmp.ts";

/** What each path answers. */
let answers: Record<string, unknown>;
vi.stubGlobal("fetch", (url: URL) => Promise.resolve(new Response(JSON.stringify(answers[url.pathname]))));
beforeAll(useLeastEnv);
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  answers = {};
});

const sec = edgar({ url: "http://sec", dataUrl: "http://sec", contact: "ops@tradewind.example" });

it("Financial Modeling Prep: a fund is a fund, whatever sector is named with it", async () => {
  answers["/stable/company-screener"] = [
    { symbol: "AAPL", sector: "Technology", isEtf: false, isFund: false },
    { symbol: "TQQQ", sector: "Financial Services", isEtf: true, isFund: false },
    { symbol: "PDI", sector: "Financial Services", isEtf: false, isFund: true },
    { symbol: "VOO", sector: null, isEtf: true },
    { symbol: "NEW", sector: null },
  ];
  expect(Object.fromEntries(await fmp({ url: "http://fmp", key: "k" }).sectors())).toEqual({
    AAPL: "Information Technology",
    TQQQ: "ETF",
    PDI: "ETF",
    VOO: "ETF",
  });
});

it("Financial Modeling Prep: a share class has the broker's dot", async () => {
  answers["/stable/company-screener"] = [{ symbol: "BRK-B", sector: "Financial Services" }];
  expect([...(await fmp({ url: "http://fmp", key: "k" }).sectors())]).toEqual([["BRK.B", "Financials"]]);
});

it("the SEC's list of funds brings the keys of those that are not among its companies", async () => {
  answers["/files/company_tickers.json"] = { 0: { cik_str: 1067983, ticker: "BRK-B", title: "Berkshire Hathaway" } };
  answers["/files/company_tickers_mf.json"] = {
    fields: ["cik", "seriesId", "classId", "symbol"],
    data: [
      [36405, "S000002839", "C000092055", "VOO"],
      [1067983, "S1", "C1", null],
    ],
  };
  expect([...(await sec.tickers())].sort()).toEqual([
    ["BRK.B", 1067983],
    ["VOO", 36405],
  ]);
});

it("a classification of zeros is none", async () => {
  const filings = { recent: { form: [], items: [], acceptanceDateTime: [] } };
  answers["/submissions/CIK0000036405.json"] = { sic: "0000", filings };
  expect(await sec.company(36405)).toEqual({ sic: null, announcedAt: [] });
});
