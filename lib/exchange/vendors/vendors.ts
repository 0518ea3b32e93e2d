import { addDays } from "../../domain/time.ts";
import { open, ok, type Call, type Reply, type Route } from "../http/router.ts";

/** Calendar days by which an earnings date is known ahead. */
const EARNINGS_KNOWN_DAYS = 30;

/** Finnhub's earnings calendar: past reports with their numbers, coming ones with the estimate only. */
function finnhubEarnings({ desk, query }: Call): Reply {
  const { hours, nowMs } = desk.view.moment();
  const today = hours.date;
  const from = query.get("from") ?? today;
  const known = addDays(today, EARNINGS_KNOWN_DAYS);
  const asked = query.get("to") ?? known;
  const to = asked < known ? asked : known;
  const symbol = query.get("symbol");
  const isOut = (report: { date: string; hour: string }) =>
    report.date < today || (report.date === today && (report.hour === "bmo" || nowMs >= hours.closesAtMs));
  const reports = desk.market.earnings.filter((report) => report.date >= from && report.date <= to);
  const calendar = reports
    .filter((report) => symbol === null || symbol === "" || report.symbol === symbol)
    .map((report) => ({
      date: report.date,
      epsActual: isOut(report) ? report.epsActual : null,
      epsEstimate: report.epsEstimate,
      hour: report.hour,
      quarter: Math.ceil(Number(report.date.slice(5, 7)) / 3),
      revenueActual: null,
      revenueEstimate: null,
      symbol: report.symbol,
      year: Number(report.date.slice(0, 4)),
    }));
  return ok({ earningsCalendar: calendar });
}

/** CBOE's file: finished sessions only. */
function cboeVix({ desk }: Call): Reply {
  const { hours, isOpen, nowMs } = desk.view.moment();
  const isFinished = (date: string) =>
    date < hours.date || (date === hours.date && !isOpen && nowMs >= hours.closesAtMs);
  const lines = desk.market.vix
    .filter(({ date }) => isFinished(date))
    .map(({ date, open: o, high, low, close }) => {
      const [year, month, day] = date.split("-");
      return `${month}/${day}/${year},${o.toFixed(6)},${high.toFixed(6)},${low.toFixed(6)},${close.toFixed(6)}`;
    });
  return { status: 200, body: `DATE,OPEN,HIGH,LOW,CLOSE\n${lines.join("\n")}\n`, contentType: "text/csv" };
}

/** FMP's screener, from which the product learns sectors. Funds are left out, as the real one does when asked for stocks. */
function fmpScreener({ desk, query }: Call): Reply {
  const limit = Number(query.get("limit") ?? 1_000);
  const listed = desk.market.symbols.flatMap((symbol) => {
    const asset = desk.market.assets.get(symbol);
    const price = desk.view.last(symbol);
    if (asset === undefined || price === undefined) return [];
    return [
      {
        symbol,
        companyName: asset.name,
        sector: asset.sector,
        exchangeShortName: asset.exchange,
        price,
        isEtf: asset.sector === "ETF",
        isActivelyTrading: true,
      },
    ];
  });
  return ok(listed.slice(0, limit));
}

export const vendorRoutes: Route[] = [
  open("/vendors/finnhub/api/v1/calendar/earnings", finnhubEarnings),
  open("/vendors/cboe/VIX_History.csv", cboeVix),
  open("/vendors/fmp/stable/company-screener", fmpScreener),
];
