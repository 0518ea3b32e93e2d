import { beforeAll, beforeEach, expect, it } from "vitest";
import { callDoor } from "@/lib/proof/call-door.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as heartbeat from "../../automation/heartbeat/route.ts";
import * as door from "./route.ts";

let [admin, trader, practiceTrader] = ["", "", ""];

beforeAll(async () => {
  admin = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  const user = await makeUser(db());
  await makeAccount(db(), user.id, { broker: "ALPACA" });
  trader = await makeSignIn(db(), user);
  const practiceUser = await makeUser(db());
  await makeAccount(db(), practiceUser.id);
  practiceTrader = await makeSignIn(db(), practiceUser);
});
beforeEach(async () => {
  for (const name of ["ALPACA_DATA_KEY_ID", "ALPACA_DATA_SECRET", "SEC_CONTACT"])
    Reflect.deleteProperty(process.env, name);
  for (const name of ["FINNHUB_TOKEN", "FMP_API_KEY", "ALPHA_VANTAGE_KEY"]) Reflect.deleteProperty(process.env, name);
  forgetEnv();
  await db().company.deleteMany();
  await db().barHistory.deleteMany();
});

const configure = (settings: Record<string, string>) => {
  Object.assign(process.env, settings);
  forgetEnv();
};
const KEYS = { ALPACA_DATA_KEY_ID: "PKDATA", ALPACA_DATA_SECRET: "s".repeat(16) };

const HISTORY = {
  market: "US",
  through: new Date("2026-11-20"),
  eventsThrough: new Date("2026-11-20"),
  symbols: 9_800,
  waiting: 0,
  updatedAt: new Date(),
} as const;

const states = async () => {
  const { json } = await callDoor(door, "GET", { token: admin });
  const { needs } = json?.data as unknown as { needs: { need: string; state: string }[] };
  return Object.fromEntries(needs.map(({ need, state }) => [need, state]));
};
const limitation = async (token: string) => {
  const { json } = await callDoor(heartbeat, "GET", { token });
  return (json?.data as unknown as { limitation: string | null }).limitation;
};

it("an installation without data of the US market says so, to administrators and to those who trade there", async () => {
  expect(await states()).toEqual({ "Market data": "missing" });
  expect(await limitation(trader)).toMatch(/US market data is not connected/);
  expect(await limitation(practiceTrader)).toBeNull();
});

it("during the first load of bars, administrators see how far it is, and traders that nothing is bought", async () => {
  configure({ ...KEYS, SEC_CONTACT: "ops@tradewind.example" });
  expect(await limitation(trader)).toMatch(/price history of US stocks is still being loaded/);
  await db().barHistory.create({ data: { ...HISTORY, waiting: 6_600 } });
  const { json } = await callDoor(door, "GET", { token: admin });
  const { needs } = json?.data as unknown as { needs: { need: string; says: string }[] };
  expect(needs.find(({ need }) => need === "Price history")?.says).toBe(
    "History of 3,200 of 9,800 stocks is loaded; about 3 minutes to go.",
  );
  expect(await limitation(trader)).toMatch(/still being loaded/);
});

it("with Alpaca's keys and the SEC's filings read it is reduced, and says by what", async () => {
  configure({ ...KEYS, SEC_CONTACT: "ops@tradewind.example" });
  await db().barHistory.create({ data: HISTORY });
  expect(await states()).toMatchObject({ "Market data": "ready", "Earnings dates": "missing", Sectors: "reduced" });
  await db().company.create({
    data: {
      symbol: "AAPL",
      cik: 320193,
      sic: 3571,
      announcedAt: [new Date("2026-10-29T20:30:00Z")],
      readAt: new Date(),
    },
  });
  expect(await states()).toMatchObject({ "Market data": "ready", "Earnings dates": "reduced", Sectors: "ready" });
  expect(await limitation(trader)).toMatch(/estimated from filings/);
});

it("administrators alone read it", async () => {
  expect((await callDoor(door, "GET", { token: trader })).status).toBe(403);
  expect((await callDoor(door, "GET", {})).status).toBe(401);
});
