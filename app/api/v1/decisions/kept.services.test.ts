import { afterEach, expect, it } from "vitest";
import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { keepDecisions, recordCycleDecision } from "@/lib/proof/fixtures/looks.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { db } from "@/lib/server/db.ts";
import { purgeDecisions } from "@/lib/server/services/cycles/purge-decisions.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as one from "./[id]/route.ts";
import * as list from "./route.ts";

afterEach(() => keepDecisions());

const listed = async (token: string) =>
  (await callDoor(list, "GET", { token })).json?.data as unknown as Answer<typeof decisionsApi.list>;

it("the list says for how many days decisions that ordered nothing are kept: with accounts and without", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  expect((await listed(token)).keptDays).toBeNull();
  keepDecisions(120);
  expect((await listed(token)).keptDays).toBe(120);
  await makeAccount(db(), user.id);
  expect((await listed(token)).keptDays).toBe(120);
});

it("a decision that is no longer kept leaves the list, and its page is not found", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const { id: accountId } = await makeAccount(db(), user.id, { broker: "ALPACA" });
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const quiet = await recordCycleDecision(accountId, daysAgo(201));
  const ordered = await recordCycleDecision(accountId, daysAgo(200), { orders: 1 });
  const latest = await recordCycleDecision(accountId, daysAgo(1));
  keepDecisions(90);
  await purgeDecisions(testContext());
  expect((await listed(token)).decisions.map(({ id }) => id)).toEqual([latest.id, ordered.id]);
  const read = (id: string) => callDoor(one, "GET", { token, params: { id } });
  const [gone, unknown] = [await read(quiet.id), await read(crypto.randomUUID())];
  expect(gone.status).toBe(404);
  expect(gone.json?.error).toEqual(unknown.json?.error);
});
