import * as z from "zod";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { AlpacaReader } from "./alpaca-reader.ts";
import type { CorporateActionRow, Pace } from "./market-data.ts";

/**
 * Alpaca looks actions up by the day it processes them: for a dividend the day it is paid, weeks after the ex-date, and some days
 * before it where a large one trades with due bills.
 */
const PROCESSED_LATER_DAYS = 90;
const PROCESSED_EARLIER_DAYS = 14;

const rate = z.number().positive().max(1_000_000);
const common = { symbol: z.string(), ex_date: z.iso.date() };
const split = z
  .object({ ...common, new_rate: rate, old_rate: rate })
  .transform((row) => ({ ...row, value: row.new_rate / row.old_rate }));
/** Shares on top of those that are held, for each of them. */
const stockDividend = z.object({ ...common, rate }).transform((row) => ({ ...row, value: 1 + row.rate }));
const cashDividend = z.object({ ...common, rate }).transform((row) => ({ ...row, value: row.rate }));
/** What is left of a row that cannot be read: whose it is, and when it takes effect. */
const remains = z.object({
  symbol: z.string(),
  ex_date: z.iso.date().optional().catch(undefined),
  process_date: z.iso.date().optional().catch(undefined),
});

const rows = z.array(z.unknown()).optional();
const actionsPage = z.object({
  corporate_actions: z.object({
    forward_splits: rows,
    reverse_splits: rows,
    stock_dividends: rows,
    cash_dividends: rows,
  }),
  next_page_token: z.string().nullable().optional(),
});
type Found = z.output<typeof actionsPage>["corporate_actions"];

/** Splits and dividends whose ex-date lies in the range, both ends included. */
export async function corporateActions(
  get: AlpacaReader,
  from: SessionDate,
  to: SessionDate,
  pace?: Pace,
): Promise<CorporateActionRow[]> {
  const read: CorporateActionRow[] = [];
  let token: string | undefined;
  do {
    await pace?.();
    const page = await get("corporateActions", actionsPage, [
      "data",
      "/v1/corporate-actions",
      {
        types: "forward_split,reverse_split,stock_dividend,cash_dividend",
        start: addDays(from, -PROCESSED_EARLIER_DAYS),
        end: addDays(to, PROCESSED_LATER_DAYS),
        limit: 1000,
        page_token: token,
      },
    ]);
    read.push(...rowsOf(page.corporate_actions));
    token = page.next_page_token ?? undefined;
  } while (token);
  return read.filter(({ exDate }) => exDate >= from && exDate <= to);
}

const UNREAD = { split: "split without ratio", dividend: "dividend without amount" } as const;

/** One row that cannot be read says so; the others stay. */
function rowsOf(found: Found): CorporateActionRow[] {
  const readAs = (kind: "split" | "dividend", schema: typeof split | typeof stockDividend, list: unknown[] = []) =>
    list.flatMap((row): CorporateActionRow[] => {
      const { data } = schema.safeParse(row);
      if (data !== undefined) return [{ symbol: data.symbol, exDate: data.ex_date, kind, value: data.value }];
      const left = remains.safeParse(row).data;
      const exDate = left?.ex_date ?? left?.process_date;
      return exDate === undefined ? [] : [{ symbol: left!.symbol, exDate, kind: UNREAD[kind], value: 1 }];
    });
  return [
    ...readAs("split", split, found.forward_splits),
    ...readAs("split", split, found.reverse_splits),
    ...readAs("split", stockDividend, found.stock_dividends),
    ...readAs("dividend", cashDividend, found.cash_dividends),
  ];
}
