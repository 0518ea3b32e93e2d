import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { readJson, urlOf } from "./fetch-json.ts";

/** What a company filed, as columns side by side: one row has the same place in each. */
const recent = z.object({
  form: z.array(z.string()),
  items: z.array(z.string()),
  acceptanceDateTime: z.array(z.string()),
});

const company = z.object({
  sic: z.string().nullish(),
  filings: z.object({ recent }),
});

const tickerRow = z.object({ cik_str: z.int().positive().max(9_999_999_999), ticker: z.string().min(1).max(12) });

/** Series of funds: rows as lists, whose columns `fields` names. */
const fundTickers = z.object({ fields: z.array(z.string()), data: z.array(z.array(z.unknown())) });

const RESULTS = "2.02";
/** Three years of quarters: what a mean of eight reports and an estimate of the next one need. */
const MOST_ANNOUNCEMENTS = 12;

/** What the SEC says of a company. */
export interface CompanyFilings {
  /** Standard industrial classification; null where it names none, as of funds. */
  sic: number | null;
  /** When results were filed (8-K, item 2.02), newest first. */
  announcedAt: Instant[];
}

export interface EdgarOptions {
  /** Host of the list of tickers. */
  url: string;
  /** Host of the companies' filings. */
  dataUrl: string;
  /** Contact address of the operator: the SEC blocks requests without one. */
  contact: string;
}

/** EDGAR, the SEC's filing system: no key, a name in every request, at most ten requests a second (the caller keeps to that). */
export function edgar({ url, dataUrl, contact }: EdgarOptions) {
  const headers = { "User-Agent": `Tradewind ${contact}` };
  return {
    /** Central Index Key of every ticker, share classes with a dot as at the broker. Most funds are in a list of their own. */
    async tickers(): Promise<Map<string, number>> {
      const call = { vendor: "SEC EDGAR", operation: "tickers" } as const;
      const list = <S extends z.ZodType>(schema: S, file: string) =>
        readJson(call, schema, urlOf(url, `/files/${file}`), { headers, timeoutMs: 30_000 });
      const companies = tickersOf(Object.values(await list(z.record(z.string(), z.unknown()), "company_tickers.json")));
      const { fields, data } = await list(fundTickers, "company_tickers_mf.json");
      const [cik, symbol] = [fields.indexOf("cik"), fields.indexOf("symbol")];
      const funds = tickersOf(data.map((row) => ({ cik_str: row[cik], ticker: row[symbol] })));
      return new Map([...funds, ...companies]);
    },

    async company(cik: number): Promise<CompanyFilings> {
      const path = `/submissions/CIK${String(cik).padStart(10, "0")}.json`;
      const call = { vendor: "SEC EDGAR", operation: "company" } as const;
      const { sic, filings } = await readJson(call, company, urlOf(dataUrl, path), { headers });
      return { sic: sicOf(sic ?? ""), announcedAt: announcementsOf(filings.recent) };
    },
  };
}

function tickersOf(rows: readonly unknown[]): (readonly [ticker: string, cik: number])[] {
  const read = rows.flatMap((row) => {
    const { data } = tickerRow.safeParse(row);
    return data ? [[data.ticker.toUpperCase().replaceAll("-", "."), data.cik_str] as const] : [];
  });
  // No ticker at all is another kind of answer, not an empty market.
  if (read.length === 0)
    throw new Failure("unavailable", "SEC EDGAR answered in a form that is not known.", { cause: "no ticker" });
  return read;
}

/** Zeros are no industry. */
const sicOf = (text: string): number | null => (/^\d{3,4}$/.test(text) && Number(text) > 0 ? Number(text) : null);

function announcementsOf({ form, items, acceptanceDateTime }: z.output<typeof recent>): Instant[] {
  if (form.length !== items.length || form.length !== acceptanceDateTime.length)
    throw new Failure("unavailable", "SEC EDGAR answered in a form that is not known.", { cause: "uneven columns" });
  const instants = acceptanceDateTime.flatMap((text, i) => {
    const isOfResults = form[i] === "8-K" && items[i]!.split(",").some((item) => item.trim() === RESULTS);
    const at = z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN;
    return isOfResults && Number.isFinite(at) && at > 0 ? [new Date(at).toISOString()] : [];
  });
  return [...new Set(instants)].sort().reverse().slice(0, MOST_ANNOUNCEMENTS);
}
