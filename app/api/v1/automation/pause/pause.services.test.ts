import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as heartbeatDoor from "../heartbeat/route.ts";
import * as resumeDoor from "../resume/route.ts";
import * as pauseDoor from "./route.ts";

let userId: string;
let token: string;

beforeEach(async () => {
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
});

const pause = (body: object = {}) => callDoor(pauseDoor, "POST", { token, body });
const resume = (body: object = {}) => callDoor(resumeDoor, "POST", { token, body });
const read = async () => (await callDoor(pauseDoor, "GET", { token })).json?.data as unknown;
const audits = (eventType: string) => db().auditEvent.count({ where: { subjectUserId: userId, eventType } });
const RUNNING = { isPaused: false, since: null, reason: null };

it("one call pauses, another resumes; each is audited once, logged, and the first reason stays", async () => {
  expect(await read()).toEqual(RUNNING);
  expect(await pause({ reason: "  Earnings \n week " })).toMatchObject({
    status: 200,
    json: { data: { isPaused: true, reason: "Earnings week" } },
  });
  const first = await read();
  expect(await pause({ reason: "again" })).toMatchObject({ status: 200, json: { data: first } });
  expect(await audits("AUTOMATION_PAUSED")).toBe(1);
  expect(await db().logEvent.findMany({ where: { userId } })).toMatchObject([
    { message: "You paused automation: nothing is bought, exits and stops keep working. Reason: Earnings week" },
  ]);

  expect(await resume()).toMatchObject({ status: 200, json: { data: RUNNING } });
  expect(await resume()).toMatchObject({ status: 200, json: { data: RUNNING } });
  expect(await audits("AUTOMATION_RESUMED")).toBe(1);
});

it("the heartbeat says why automation is paused", async () => {
  const pausedReason = async () =>
    ((await callDoor(heartbeatDoor, "GET", { token })).json?.data as unknown as { pausedReason: string | null })
      .pausedReason;
  expect(await pausedReason()).toBeNull();
  await pause();
  expect(await pausedReason()).toBe("Paused by you");
  await resume();
  await pause({ reason: "Holiday" });
  expect(await pausedReason()).toBe("Holiday");
});

it("a pause is its owner's alone, belongs to a sign-in, and takes nothing unknown", async () => {
  await pause();
  const other = await makeUser(db());
  const theirs = await makeSignIn(db(), other);
  expect((await callDoor(pauseDoor, "GET", { token: theirs })).json?.data).toEqual(RUNNING);
  await callDoor(resumeDoor, "POST", { token: theirs, body: {} });
  expect(await read()).toMatchObject({ isPaused: true });
  for (const [door, method] of [
    [pauseDoor, "GET"],
    [pauseDoor, "POST"],
    [resumeDoor, "POST"],
  ] as const)
    expect((await callDoor(door, method)).status).toBe(401);
  expect((await pause({ userId: other.id })).status).toBe(400);
  expect((await pause({ reason: "x".repeat(301) })).status).toBe(400);
  expect((await resume({ reason: "x" })).status).toBe(400);
});
