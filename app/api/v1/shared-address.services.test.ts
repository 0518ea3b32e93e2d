/** People behind one address: what others there do without a sign-in keeps none of them from stopping, selling or exporting. */
import { expect, it } from "vitest";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import { behindOneProxy, from, tally } from "@/lib/proof/fixtures/callers.ts";
import { db } from "@/lib/server/db.ts";
import { newAccessToken } from "@/lib/server/secrets/access-token.ts";
import { makeAccessToken, makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as killSwitchDoor from "./admin/kill-switch/route.ts";
import * as pauseDoor from "./automation/pause/route.ts";
import * as exportDoor from "./users/me/export/route.ts";

behindOneProxy();

async function many(count: number, call: () => Promise<CallResult>): Promise<CallResult[]> {
  const answers = [];
  for (let n = 0; n < count; n += 1) answers.push(await call());
  return answers;
}
/** 600 in a minute; twice as many at most, where Redis was slow to answer once and this process counted on from nothing. */
async function untilRefused(call: () => Promise<CallResult>): Promise<void> {
  for (let n = 0; n < 1_250; n += 1) {
    const { status } = await call();
    if (status === 429) return expect(n).toBeGreaterThanOrEqual(590);
    expect(status).toBe(401);
  }
  throw new Error("no call was refused");
}

/** Of the group with the fewest calls: ten in a quarter of an hour. */
const exportAs = (token: string | undefined, headers: Record<string, string>) =>
  callDoor(exportDoor, "HEAD", { headers, ...(token === undefined ? {} : { token }) });

it("calls without a sign-in are refused after 600 a minute, and the owner behind the same address still pauses, and the administrator still halts", async () => {
  const headers = from("10.8.8.8");
  const owner = await makeSignIn(db(), await makeUser(db()));
  const admin = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  await untilRefused(() => callDoor(pauseDoor, "GET", { headers }));
  await untilRefused(() => callDoor(killSwitchDoor, "GET", { headers }));
  expect((await callDoor(pauseDoor, "POST", { token: owner, body: {}, headers })).status).toBe(200);
  const halt = { scope: { kind: "system" }, state: "NO_NEW_ENTRIES" };
  expect(await callDoor(killSwitchDoor, "POST", { token: admin, body: halt, headers })).toMatchObject({ status: 200 });
});

it("a signed-in person has one budget wherever they call from, and so has the next one", async () => {
  const user = await makeUser(db());
  const [first, second] = [await makeSignIn(db(), user), await makeSignIn(db(), user)];
  const other = await makeSignIn(db(), await makeUser(db()));
  expect(tally(await many(5, () => exportAs(first, from("10.8.1.1"))))).toEqual({ 200: 5 });
  expect(tally(await many(6, () => exportAs(second, from("10.8.1.2"))))).toEqual({ 200: 5, 429: 1 });
  expect((await exportAs(other, from("10.8.1.1"))).status).toBe(200);
});

it("a sign-in that has ended spends what callers without one spend, not what is its person's", async () => {
  const user = await makeUser(db());
  const [ended, open] = [await makeSignIn(db(), user), await makeSignIn(db(), user)];
  await db().signIn.updateMany({
    where: { userId: user.id, jti: JSON.parse(atob(ended.split(".")[1] ?? "")).jti as string },
    data: { revokedAt: new Date() },
  });
  const headers = from("10.8.2.1");
  expect(tally(await many(11, () => exportAs(ended, headers)))).toEqual({ 401: 10, 429: 1 });
  expect((await exportAs(undefined, headers)).status).toBe(429);
  expect(tally(await many(11, () => exportAs(open, headers)))).toEqual({ 200: 10, 429: 1 });
});

it("made-up access tokens are refused by the address before they are looked up, beside callers without any", async () => {
  const headers = from("10.8.3.1");
  const program = await makeAccessToken(db(), await makeUser(db()));
  await untilRefused(() => callDoor(pauseDoor, "GET", { headers }));
  expect((await callDoor(pauseDoor, "GET", { token: program, headers })).status).toBe(200);
  await untilRefused(() => callDoor(pauseDoor, "GET", { token: newAccessToken(), headers }));
});
