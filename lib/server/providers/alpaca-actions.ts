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

const rate = z.number().positive();
const split = z.object({ symbol: z.string(), new_rate: rate, old_rate: rate, ex_date: z.iso.date() });
const actionsPage = z.object({
  corporate_actions: z.object({
    forward_splits: z.array(split).optional(),
    reverse_splits: z.array(split).optional(),
    cash_dividends: z.array(z.object({ symbol: z.string(), rate, ex_date: z.iso.date() })).optional(),
  }),
  next_page_token: z.string().nullable().optional(),
});

/** Splits and dividends whose ex-date lies in the range, both ends included. */
export async function corporateActions(
  get: AlpacaReader,
  from: SessionDate,
  to: SessionDate,
  pace?: Pace,
): Promise<CorporateActionRow[]> {
  const rows: CorporateActionRow[] = [];
  let token: string | undefined;
  do {
    await pace?.();
    const { corporate_actions: found, next_page_token } = await get("corporateActions", actionsPage, [
      "data",
      "/v1/corporate-actions",
      {
        types: "forward_split,reverse_split,cash_dividend",
        start: addDays(from, -PROCESSED_EARLIER_DAYS),
        end: addDays(to, PROCESSED_LATER_DAYS),
        limit: 1000,
        page_token: token,
      },
    ]);
    for (const { symbol, ex_date: exDate, new_rate, old_rate } of [
      ...(found.forward_splits ?? []),
      ...(found.reverse_splits ?? []),
    ])
      rows.push({ symbol, exDate, kind: "split", value: new_rate / old_rate });
    for (const { symbol, ex_date: exDate, rate: value } of found.cash_dividends ?? [])
      rows.push({ symbol, exDate, kind: "dividend", value });
    token = next_page_token ?? undefined;
  } while (token);
  return rows.filter(({ exDate }) => exDate >= from && exDate <= to);
}
