import { expect, it } from "vitest";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { addDays } from "@/lib/domain/time.ts";
import { closedTrip, equityAtClose, writeFill } from "@/lib/proof/fixtures/performance.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { listRoundTrips } from "./list-round-trips.ts";
import { readPerformance } from "./read-performance.ts";

it("turnover counts what was traded in the sessions that it is divided by, none of the years before the account was added", async () => {
  const { id: userId } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId, { broker: "ALPACA" });
  const sessions = sessionsBetween("2026-02-02", "2026-03-13");
  const at = new Date("2026-02-02T16:00:00Z");
  await db().equityPoint.createMany({
    data: [
      { accountId, at, sessionDate: dateOf("2026-02-02"), equity: "120000", netDeposits: "100000" },
      ...sessions.map((session) => equityAtClose(accountId, session, "120000", "100000")),
    ],
  });
  const context = { actor: { kind: "user", userId, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
  const turnover = async () =>
    (await readPerformance(context, {})).figures.find(({ id }) => id === "annualTurnover")?.value;
  // The history at the broker, up to the minutes before the first reading.
  await writeFill(accountId, "BUY", "30000", "2025-05-05T15:00:00.000Z");
  await writeFill(accountId, "SELL", "30000", "2026-02-02T15:59:00.000Z");
  expect(await turnover()).toBe(0);
  await writeFill(accountId, "BUY", "1200", `${addDays("2026-02-02", 1)}T15:00:00.000Z`);
  expect(await turnover()).toBeCloseTo((0.5 * 12_000 * 252) / (120_000 * sessions.length), 12);
});

it("round trips that ended before the figures of their account begin are in none of them, nor in their list", async () => {
  const { id: userId } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId, { broker: "ALPACA" });
  const at = new Date("2026-02-02T16:00:00Z");
  const first = { accountId, at, sessionDate: dateOf("2026-02-02"), equity: "120000", netDeposits: "100000" };
  await db().equityPoint.createMany({ data: [first, equityAtClose(accountId, "2026-02-03", "120000", "100000")] });
  await db().roundTrip.createMany({
    data: [
      closedTrip(accountId, "OLD", "2026-02-02T15:59:00Z", "-50"),
      closedTrip(accountId, "NEW", "2026-02-03T15:00:00Z", "40"),
    ],
  });
  const context = { actor: { kind: "user", userId, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
  const { trips: totals, bySymbol, distribution, best, worst } = await readPerformance(context, {});
  expect(totals).toMatchObject({ wins: 1, losses: 0 });
  expect(bySymbol.map(({ key }) => key)).toEqual(["NEW"]);
  expect(distribution.reduce((all, { trips }) => all + trips, 0)).toBe(1);
  expect([best, worst].map((trips) => trips.map(({ symbol }) => symbol))).toEqual([["NEW"], []]);
  const { trips } = await listRoundTrips(context, { limit: 10 });
  expect(trips.map(({ symbol }) => symbol)).toEqual(["NEW"]);
});
