import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { invariantsApi } from "@/lib/contracts/invariants.ts";
import { db } from "@/lib/server/db.ts";
import { storeAccountCheck } from "@/lib/server/services/invariants/store-check.ts";
import { INVARIANTS, type Breach } from "@/lib/server/services/invariants/table.ts";
import { haltAccount } from "@/lib/server/core/halt-account.ts";
import { inTransaction } from "@/lib/server/core/transaction.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as door from "./route.ts";

const context = systemContext("test");
const BREACH: Breach = { invariant: "I4", subject: "AAPL", detail: "10 here, 9 at the broker" };
let token: string;

beforeEach(async () => {
  await db().account.deleteMany();
  await db().invariantCheck.deleteMany();
  token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
});

async function read(): Promise<Answer<typeof invariantsApi.read>> {
  const answer = await callDoor(door, "GET", { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json?.data as unknown as Answer<typeof invariantsApi.read>;
}
const rowOf = async (id: string) => (await read()).invariants.find((row) => row.id === id);

async function check(breaches: Breach[], undecided: string | null = null) {
  const user = await makeUser(db(), { firstName: "Tess", lastName: "Trader" });
  const { id } = await makeAccount(db(), user.id, { name: "Savings" });
  const account = await db().account.findUniqueOrThrow({ where: { id } });
  await storeAccountCheck(context, account, { breaches, halting: breaches, undecided, startedAt: performance.now() });
  return { id, user };
}

it("each invariant is there with its sentence; what is proved elsewhere has no check, what was never looked at says so", async () => {
  const { invariants, accounts, breaches } = await read();
  expect(invariants.map(({ id }) => id)).toEqual(Object.keys(INVARIANTS));
  expect(invariants).toHaveLength(26);
  for (const { id, checkedIn, state, lastCheckedAt } of invariants) {
    const isMinute = (INVARIANTS[id as keyof typeof INVARIANTS].checkedBy as readonly string[]).includes("MINUTE");
    expect([id, checkedIn.length > 0, state, lastCheckedAt]).toEqual([
      id,
      isMinute,
      isMinute ? "unchecked" : "proved_elsewhere",
      null,
    ]);
  }
  expect(accounts).toEqual({ total: 0, recent: 0, broken: 0, undecided: 0 });
  expect(breaches).toEqual([]);
});

it("where an invariant is looked at is where the code looks at it", async () => {
  const source = (file: string) => readFileSync(`lib/server/services/invariants/${file}.ts`, "utf8");
  const named = (text: string) => [...new Set([...text.matchAll(/"(I\d+)"/g)].map(([, id = ""]) => id))];
  const { invariants } = await read();
  const inPlace = (place: "ACCOUNTS" | "SYSTEM") =>
    invariants.filter(({ checkedIn }) => checkedIn.includes(place)).map(({ id }) => id);
  expect(inPlace("SYSTEM").sort()).toEqual(named(source("check-system")).sort());
  const ofAccounts = named(["book-queries", "order-queries", "read-breaches"].map(source).join("\n"));
  expect(inPlace("ACCOUNTS").sort()).toEqual(ofAccounts.sort());
});

it("a breach is shown with its account and owner, halts, and stays in the history after the account is resumed", async () => {
  const { id, user } = await check([BREACH]);
  await check([]);
  await check([], "The broker cannot be reached right now.");
  const answer = await read();
  expect(answer.accounts).toEqual({ total: 3, recent: 3, broken: 1, undecided: 1 });
  expect(answer.breaches).toMatchObject([
    {
      ...BREACH,
      account: { id, title: "Savings", environment: "PRACTICE", user: { id: user.id, name: "Tess Trader" } },
      haltedAt: expect.any(String),
      brokenSince: expect.any(String),
    },
  ]);
  expect(answer.undecided).toMatchObject([{ why: "The broker cannot be reached right now." }]);
  expect(await rowOf("I4")).toMatchObject({ state: "broken", breaches: 1, isHalting: true });
  expect(await rowOf("I3")).toMatchObject({ state: "whole", breaches: 0, lastCheckedAt: expect.any(String) });
  expect(await rowOf("I11")).toMatchObject({ state: "unchecked", lastCheckedAt: null });
  const mine = ({ history }: typeof answer) => history.filter(({ account }) => account?.id === id);
  expect(mine(answer)).toMatchObject([{ reason: "I4 AAPL: 10 here, 9 at the broker", isHaltedStill: true }]);

  await db().account.update({ where: { id }, data: { haltedAt: null, haltReason: null } });
  await db().invariantCheck.update({ where: { scope: id }, data: { isWhole: true, breaches: [], brokenSince: null } });
  const after = await read();
  expect(after.breaches).toEqual([]);
  expect(mine(after)).toMatchObject([{ isHaltedStill: false }]);
});

it("halts for another reason, and accounts that are deleted or have no keys, are none of its", async () => {
  const { id } = await check([]);
  await inTransaction(context, (tx) => haltAccount(context, tx, id, "The broker refuses the keys"));
  const { id: gone } = await check([{ ...BREACH, invariant: "I20" }]);
  await db().account.update({
    where: { id: gone },
    data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" },
  });
  const answer = await read();
  expect(answer.accounts).toMatchObject({ total: 1, broken: 0 });
  expect(answer.breaches).toEqual([]);
  expect(answer.history.filter(({ account }) => account?.id === id)).toEqual([]);
});

it("accounts that were not looked at within five minutes are not counted as recent; the system's own check is shown", async () => {
  const { id } = await check([]);
  await db().invariantCheck.update({ where: { scope: id }, data: { checkedAt: new Date(Date.now() - 301_000) } });
  const at = new Date();
  await db().invariantCheck.create({
    data: {
      scope: "system",
      checkedAt: at,
      durationMs: 3,
      isWhole: false,
      breaches: [{ invariant: "I13", subject: "mail 1", detail: "both sent and failed" }],
      brokenSince: at,
    },
  });
  const answer = await read();
  expect(answer.accounts).toMatchObject({ total: 1, recent: 0 });
  expect(answer.systemCheckedAt).toBe(at.toISOString());
  expect(answer.breaches).toMatchObject([{ invariant: "I13", account: null }]);
  expect(await rowOf("I13")).toMatchObject({ state: "broken", checkedIn: ["SYSTEM"] });
});

it("callers without a sign-in, traders and unknown fields are refused", async () => {
  expect((await callDoor(door, "GET")).status).toBe(401);
  const trader = await makeSignIn(db(), await makeUser(db()));
  expect((await callDoor(door, "GET", { token: trader })).status).toBe(403);
  expect((await callDoor(door, "GET", { token, query: "all=1" })).status).toBe(400);
});
