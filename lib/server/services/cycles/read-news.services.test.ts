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

const reading = (rows: NewsRow[]) =>
  ({ ...testContext(), marketData: () => ({ news: () => Promise.resolve(rows) }) }) as unknown as Context;

it("copies of one story count once for each stock, and the same words days later are another story", async () => {
  const copy = (id: string, days: number, headline: string, symbols = ["CCC"]) => ({
    ...item(days),
    ...{ id, headline, symbols },
  });
  const rows = [
    copy("c1", 4, "CCC beats"),
    copy("c2", 1.5, "CCC beats", ["CCC", "CCC", "DDD"]),
    copy("c3", 1.4, "CCC beats!"),
    copy("c4", 1.3, "Ccc  Beats"),
    copy("c5", 1.2, "CCC raises its outlook"),
  ];
  const found = (await readNews(reading(rows), "US", UNTIL, looking(7))) ?? [];
  const agesOf = (name: string) => found.filter(({ symbol }) => symbol === name).map(({ ageDays }) => ageDays);
  expect([agesOf("CCC"), agesOf("DDD")]).toEqual([[4, 1.5, 1.2], [1.5]]);
});

it("a feed of the US market that stopped two sessions ago is no quiet market", async () => {
  const later = "2021-02-03T14:30:00.000Z";
  expect(
    await readNews(reading([{ ...item(1), id: "old", publishedAt: ago(3, later) }]), "US", later, looking(7)),
  ).toBeNull();
  const rows = [{ ...item(2), id: "new", publishedAt: ago(1, later) }];
  expect(await readNews(reading(rows), "US", later, looking(7))).toHaveLength(2);
  expect(await readNews(reading([]), "PRACTICE", "2022-02-03T14:30:00.000Z", looking(7))).toEqual([]);
});
