import { expect, it } from "vitest";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { drawEquity } from "./draw-equity.ts";

const RUNNING_AT = "2020-01-06T16:00:00.000Z";

/** A trader's context on a market that knows SPY's last price, or does not answer. */
const contextOf = (userId: string, spy: string | null) =>
  ({
    db: db(),
    actor: { kind: "user", userId, role: "USER", signInId: "test" },
    now: () => new Date("2026-11-22T12:00:00Z"),
    marketData: () => ({
      snapshots: () =>
        spy === null
          ? Promise.reject(new Error("refused"))
          : Promise.resolve(new Map([["SPY", { symbol: "SPY", last: spy, lastAt: RUNNING_AT, bid: null, ask: null }]])),
    }),
  }) as unknown as Context<"user">;

it("while a session runs, SPY ends where the account's line does where its price is known, else at the last close", async () => {
  const { id: userId } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId);
  const point = (session: string, at: string, isClose: boolean) => ({
    ...{ accountId, at: new Date(at), sessionDate: dateOf(session), isClose },
    ...{ equity: "10000", netDeposits: "10000" },
  });
  await db().equityPoint.createMany({
    data: [
      point("2020-01-02", "2020-01-02T21:00:00Z", true),
      point("2020-01-03", "2020-01-03T21:00:00Z", true),
      point("2020-01-06", RUNNING_AT, false),
    ],
  });
  // Each holds the close before its session.
  const closes = { "2020-01-03": 330, "2020-01-06": 315 };
  await db().regimeReading.createMany({
    data: Object.entries(closes).map(([session, spyClose]) => ({
      ...{ market: "PRACTICE" as const, sessionDate: dateOf(session), spyClose },
      ...{ label: "neutral" as const, votes: 0, hasFlipped: false, memory: {} },
    })),
  });
  const drawn = async (spy: string | null) =>
    (await drawEquity(contextOf(userId, spy), {})).benchmark.map(({ at, value }) => [
      new Date(at).toISOString(),
      value,
    ]);
  const atCloses = [
    ["2020-01-02T21:00:00.000Z", 330],
    ["2020-01-03T21:00:00.000Z", 315],
  ];
  expect(await drawn("322.5")).toEqual([...atCloses, [RUNNING_AT, 322.5]]);
  expect(await drawn(null)).toEqual(atCloses);
});
