import { expect, it } from "vitest";
import { type Policy, POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import type { NewsRow } from "../../providers/market-data.ts";
import { readNews } from "./read-news.ts";

const UNTIL = "2020-02-03T14:30:00.000Z";
const ago = (days: number, until = UNTIL) => new Date(Date.parse(until) - days * DAY_MS).toISOString();
const item = (days: number): NewsRow => ({
  ...{ id: `n${days}`, symbols: ["AAA"], headline: "AAA beats", summary: "", source: "wire", publishedAt: ago(days) },
});
const looking = (sentiment_window_days: number): Policy => ({
  ...POLICY_2_9_0,
  selector_top50: { ...POLICY_2_9_0.selector_top50, sentiment_window_days },
});

it("news are read as far back as the policy's sentiment looks, and of what is kept only the rest is asked for", async () => {
  const asked: string[] = [];
  const published = [40, 25, 10, 6, 1].map(item);
  const context = {
    ...testContext(),
    marketData: () => ({
      news(since: string) {
        asked.push(since);
        return Promise.resolve(published.filter(({ publishedAt }) => publishedAt >= since));
      },
    }),
  } as unknown as Context;
  const agesOf = async (days: number) =>
    (await readNews(context, "US", UNTIL, looking(days)))?.map(({ ageDays }) => Math.round(ageDays));
  expect(await agesOf(7)).toEqual([6, 1]);
  expect(await agesOf(30)).toEqual([25, 10, 6, 1]);
  expect(asked).toEqual([ago(7), ago(30)]);
  // What is kept reaches back over the shorter window.
  expect(await agesOf(7)).toEqual([6, 1]);
  expect(asked.at(-1)).toBe(ago(1));
});
