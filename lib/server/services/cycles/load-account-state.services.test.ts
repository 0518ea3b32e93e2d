import { beforeEach, describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
} from "@/lib/domain/engine/example-market.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import { newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { testContext } from "../orders/bench.ts";
import { loadAccountState } from "./load-account-state.ts";

const TUESDAY_AFTER_A_HOLIDAY = newYorkInstant("2020-01-21", 10, 30);
let accountId: string;

async function firstSeen(at: string): Promise<void> {
  await db().equityPoint.create({
    data: {
      accountId,
      at: new Date(at),
      sessionDate: dateOf(newYork(at).date),
      equity: "100000",
      netDeposits: "100000",
    },
  });
}

const flow = (date: string, amount: string) =>
  db().cashFlow.create({
    data: {
      accountId,
      activityId: `${date} ${amount}`,
      type: amount.startsWith("-") ? "CSW" : "CSD",
      amount,
      isExternal: true,
      at: new Date(newYorkInstant(date, 0, 0)),
    },
  });

/** The state on that Tuesday, when Friday's close was 100,000. */
const stateWith = (equity: string, lastEquity = "100000", at = TUESDAY_AFTER_A_HOLIDAY) =>
  loadAccountState(testContext(), accountId, { equity, lastEquity, cash: equity, buyingPower: equity }, at);

beforeEach(async () => {
  const user = await makeUser(db());
  accountId = (await makeAccount(db(), user.id)).id;
});

describe("the day's loss is what the market took, not what somebody moved", () => {
  const dailyLoss = async (equity: string) => {
    const { lastEquity } = await stateWith(equity);
    const state = exampleAccount({ equity, lastEquity, highWaterMark: equity });
    const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
    return decide(state, market, examplePolicy).candidates[0]?.gates.find(({ code }) => code === "daily_loss");
  };

  beforeEach(() => firstSeen(newYorkInstant("2020-01-16", 10, 0)));

  it("a deposit of the day hides no loss", async () => {
    await flow("2020-01-21", "10000");
    expect(await dailyLoss("106000")).toMatchObject({ passed: false, detail: "-3.64 % today, the line is −3.0 %" });
  });

  it("a withdrawal of the day is no loss", async () => {
    await flow("2020-01-21", "-10000");
    expect(await dailyLoss("90500")).toMatchObject({ passed: true });
  });

  it("what came over the weekend was not there at Friday's close", async () => {
    await flow("2020-01-18", "10000");
    expect((await stateWith("109000")).lastEquity).toBe("110000");
  });

  it("what came on Friday was there at its close", async () => {
    await flow("2020-01-17", "10000");
    expect((await stateWith("109000")).lastEquity).toBe("100000");
  });

  it("after today's close the broker speaks of that one, with today's money in it", async () => {
    await flow("2020-01-21", "10000");
    const evening = newYorkInstant("2020-01-21", 16, 0);
    expect((await stateWith("109000", "109000", evening)).lastEquity).toBe("109000");
  });

  it("a close that the broker does not know stays unknown", async () => {
    await flow("2020-01-21", "10000");
    expect((await stateWith("10000", "0")).lastEquity).toBe("0");
  });
});

it("an account that was not ours at the close keeps what its broker says, which may hold its opening money", async () => {
  await flow("2020-01-21", "100000");
  expect((await stateWith("100000")).lastEquity).toBe("100000");
  await firstSeen(newYorkInstant("2020-01-21", 9, 40));
  expect((await stateWith("100000")).lastEquity).toBe("100000");
});
