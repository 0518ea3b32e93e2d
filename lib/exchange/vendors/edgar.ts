import type { ExchangeState } from "../book/state.ts";
import { type Call, ok, open, type OpenHandler, type Reply, type Route } from "../http/router.ts";
import { newYorkInstant } from "../../domain/time.ts";
import { lastKnownDate, reportsBetween } from "./reports.ts";

/** One industry of each sector of the market; funds have none. */
const INDUSTRIES: Record<string, string> = {
  "Communication Services": "4813",
  "Consumer Discretionary": "5812",
  "Consumer Staples": "2080",
  Energy: "1311",
  Financials: "6021",
  "Health Care": "2834",
  Industrials: "3721",
  "Information Technology": "7372",
  Materials: "2860",
  "Real Estate": "6798",
  Utilities: "4911",
};
const FIRST_CIK = 1_000;

const refused: Reply = {
  status: 403,
  body: "<html><body><h1>Undeclared Automated Tool</h1></body></html>",
  contentType: "text/html",
};

/** The SEC asks every program for a name and an address. */
const named =
  (serve: OpenHandler): OpenHandler =>
  (call) =>
    /\S+@\S+/.test(String(call.sent?.["user-agent"] ?? "")) ? serve(call) : refused;

const tickerOf = (symbol: string) => symbol.replaceAll(".", "-");

/** Symbols with their keys: funds are in a list of their own. */
const listed = ({ market }: ExchangeState, isOfFunds: boolean) =>
  market.symbols
    .map((symbol, index) => ({ symbol, cik: FIRST_CIK + index, asset: market.assets.get(symbol) }))
    .filter(({ asset }) => (asset?.sector === "ETF") === isOfFunds);

function fundTickers({ state }: Call): Reply {
  const data = listed(state, true).map(({ symbol, cik }) => [cik, `S${cik}`, `C${cik}`, tickerOf(symbol)]);
  return ok({ fields: ["cik", "seriesId", "classId", "symbol"], data });
}

function companyTickers({ state }: Call): Reply {
  const rows = listed(state, false).map(({ symbol, cik, asset }) => ({
    cik_str: cik,
    ticker: tickerOf(symbol),
    title: asset?.name ?? symbol,
  }));
  return ok(Object.fromEntries(rows.map((row, index) => [String(index), row])));
}

/** An 8-K of results for each report that is out, between filings of other kinds; newest first, as columns. */
function filingsOf(state: ExchangeState, symbol: string) {
  const reports = reportsBetween(state, "1900-01-01", lastKnownDate(state), symbol).filter((report) => report.isOut);
  const filings = reports.reverse().flatMap(({ date, hour }, index) => {
    const acceptedAt = hour === "bmo" ? newYorkInstant(date, 7, 0) : newYorkInstant(date, 16, 5);
    const accession = `0000000000-${date.slice(2, 4)}-${String(index).padStart(6, "0")}`;
    const filed = { accessionNumber: accession, filingDate: date, acceptanceDateTime: acceptedAt };
    return [
      { ...filed, form: "10-Q", items: "" },
      { ...filed, form: "8-K", items: "2.02,9.01" },
      { ...filed, form: "8-K", items: "5.02" },
    ];
  });
  const column = (name: keyof (typeof filings)[number]) => filings.map((filing) => filing[name]);
  return {
    accessionNumber: column("accessionNumber"),
    filingDate: column("filingDate"),
    acceptanceDateTime: column("acceptanceDateTime"),
    form: column("form"),
    items: column("items"),
  };
}

function submissions({ state, params }: Call): Reply {
  const cik = Number(/^CIK(\d{10})\.json$/.exec(params[0] ?? "")?.[1] ?? Number.NaN);
  const symbol = state.market.symbols[cik - FIRST_CIK];
  const asset = symbol === undefined ? undefined : state.market.assets.get(symbol);
  if (symbol === undefined || asset === undefined)
    return { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>", contentType: "application/xml" };
  return ok({
    cik: String(cik).padStart(10, "0"),
    name: asset.name,
    tickers: [tickerOf(symbol)],
    exchanges: [asset.exchange],
    sic: INDUSTRIES[asset.sector ?? ""] ?? "",
    sicDescription: "",
    filings: { recent: filingsOf(state, symbol), files: [] },
  });
}

/** The SEC's filing system: tickers and what each company filed. It asks for no key. */
export const edgarRoutes: Route[] = [
  open("/vendors/edgar/files/company_tickers.json", named(companyTickers)),
  open("/vendors/edgar/files/company_tickers_mf.json", named(fundTickers)),
  open("/vendors/edgar/submissions/{file}", named(submissions)),
];
