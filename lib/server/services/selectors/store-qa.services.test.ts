import { beforeEach, expect, it } from "vitest";
import type { BrokerName } from "@/lib/domain/enums.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { QA_RULE_IDS } from "@/lib/domain/qa/rule.ts";
import type { ScreenResult } from "@/lib/domain/screening/screen-market.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { systemContext } from "../../system-context.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { storeQa } from "./store-qa.ts";

const context = systemContext("test");
const AT = "2020-02-03T14:30:00.000Z";

const result = (change: Partial<ScreenResult> = {}): ScreenResult => ({
  market: "PRACTICE",
  sessionDate: "2020-02-03",
  eligibleCount: 0,
  exclusions: {},
  scores: [],
  seats: [],
  forcedOut: [],
  swaps: [],
  refusedSwaps: [],
  promoted: [],
  fastTracked: [],
  sectorSeats: {},
  memory: { sessionDate: "2020-02-03", seats: [], composites: {} },
  ...change,
});

let selectionId: string;

beforeEach(async () => {
  await activePolicy(context);
  await db().account.deleteMany();
  await db().selection.deleteMany();
  await db().logEvent.deleteMany();
  const row = { market: "PRACTICE" as const, sessionDate: dateOf("2020-02-03"), policyVersion: "2.9.0" };
  selectionId = (await db().selection.create({ data: { ...row, metadata: {}, memory: {} } })).id;
});

const judge = (change: Partial<ScreenResult> = {}) =>
  storeQa(context, { selectionId, result: result(change), regime: "risk_on", policy: POLICY_2_9_0, at: AT });

/** An account with one name of ours in its book, as a share of its equity. */
async function holding(share: number, broker: BrokerName = "PRACTICE") {
  const { id: accountId } = await makeAccount(db(), (await makeUser(db())).id, { broker, equity: "100000" });
  const marketValue = 100_000 * share;
  await db().accountFigures.update({ where: { accountId }, data: { longMarketValue: marketValue } });
  await db().position.create({
    data: {
      accountId,
      symbol: "AAA",
      qty: 10,
      avgEntryPrice: 1,
      marketValue,
      strategy: "MOMENTUM",
      openedAt: new Date(AT),
    },
  });
}

const stored = async () =>
  new Map((await db().qaResult.findMany({ where: { selectionId } })).map((row) => [row.ruleId, row]));

it("stores the six rules with their margins once, however many workers come by", async () => {
  const swaps = Array.from({ length: 2 }, (_, i) => ({
    challenger: `N${i}`,
    incumbent: `O${i}`,
    margin: 6,
    isFastTracked: false,
  }));
  await holding(0.05);
  await Promise.all(Array.from({ length: 10 }, () => judge({ swaps, sectorSeats: { Energy: 4 } })));
  await judge({ swaps: [] });
  const rows = await stored();
  expect(await db().qaResult.count()).toBe(6);
  expect([...rows.keys()].toSorted()).toEqual([...QA_RULE_IDS].toSorted());
  for (const { status, at } of rows.values())
    expect({ status, at: at.toISOString() }).toEqual({ status: "PASS", at: AT });
  const { max_swaps, max_sector_seats } = POLICY_2_9_0.selector_top50;
  expect(rows.get("swap_limits")?.margin).toBe(max_swaps - 2);
  const { max_name_fraction, cash_buffer } = POLICY_2_9_0.portfolio_limits;
  expect(rows.get("allocation")?.margin).toBeCloseTo(Math.min(max_name_fraction - 0.05, 1 - cash_buffer - 0.05), 9);
  // No symbol was promoted and a selection buys nothing: there is no distance to measure.
  for (const ruleId of ["promotion_quality", "conviction_gates"] as const) expect(rows.get(ruleId)?.margin).toBeNull();
  expect(rows.get("sector_quotas")?.margin).toBe(max_sector_seats - 4);
  expect(await db().logEvent.count()).toBe(0);
});

it("a book beyond its limits fails with the distance, and is logged; books of other markets are not asked", async () => {
  await holding(0.05);
  await holding(0.5, "ALPACA");
  await judge();
  const limit = POLICY_2_9_0.portfolio_limits.max_name_fraction;
  expect((await stored()).get("allocation")?.margin).toBeCloseTo(limit - 0.05, 9);

  await db().qaResult.deleteMany();
  await holding(limit + 0.01);
  await judge();
  const failed = (await stored()).get("allocation");
  expect(failed).toMatchObject({ status: "FAIL", severity: "critical" });
  expect(failed?.margin).toBeCloseTo(-0.01, 9);
  expect(await db().logEvent.findMany()).toMatchObject([
    { level: "error", message: expect.stringMatching(/^QA allocation failed: AAA is /), context: { selectionId } },
  ]);
});

it("what cannot be judged is stored as unknown, without a margin", async () => {
  await judge({ promoted: ["GONE"] });
  expect((await stored()).get("promotion_quality")).toMatchObject({ status: "UNKNOWN", margin: null });
});
