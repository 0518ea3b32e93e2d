import { expect, it } from "vitest";
import { equityAtClose } from "@/lib/proof/fixtures/performance.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { summarizePortfolio } from "../portfolio/summarize-portfolio.ts";
import { readPerformance } from "./read-performance.ts";
import { readBooks } from "./read-statement.ts";

it("figures are as old as the oldest reading in them, and of the accounts that were read alone", async () => {
  const { id: userId } = await makeUser(db());
  const read = async (asOf: string) => {
    const { id } = await makeAccount(db(), userId);
    await db().equityPoint.create({ data: equityAtClose(id, "2020-01-02", "100", "100") });
    await db().accountFigures.update({
      where: { accountId: id },
      data: { equity: "110", netDeposits: "100", asOf: new Date(asOf) },
    });
  };
  await read("2020-01-03T15:00:00Z");
  await read("2020-01-06T16:00:00Z");
  await makeAccount(db(), userId);
  const context = { actor: { kind: "user", userId, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
  const data = await readPerformance(
    {
      ...context,
      marketData: () => {
        throw new Error("none");
      },
    },
    {},
  );
  expect(data).toMatchObject({ accounts: 2, newestDay: "2020-01-06", sessions: 1 });
  expect(data.asOf).toEqual(new Date("2020-01-03T15:00:00Z"));
  // The running session is that of the latest reading.
  expect(data.days.map(({ session }) => session)).toEqual(["2020-01-02", "2020-01-06"]);
});

it("what an account had made before it was added is told where the period begins with it, and in no figure", async () => {
  const { id: userId } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId);
  const first = { accountId, at: new Date("2020-01-02T16:00:00Z"), sessionDate: dateOf("2020-01-02") };
  await db().equityPoint.createMany({
    data: [
      { ...first, equity: "12000", netDeposits: "10000" },
      equityAtClose(accountId, "2020-01-02", "12100", "10000"),
      equityAtClose(accountId, "2020-01-03", "12300", "10000"),
    ],
  });
  await db().accountFigures.update({
    where: { accountId },
    data: { equity: "12300", netDeposits: "10000", asOf: new Date("2020-01-03T21:00:00Z") },
  });
  const fee = { accountId, type: "FEE", symbol: null, isExternal: false };
  await db().cashFlow.createMany({
    data: [
      { ...fee, activityId: "before", amount: "-77", at: new Date("2019-12-20T05:00:00Z") },
      { ...fee, activityId: "since", amount: "-3", at: new Date("2020-01-03T05:00:00Z") },
    ],
  });
  const context = { actor: { kind: "user", userId, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
  const read = async (input: object) => {
    const { figures, earnedBefore } = await readPerformance(context, input);
    const valueOf = (name: string) => figures.find(({ id }) => id === name)?.value;
    expect(valueOf("tradingFees")).toBe(3);
    return [valueOf("periodPnl"), Number(earnedBefore)];
  };
  expect(await read({})).toEqual([300, 2000]);
  expect(await read({ from: "2020-01-03" })).toEqual([200, 0]);
  expect(Number((await summarizePortfolio(context, {})).pnlTotal)).toBe(2300);
});

it("the statement of an account with crypto or options has nothing that is not read yet", async () => {
  const { id: userId } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId, { broker: "ALPACA" });
  // 500 went into coins, which are worth 300 now after a sale for 150.
  const flow = (activityId: string, amount: string) => ({
    ...{ accountId, activityId, type: "OTHER_ASSET", amount, isExternal: false },
    at: new Date("2020-01-02T05:00:00Z"),
  });
  await db().cashFlow.createMany({ data: [flow("bought", "-500"), flow("sold", "150")] });
  await db().accountFigures.update({
    where: { accountId },
    data: {
      ...{ equity: "9950", cash: "9650", longMarketValue: "300", netDeposits: "10000" },
      asOf: new Date("2020-01-03T16:00:00Z"),
    },
  });
  const books = await readBooks(db(), [{ id: accountId }]);
  const { hasOtherAssets, ...amounts } = books!.statement;
  expect(hasOtherAssets).toBe(true);
  expect(Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, Number(amount)]))).toEqual({
    ...{ deposits: 10_000, realized: 0, unrealized: -50, dividends: 0, fees: 0, unread: 0, equity: 9_950 },
  });
});
