import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { ensureFlags } from "@/lib/server/services/flags/ensure-flags.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as profileDoor from "../../preferences/profile/route.ts";
import * as readDoor from "../../flags/route.ts";
import * as oneDoor from "./[id]/route.ts";
import * as door from "./route.ts";

interface Flag {
  id: string;
  name: string;
  enabled: boolean;
  environment: string;
  isInForce: boolean;
  isBuiltIn: boolean;
}
let token: string;

beforeEach(async () => {
  await db().featureFlag.deleteMany();
  await ensureFlags({ db: db() });
  token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
});

const list = async () => (await callDoor(door, "GET", { token })).json?.data as unknown as Flag[];
const save = (body: object) => callDoor(door, "POST", { token, body });
const remove = (id: string) => callDoor(oneDoor, "DELETE", { token, params: { id } });
const idOf = async (name: string) => (await list()).find((flag) => flag.name === name)!.id;
const audits = (eventType: string) => db().auditEvent.count({ where: { eventType } });

it("a flag changes behaviour: with profile_editing on, a profile is saved", async () => {
  const user = await makeSignIn(db(), await makeUser(db()));
  const saveProfile = async () =>
    (await callDoor(profileDoor, "PUT", { token: user, body: { displayName: "Ada", bio: "" } })).status;
  expect(await saveProfile()).toBe(501);
  const before = await audits("FEATURE_FLAG_SWITCHED");
  const id = await idOf("profile_editing");
  expect(await save({ id, enabled: true })).toMatchObject({ status: 200, json: { data: { enabled: true } } });
  expect(await saveProfile()).toBe(200);
  // The same again changes and audits nothing.
  expect((await save({ id, enabled: true })).status).toBe(200);
  expect(await audits("FEATURE_FLAG_SWITCHED")).toBe(before + 1);
});

it("a flag is created disabled and for production unless it says otherwise, is served where it is in force, and is deleted", async () => {
  const created = (await save({ name: "  new_charts " })).json?.data as unknown as Flag;
  expect(created).toMatchObject({
    name: "new_charts",
    enabled: false,
    environment: "production",
    isBuiltIn: false,
  });
  expect((await save({ name: "new_charts" })).status).toBe(409);
  const elsewhere = (await save({ name: "new_charts", environment: "staging", enabled: true })).json
    ?.data as unknown as Flag;
  expect(elsewhere).toMatchObject({ environment: "staging", enabled: true });
  const inForce = (await list()).filter(({ isInForce }) => isInForce);
  const served = (await callDoor(readDoor, "GET", { token })).json?.data;
  expect(served).toEqual(Object.fromEntries(inForce.map(({ name, enabled }) => [name, enabled])));
  expect((await remove(created.id)).status).toBe(200);
  expect((await remove(created.id)).status).toBe(404);
  expect((await list()).map(({ id }) => id)).not.toContain(created.id);
});

it("a flag that the product acts on cannot be deleted: deleting it could switch something on", async () => {
  const answer = await remove(await idOf("automation_enabled"));
  expect(answer).toMatchObject({ status: 409 });
  expect(answer.json?.error).toBe("The product acts on automation_enabled: disable it instead of deleting it.");
});

it("a flag of a built-in's name in an environment that is not in force has no effect here, and can be deleted", async () => {
  const name = "automation_enabled";
  const elsewhere = (await save({ name, environment: "staging" })).json?.data as unknown as Flag;
  expect(elsewhere).toMatchObject({ isInForce: false, isBuiltIn: false });
  expect((await list()).filter((flag) => flag.name === name && flag.isBuiltIn)).toMatchObject([{ isInForce: true }]);
  expect((await remove(elsewhere.id)).status).toBe(200);
});

it.each([
  [{}, "A name is required."],
  [{ name: "   " }, "A name is required."],
  [{ name: "x".repeat(81) }, "A name may have 80 characters at most."],
  [{ name: "x", environment: "moon" }, "Choose development, staging or production."],
  [{ name: "x", colour: "red" }, "Unknown field: colour."],
  [{ id: "7", enabled: true }, "Not a valid id."],
  [{ id: "0198c0de-0000-7000-8000-000000000001" }, "Say whether the flag is enabled."],
])("%j is refused: %s", async (body, sentence) => {
  const answer = await save(body);
  expect(answer.status).toBe(400);
  expect(answer.json?.error).toBe(sentence);
});

it("flags are an administrator's alone; an unknown one is not found", async () => {
  const user = await makeSignIn(db(), await makeUser(db()));
  const unknownId = "0198c0de-0000-7000-8000-000000000001";
  expect((await save({ id: unknownId, enabled: true })).status).toBe(404);
  expect((await callDoor(door, "GET")).status).toBe(401);
  expect((await callDoor(door, "GET", { token: user })).status).toBe(403);
  expect((await callDoor(door, "POST", { token: user, body: { name: "x" } })).status).toBe(403);
  expect((await callDoor(oneDoor, "DELETE", { token: user, params: { id: unknownId } })).status).toBe(403);
});

it("the flag of the QA rules says what they stop", async () => {
  const flag = await db().featureFlag.findFirstOrThrow({ where: { name: "qa_live_gate" } });
  expect(flag.description).toBe(
    "While a critical QA rule fails or cannot be judged, the accounts concerned buy nothing.",
  );
});
