import { expect, it } from "vitest";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import type { Context } from "../../context.ts";
import type { SnapshotRow } from "../../providers/market-data.ts";
import { readQuotes } from "./run-screening.ts";

const AT = "2026-11-25T15:00:00.000Z";
const { max_quote_age_seconds } = POLICY_2_9_0.pretrade_filters;
const before = (seconds: number) => new Date(Date.parse(AT) - seconds * 1_000).toISOString();

it.each([
  ["of this moment", AT, true],
  ["as old as a last price may be", before(max_quote_age_seconds), true],
  ["a second older", before(max_quote_age_seconds + 1), false],
  ["of yesterday", before(86_400), false],
  ["of no known time", null, false],
])("bid and ask %s", async (_, quotedAt, isKept) => {
  const row: SnapshotRow = { symbol: "ABC", last: "100", lastAt: AT, bid: "101.9", ask: "102.4", quotedAt };
  const context = {
    marketData: () => ({ snapshots: () => Promise.resolve(new Map([["ABC", row]])) }),
  } as unknown as Context;
  const quotes = await readQuotes(context, { market: "US", symbols: ["ABC"], at: AT, policy: POLICY_2_9_0 });
  const sides = isKept ? { bid: "101.9", ask: "102.4" } : { bid: null, ask: null };
  expect(quotes.get("ABC")).toEqual({ last: "100", at: AT, ...sides });
});
