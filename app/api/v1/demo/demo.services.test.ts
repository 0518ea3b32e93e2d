import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { callDoor } from "@/lib/proof/call-door.ts";
import { db } from "@/lib/server/db.ts";
import { DEMO_TRADER_EMAIL } from "@/lib/server/demo-trader.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { readDemo } from "@/lib/server/services/demo/read-demo.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import * as door from "./route.ts";

const at = (time: string) => new Date(`2020-02-05T${time}:00.000Z`);

/** A database of its own for the shared reading: what the test before kept is not seen. */
const context = () => {
  const system = systemContext("test");
  return { ...system, db: new Proxy(system.db, {}), actor: { kind: "anonymous" } as const };
};

beforeEach(async () => {
  const email = `${randomUUID()}@example.com`;
  await db().user.updateMany({ where: { email: DEMO_TRADER_EMAIL }, data: { email } });
});

async function makeTrader(): Promise<string> {
  const { id } = await makeUser(db(), { email: DEMO_TRADER_EMAIL });
  return id;
}

async function fill(userId: string, environment: "PRACTICE" | "LIVE", equity: string, symbol: string): Promise<string> {
  const isPractice = environment === "PRACTICE";
  const account = await makeAccount(db(), userId, isPractice ? {} : { broker: "ALPACA", environment: "LIVE" });
  await db().accountFigures.update({
    where: { accountId: account.id },
    data: { equity, lastEquity: equity, cash: "1000", netDeposits: "100000", asOf: at("17:00") },
  });
  await db().equityPoint.create({
    data: {
      accountId: account.id,
      at: at("17:00"),
      sessionDate: dateOf("2020-02-05"),
      isClose: false,
      equity,
      netDeposits: "100000",
    },
  });
  await db().position.create({
    data: {
      accountId: account.id,
      symbol,
      qty: "10",
      avgEntryPrice: "100",
      currentPrice: "101",
      marketValue: "1010",
      unrealizedPnl: "10",
      openedAt: at("15:00"),
    },
  });
  return account.id;
}

it("shows the demo trader's practice account, and no id of anything", async () => {
  const userId = await makeTrader();
  const accountId = await fill(userId, "PRACTICE", "99500.25", "AAPL");
  const { status, json } = await callDoor(door, "GET");
  expect(status).toBe(200);
  expect(json?.data).toMatchObject({ totalValue: 99500.25, positions: [{ symbol: "AAPL", quantity: 10 }] });
  const answered = JSON.stringify(json?.data);
  for (const secret of [userId, accountId, DEMO_TRADER_EMAIL, "href", "accountId"])
    expect(answered).not.toContain(secret);
});

it("shows nothing of the trader's real money", async () => {
  const userId = await makeTrader();
  await fill(userId, "PRACTICE", "99500.25", "AAPL");
  await fill(userId, "LIVE", "777777.00", "MSFT");
  const demo = await readDemo(context());
  expect(String(demo.totalValue)).toBe("99500.25");
  expect(JSON.stringify(demo)).not.toMatch(/MSFT|777,?777/);
});

it("is not found without a demo trader, without a practice account, with an address that was never confirmed, and where DEMO is off", async () => {
  await expect(readDemo(context())).rejects.toMatchObject({ code: "not_found" });
  const userId = await makeTrader();
  await expect(readDemo(context())).rejects.toMatchObject({ code: "not_found" });
  await fill(userId, "PRACTICE", "100000", "AAPL");
  await db().user.update({ where: { id: userId }, data: { emailVerifiedAt: null } });
  await expect(readDemo(context())).rejects.toMatchObject({ code: "not_found" });
  await db().user.update({ where: { id: userId }, data: { emailVerifiedAt: new Date() } });
  await expect(readDemo(context())).resolves.toMatchObject({ cash: expect.anything() as unknown });
  process.env.DEMO = "0";
  forgetEnv();
  try {
    await expect(readDemo(context())).rejects.toMatchObject({ code: "not_found" });
  } finally {
    delete process.env.DEMO;
    forgetEnv();
  }
});

it("a hundred visitors at once cost one reading", async () => {
  await fill(await makeTrader(), "PRACTICE", "100000", "AAPL");
  const shared = context();
  let readings = 0;
  const counted = {
    ...shared,
    db: shared.db.$extends({
      query: { user: { findUnique: ({ args, query }) => (readings++, query(args)) } },
    }) as unknown as typeof shared.db,
  };
  const answers = await Promise.all(Array.from({ length: 100 }, () => readDemo(counted)));
  expect(new Set(answers).size).toBe(1);
  expect(readings).toBe(1);
});
