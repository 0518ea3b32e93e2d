import { describe, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { judge, screened, watch } from "@/lib/proof/fixtures/selections.ts";
import { admin, beforeAnyScreening, readHistory, readQa, readWatchlist } from "@/lib/proof/fixtures/selector-doors.ts";
import * as historyDoor from "./qa-results/history/route.ts";

beforeAnyScreening();

describe("the earnings watchlist", () => {
  it("is the last session's, counted by risk, by rank and by day; an unknown upside is null", async () => {
    await screened("2020-02-04", { metadata: { hasEarnings: true } });
    await watch("OLD", 1, { sessionDate: dateOf("2020-02-03") });
    await watch("BBB", 2, {
      riskLevel: "LOW",
      earningsTime: "BMO",
      upside: 0,
      upsideSource: "none",
      volumeRatio: null,
    });
    await watch("AAA", 1, { earningsDate: dateOf("2020-02-10") });
    await watch("CCC", 3, { riskLevel: "MEDIUM" });
    const list = await readWatchlist();
    expect(list).toMatchObject({
      isCurrent: true,
      // The market's clock is unavailable: days are counted from the session.
      today: "2020-02-04",
      metadata: { totalStocks: 3, lowRisk: 1, mediumRisk: 1, highRisk: 1, lastUpdated: "2020-02-04T14:30:00.000Z" },
    });
    expect(list.watchlist.map(({ symbol }) => symbol)).toEqual(["AAA", "BBB", "CCC"]);
    expect(list.watchlist[1]).toMatchObject({ upside: null, earningsTime: "BMO", volumeRatio: null, lastPrice: 20.5 });
    expect(list.calendar.map(({ date, stocks }) => [date, stocks.map(({ symbol }) => symbol)])).toEqual([
      ["2020-02-06", ["BBB", "CCC"]],
      ["2020-02-10", ["AAA"]],
    ]);
  });

  it("is empty where no company reports soon, and an earlier session's where the calendar was unavailable", async () => {
    await watch("OLD", 1, { sessionDate: dateOf("2020-02-03") });
    const { id } = await screened("2020-02-04", { metadata: { hasEarnings: true } });
    expect(await readWatchlist()).toMatchObject({ sessionDate: "2020-02-04", isCurrent: true, watchlist: [] });
    await db().selection.update({ where: { id }, data: { metadata: { hasEarnings: false } } });
    expect(await readWatchlist()).toMatchObject({
      sessionDate: "2020-02-03",
      isCurrent: false,
      metadata: { lastUpdated: "2020-02-03T14:30:00.000Z" },
      watchlist: [{ symbol: "OLD" }],
    });
    await db().earningsWatch.deleteMany();
    expect(await readWatchlist()).toMatchObject({ sessionDate: "2020-02-04", isCurrent: false, watchlist: [] });
  });
});

describe("QA results", () => {
  it("are the last selection's: what could not be judged counts as failed; metrics look back over selections", async () => {
    const before = await screened("2020-02-03");
    await judge(before.id, "allocation", "FAIL", "critical", -0.02);
    await judge(before.id, "swap_limits", "PASS", "high", 3);
    const { id } = await screened("2020-02-04");
    await judge(id, "swap_limits", "PASS", "high", 5);
    await judge(id, "allocation", "UNKNOWN", "critical", null);
    const other = await screened("2020-02-05", { market: "US" });
    await judge(other.id, "swap_limits", "FAIL");
    const qa = await readQa();
    expect(qa).toMatchObject({
      flags: { qaLiveGate: false, qaHistory: false },
      metadata: {
        totalRules: 2,
        passedRules: 1,
        failedRules: 1,
        criticalFailures: 1,
        lastUpdated: "2020-02-04T14:30:00.000Z",
      },
    });
    expect(qa.results).toEqual([
      {
        ruleId: "allocation",
        passed: false,
        status: "UNKNOWN",
        severity: "critical",
        message: "said",
        expected: "this",
        actual: "that",
        margin: null,
        timestamp: "2020-02-04T14:30:00.000Z",
      },
      expect.objectContaining({ ruleId: "swap_limits", passed: true, margin: 5 }),
    ]);
    expect(qa.metrics).toEqual({
      selections: 2,
      rules: [
        {
          ruleId: "allocation",
          severity: "critical",
          passed: 0,
          failed: 2,
          unknown: 1,
          smallestMargin: -0.02,
          lastFailedOn: "2020-02-04",
        },
        {
          ruleId: "swap_limits",
          severity: "high",
          passed: 2,
          failed: 0,
          unknown: 0,
          smallestMargin: 3,
          lastFailedOn: null,
        },
      ],
    });
  });

  it("follow their flags", async () => {
    for (const name of ["qa_live_gate", "qa_history"]) await db().featureFlag.create({ data: { name, enabled: true } });
    expect((await readQa()).flags).toEqual({ qaLiveGate: true, qaHistory: true });
  });

  it("have a history that pages by cursor, newest first, each selection once", async () => {
    const sessions = ["2020-02-03", "2020-02-04", "2020-02-05", "2020-02-06", "2020-02-07"];
    for (const session of sessions) await judge((await screened(session)).id, "allocation", "PASS", "critical", 0.01);
    const seen: string[] = [];
    let query = "limit=2";
    for (let page = 0; page < 3; page += 1) {
      const { selections, pagination } = await readHistory(query);
      seen.push(...selections.map(({ sessionDate }) => sessionDate));
      for (const { results } of selections) expect(results).toMatchObject([{ ruleId: "allocation", margin: 0.01 }]);
      query = `limit=2&cursor=${pagination.nextCursor}`;
      if (page === 2) expect(pagination.nextCursor).toBeNull();
    }
    expect(seen).toEqual(sessions.toReversed());
    expect((await callDoor(historyDoor, "GET", { token: admin, query: "cursor=x" })).status).toBe(400);
    expect((await callDoor(historyDoor, "GET", { token: admin, query: "limit=31" })).status).toBe(400);
  });
});
