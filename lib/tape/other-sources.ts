import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { type Client, urlOf } from "./client.ts";
import type { DownloadCommand } from "./options.ts";

const finnhubBody = z.object({ earningsCalendar: z.array(z.object({ date: z.iso.date(), symbol: z.string() })) });
const fmpEarnings = z.array(z.object({ date: z.iso.date(), symbol: z.string() }));
const fmpScreener = z.array(
  z.object({
    symbol: z.string(),
    sector: z.string().nullish(),
    isEtf: z.boolean().nullish(),
    isFund: z.boolean().nullish(),
  }),
);

/** Share classes have a hyphen at Financial Modeling Prep and a dot at the broker. */
const symbolOf = (symbol: string) => symbol.replaceAll("-", ".");

/** Rows of vix.csv from CBOE's history. */
export async function vixRows(client: Client, { cboeUrl, from, to }: DownloadCommand): Promise<string[]> {
  const csv = await client.text("CBOE", urlOf(cboeUrl, "/VIX_History.csv"));
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  if (header.replaceAll(" ", "").toUpperCase() !== "DATE,OPEN,HIGH,LOW,CLOSE")
    throw new Failure("unavailable", "CBOE answered with an unknown table.");
  return lines
    .map((line) => {
      const [date = "", ...values] = line.split(",");
      const [month, day, year] = date.trim().split("/");
      return { date: `${year}-${month}-${day}`, values: values.map(Number) };
    })
    .filter(({ date, values }) => date >= from && date <= to && values.every((value) => value > 0))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
    .map(({ date, values }) => [date, ...values].join(","));
}

/** Rows of earnings.csv for a few days from Finnhub. */
export async function finnhubEarnings(
  client: Client,
  { url, token }: { url: string; token: string },
  from: SessionDate,
  to: SessionDate,
): Promise<string[]> {
  const address = urlOf(url, "/api/v1/calendar/earnings", { from, to });
  const { earningsCalendar } = finnhubBody.parse(await client.json("Finnhub", address, { "X-Finnhub-Token": token }));
  return earningsCalendar.map(({ date, symbol }) => `${date},${symbol}`);
}

/** Rows of earnings.csv for one day: of more than one the vendor silently answers a part. */
export async function fmpEarningsOn(
  client: Client,
  { url, key }: { url: string; key: string },
  date: SessionDate,
): Promise<string[]> {
  const address = urlOf(url, "/stable/earnings-calendar", { from: date, to: date, apikey: key });
  const rows = fmpEarnings.parse(await client.json("Financial Modeling Prep", address));
  return rows.map((row) => `${row.date},${symbolOf(row.symbol)}`);
}

/** Sectors by symbol; a fund's is "ETF". */
export async function fmpSectors(
  client: Client,
  { url, key }: { url: string; key: string },
): Promise<Map<string, string>> {
  const address = urlOf(url, "/stable/company-screener", { limit: 10_000, apikey: key });
  const rows = fmpScreener.parse(await client.json("Financial Modeling Prep", address));
  return new Map(
    rows.flatMap(({ symbol, sector, isEtf, isFund }) => {
      const known = isEtf === true || isFund === true ? "ETF" : sector;
      return known ? [[symbolOf(symbol), known] as const] : [];
    }),
  );
}
